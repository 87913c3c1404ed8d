// SPDX-License-Identifier: Apache-2.0
#pragma once

// size: one short list of cases per topology.

/// Every topology at awkward sizes, with what the textbooks say of it, for the tests of laws.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/detail/cycles.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/cartesian_product.hpp"
#include "lockstep/topology/cayley_graph.hpp"
#include "lockstep/topology/cube_cycle_group.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/topology/switch_tree.hpp"
#include "lockstep/topology/symmetric_group_graph.hpp"

namespace lockstep::test {

/// The expected values of one topology, from the textbooks.
template <class T>
struct Expected {
  T topology;
  std::string name;
  std::uint64_t node_count;
  std::uint64_t diameter;
};

template <class T>
std::vector<Expected<T>> cases();

template <>
inline std::vector<Expected<StarGraph>> cases() {
  std::vector<Expected<StarGraph>> list;
  for (std::size_t n = 2; n <= 6; ++n)
    list.push_back({StarGraph{n}, "star:" + std::to_string(n), factorial(n), 3 * (n - 1) / 2});
  return list;
}

template <>
inline std::vector<Expected<Ring>> cases() {
  std::vector<Expected<Ring>> list;
  for (const std::uint64_t n : {3U, 4U, 5U, 12U, 17U, 100U})
    list.push_back({Ring{n}, "ring:" + std::to_string(n), n, n / 2});
  return list;
}

template <>
inline std::vector<Expected<LinearArray>> cases() {
  std::vector<Expected<LinearArray>> list;
  for (const std::uint64_t n : {1U, 2U, 3U, 4U, 7U, 33U})
    list.push_back({LinearArray{n}, "linear:" + std::to_string(n), n, n - 1});
  return list;
}

template <>
inline std::vector<Expected<Hypercube>> cases() {
  std::vector<Expected<Hypercube>> list;
  for (const std::uint64_t d : {0U, 1U, 2U, 3U, 7U})
    list.push_back({Hypercube{d}, "hypercube:" + std::to_string(d), std::uint64_t{1} << d, d});
  return list;
}

template <>
inline std::vector<Expected<CompleteGraph>> cases() {
  std::vector<Expected<CompleteGraph>> list;
  for (const std::uint64_t n : {1U, 2U, 3U, 6U, 13U})
    list.push_back({CompleteGraph{n}, "complete:" + std::to_string(n), n, n > 1 ? 1U : 0U});
  return list;
}

template <>
inline std::vector<Expected<Circulant>> cases() {
  return {{Circulant(2, {1}), "circulant:2,1", 2, 1},
          {Circulant(6, {3, 2}), "circulant:6,3,2", 6, 2},
          {Circulant(8, {7, 4}), "circulant:8,7,4", 8, 2},  // the Moebius ladder
          {Circulant(9, {1, 4}), "circulant:9,1,4", 9, 2},
          {Circulant(13, {5, 1}), "circulant:13,5,1", 13, 2},
          {Circulant(17, {1}), "circulant:17,1", 17, 8}};
}

template <>
inline std::vector<Expected<ExtendedRing>> cases() {
  return {{ExtendedRing(2, 1), "extended-ring:2,1", 2, 1},
          {ExtendedRing(3, 1), "extended-ring:3,1", 3, 1},
          {ExtendedRing(6, 3), "extended-ring:6,3", 6, 1},
          {ExtendedRing(7, 2), "extended-ring:7,2", 7, 2},
          {ExtendedRing(14, 2), "extended-ring:14,2", 14, 4},
          {ExtendedRing(31, 3), "extended-ring:31,3", 31, 5}};
}

template <>
inline std::vector<Expected<Torus>> cases() {
  return {{Torus({2}), "torus:2", 2, 1},
          {Torus({5}), "torus:5", 5, 2},
          {Torus({2, 2}), "torus:2x2", 4, 2},
          {Torus({2, 3}), "torus:2x3", 6, 2},
          {Torus({7, 2, 3}), "torus:7x2x3", 42, 5},
          {Torus({2, 4, 3, 2}), "torus:2x4x3x2", 48, 5}};
}

template <>
inline std::vector<Expected<Mesh>> cases() {
  return {{Mesh({2}), "mesh:2", 2, 1},
          {Mesh({5}), "mesh:5", 5, 4},
          {Mesh({2, 3}), "mesh:2x3", 6, 3},
          {Mesh({2, 2, 2}), "mesh:2x2x2", 8, 3},
          {Mesh({3, 2, 5}), "mesh:3x2x5", 30, 7}};
}

template <>
inline std::vector<Expected<GeneralizedHypercube>> cases() {
  return {{GeneralizedHypercube({2}), "generalized-hypercube:2", 2, 1},
          {GeneralizedHypercube({7}), "generalized-hypercube:7", 7, 1},
          {GeneralizedHypercube({2, 3}), "generalized-hypercube:2x3", 6, 2},
          {GeneralizedHypercube({5, 2, 4}), "generalized-hypercube:5x2x4", 40, 3}};
}

template <>
inline std::vector<Expected<Hypercycle>> cases() {
  return {{Hypercycle({{5, 1}}), "hypercycle:5,1", 5, 2},
          {Hypercycle({{4, 2}}), "hypercycle:4,2", 4, 1},
          {Hypercycle({{6, 2}, {5, 1}}), "hypercycle:6,2x5,1", 30, 4}};
}

template <>
inline std::vector<Expected<FatTree>> cases() {
  return {{FatTree({2}, {.name = "constant"}), "fat-tree:2^1", 3, 2},
          {FatTree({7}, {.list = {3}}), "fat-tree:7^1,3", 8, 2},
          {FatTree({2, 2, 2}, {.name = "exponential"}), "fat-tree:2^3,exponential", 15, 6},
          {FatTree({3, 2}, {.name = "steep"}), "fat-tree:3x2,steep", 9, 4},
          {FatTree({2, 4, 3}, {.name = "linear"}), "fat-tree:2x4x3,linear", 40, 6},
          {FatTree({2, 3, 2, 3}, {.name = "half"}), "fat-tree:2x3x2x3,half", 64, 8},
          {FatTree({5, 2, 2}, {.list = {2, 2, 7}}), "fat-tree:5x2x2,2.2.7", 27, 6}};
}

template <>
inline std::vector<Expected<Xgft>> cases() {
  return {{Xgft({2}, {1}), "kary-tree:2^1", 3, 2},
          {Xgft({3}, {4}), "xgft:1;3;4", 7, 2},
          {Xgft({2, 2, 2}, {1, 2, 2}), "kary-tree:2^3", 20, 6},
          {Xgft({4, 4}, {1, 4}), "kary-tree:4^2", 24, 4},
          {Xgft({3, 2}, {2, 1}), "xgft:2;3,2;2,1", 12, 4},
          {Xgft({2, 3, 2}, {1, 1, 3}), "xgft:3;2,3,2;1,1,3", 23, 6},
          {Xgft({2, 2, 3, 2}, {2, 1, 2, 3}), "xgft:4;2,2,3,2;2,1,2,3", 80, 8}};
}

template <>
inline std::vector<Expected<CubeConnectedCycles>> cases() {
  return {{CubeConnectedCycles(3), "ccc:3", 24, 6},
          {CubeConnectedCycles(4), "ccc:4", 64, 8},
          {CubeConnectedCycles(5), "ccc:5", 160, 10}};
}

template <>
inline std::vector<Expected<WrappedButterfly>> cases() {
  return {{WrappedButterfly(3), "butterfly:3", 24, 4},
          {WrappedButterfly(4), "butterfly:4", 64, 6},
          {WrappedButterfly(5), "butterfly:5", 160, 7}};
}

template <>
inline std::vector<Expected<PancakeGraph>> cases() {
  return {{PancakeGraph(2), "pancake:2", 2, 1},
          {PancakeGraph(3), "pancake:3", 6, 3},
          {PancakeGraph(4), "pancake:4", 24, 4},
          {PancakeGraph(5), "pancake:5", 120, 5}};
}

template <>
inline std::vector<Expected<BubbleSortGraph>> cases() {
  return {{BubbleSortGraph(2), "bubble-sort:2", 2, 1},
          {BubbleSortGraph(3), "bubble-sort:3", 6, 3},
          {BubbleSortGraph(4), "bubble-sort:4", 24, 6},
          {BubbleSortGraph(5), "bubble-sort:5", 120, 10}};
}

template <>
inline std::vector<Expected<EisensteinJacobi>> cases() {
  return {{EisensteinJacobi(1, 2), "ej:1+2", 7, 1},   {EisensteinJacobi(0, 3), "ej:0+3", 9, 2},
          {EisensteinJacobi(2, 2), "ej:2+2", 12, 2},  {EisensteinJacobi(1, 3), "ej:1+3", 13, 2},
          {EisensteinJacobi(3, 4), "ej:3+4", 37, 3},  {EisensteinJacobi(2, 4), "ej:2+4", 28, 3},
          {EisensteinJacobi(0, 7), "ej:0+7", 49, 4},  {EisensteinJacobi(3, 3), "ej:3+3", 27, 3},
          {EisensteinJacobi(6, 9), "ej:6+9", 171, 8}, {EisensteinJacobi(1, 9), "ej:1+9", 91, 6}};
}

template <>
inline std::vector<Expected<EisensteinJacobiNetwork>> cases() {
  return {{EisensteinJacobiNetwork(2, 3), "ej:2+3", 19, 2},
          {EisensteinJacobiNetwork(2, 2), "ej:2+2", 12, 2},
          {EisensteinJacobiNetwork(1, 2, 2), "ej:1+2^2", 49, 2},
          {EisensteinJacobiNetwork(0, 3, 2), "ej:0+3^2", 81, 4},
          {EisensteinJacobiNetwork(2, 2, 2), "ej:2+2^2", 144, 4},
          {EisensteinJacobiNetwork(1, 2, 3), "ej:1+2^3", 343, 3}};
}

using GroupProduct = CartesianProduct<AnyCayley>;
using PlainProduct = CartesianProduct<AnyTopology>;

template <class Product>
Expected<Product> named_product(const std::string& name, std::uint64_t nodes,
                                std::uint64_t diameter) {
  return {*make_topology(name).as<Product>(), name, nodes, diameter};
}

template <>
inline std::vector<Expected<GroupProduct>> cases() {
  return {named_product<GroupProduct>("product(ring:5)", 5, 2),
          named_product<GroupProduct>("product(ring:3,complete:1,ring:4)", 12, 3),
          named_product<GroupProduct>("product(star:4,hypercube:2)", 96, 6),
          named_product<GroupProduct>("product(ej:1+2,circulant:14,1,2)", 98, 5),
          named_product<GroupProduct>("product(product(ccc:3,complete:2),hypercube:0)", 48, 7)};
}

template <>
inline std::vector<Expected<PlainProduct>> cases() {
  return {named_product<PlainProduct>("product(linear:1)", 1, 0),
          named_product<PlainProduct>("product(ring:5,linear:4)", 20, 5),
          named_product<PlainProduct>("product(mesh:2x3,ring:4,linear:3)", 72, 7),
          named_product<PlainProduct>("product(linear:3,product(linear:1,linear:2))", 6, 3)};
}

inline CayleyGraph generated_by(std::initializer_list<const char*> generators) {
  std::vector<PointImages> images;
  for (const char* generator : generators) images.push_back(permutation_from_cycles(generator));
  return CayleyGraph(images);
}

/// A single link, a ring, a square, the star graph and the bubble-sort graph on four symbols, and
/// the ball of twelve pentagons and twenty hexagons.
template <>
inline std::vector<Expected<CayleyGraph>> cases() {
  return {{generated_by({"(1 2)"}), "cayley:(1 2)", 2, 1},
          {generated_by({"(1 2 3 4 5 6 7)"}), "cayley:(1 2 3 4 5 6 7)", 7, 3},
          {generated_by({"(1 2)(3 4)", "(1 3)(2 4)"}), "cayley:(1 2)(3 4);(1 3)(2 4)", 4, 2},
          {generated_by({"(1 2)", "(1 3)", "(1 4)"}), "cayley:(1 2);(1 3);(1 4)", 24, 4},
          {generated_by({"(1 2)", "(2 3)", "(3 4)"}), "cayley:(1 2);(2 3);(3 4)", 24, 6},
          {generated_by({"(1 2)(3 4)", "(1 2 3 4 5)"}), "cayley:(1 2)(3 4);(1 2 3 4 5)", 60, 9}};
}

/// Whatever stands in the catalogue, by its example: a new line there is covered here.
template <>
inline std::vector<Expected<AnyTopology>> cases() {
  std::vector<Expected<AnyTopology>> list;
  for (const TopologyInfo& info : topology_catalog()) {
    if (info.example.empty()) continue;  // needs a file
    const AnyTopology topology = make_topology(std::string(info.example));
    list.push_back({topology, std::string(info.example), topology.node_count(),
                    topology.diameter().value_or(0)});
  }
  return list;
}

template <class T>
void add_tabulated(std::vector<Expected<Network>>& list) {
  for (const Expected<T>& expected : cases<T>())
    list.push_back(
        {build_network(expected.topology), expected.name, expected.node_count, expected.diameter});
}

template <>
inline std::vector<Expected<Network>> cases() {
  std::vector<Expected<Network>> list;
  add_tabulated<StarGraph>(list);
  add_tabulated<Ring>(list);
  add_tabulated<LinearArray>(list);
  add_tabulated<Hypercube>(list);
  add_tabulated<CompleteGraph>(list);
  add_tabulated<Mesh>(list);
  add_tabulated<Torus>(list);
  add_tabulated<FatTree>(list);
  add_tabulated<Xgft>(list);
  return list;
}

template <Topology T, class Check>
void for_every_node(const T& topology, Check check) {
  for (std::uint64_t u = 0; u < topology.node_count(); ++u) check(NodeId{u});
}

template <Topology T, class Check>
void for_every_arc(const T& topology, Check check) {
  for_every_node(topology, [&](NodeId u) {
    for (std::size_t p = 0; p < topology.degree(u); ++p) check(u, port(p));
  });
}

}  // namespace lockstep::test
