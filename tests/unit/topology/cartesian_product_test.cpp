// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/cartesian_product.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/ring.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;

template <class T>
[[nodiscard]] CartesianProduct<T> product_of(std::vector<T> factors) {
  return CartesianProduct<T>(std::move(factors), FirstDimension::most_significant);
}

/// Node by node and port by port.
template <Topology One, Topology Other>
void expect_same(const One& one, const Other& other) {
  ASSERT_EQ(one.node_count(), other.node_count());
  ASSERT_EQ(one.max_degree(), other.max_degree());
  for (std::uint64_t i = 0; i < one.node_count(); ++i) {
    const NodeId u{i};
    ASSERT_EQ(one.degree(u), other.degree(u)) << i;
    for (std::size_t p = 0; p < one.degree(u); ++p) {
      ASSERT_EQ(one.neighbor(u, port(p)), other.neighbor(u, port(p))) << i << " port " << p;
      ASSERT_EQ(one.reverse_port(u, port(p)), other.reverse_port(u, port(p))) << i;
    }
  }
}

TEST(CartesianProduct, OfRingsIsTheTorus) {
  const auto product = product_of(std::vector{Ring{3}, Ring{4}, Ring{5}});
  expect_same(product, Torus({3, 4, 5}));
  EXPECT_EQ(product.name(), "product(ring:3,ring:4,ring:5)");
  EXPECT_EQ(product.diameter(), 5U);
  EXPECT_EQ(product.link_count(), 180U);
}

TEST(CartesianProduct, OfLinearArraysIsTheMesh) {
  const auto product = product_of(std::vector{LinearArray{3}, LinearArray{2}, LinearArray{4}});
  expect_same(product, Mesh({3, 2, 4}));
  EXPECT_EQ(product.link_count(), Mesh({3, 2, 4}).link_count());
}

TEST(CartesianProduct, OfHypercubesIsTheHypercube) {
  const CartesianProduct product(std::vector{Hypercube{3}, Hypercube{1}, Hypercube{2}},
                                 FirstDimension::least_significant);
  expect_same(product, Hypercube{6});
}

TEST(CartesianProduct, CoordinatesGoThereAndBack) {
  for (const FirstDimension first :
       {FirstDimension::most_significant, FirstDimension::least_significant}) {
    const CartesianProduct product(std::vector{Ring{3}, Ring{7}, Ring{4}}, first);
    for (std::uint64_t i = 0; i < product.node_count(); ++i) {
      std::uint64_t number = 0;
      for (std::size_t d = 0; d < 3; ++d)
        number += index(product.coordinate(NodeId{i}, d)) * product.coordinates().stride(d);
      EXPECT_EQ(number, i);
    }
  }
}

TEST(CartesianProduct, EisensteinJacobiNetworkOfTwoDimensions) {
  const EisensteinJacobiNetwork network(3, 4, 2);
  EXPECT_EQ(network.name(), "ej:3+4^2");
  EXPECT_EQ(network.node_count(), 1369U);
  EXPECT_EQ(network.max_degree(), 12U);
  EXPECT_EQ(network.link_count(), 3U * 2 * 1369);
  EXPECT_EQ(network.diameter(), 6U);
  EXPECT_EQ(network.level_sizes(), level_sizes(network, NodeId{0}));
  const auto u = network.find("(1-rho^2, 2rho)");
  ASSERT_TRUE(u.has_value());
  EXPECT_EQ(network.label(network.neighbor(*u, Port{8})), "(1, 2rho)");
  EXPECT_EQ(network.port_label(*u, Port{8}), "dimension 2, +rho^2");
  EXPECT_EQ(network.distance(NodeId{0}, *u), 4U);
}

TEST(CartesianProduct, RefusesTooManyNodesOrNone) {
  const std::vector<Hypercube> many(2, Hypercube{40});
  EXPECT_THROW((void)product_of(many), InvalidParameter);
  EXPECT_THROW((void)product_of(std::vector<Ring>{}), InvalidParameter);
  EXPECT_THROW((void)EisensteinJacobiNetwork(3, 4, 0), InvalidParameter);
  EXPECT_THROW((void)EisensteinJacobiNetwork(3, 4, 13), InvalidParameter);
  EXPECT_EQ(EisensteinJacobiNetwork(3, 4, 12).node_count(), 6'582'952'005'840'035'281U);
}

}  // namespace
}  // namespace lockstep
