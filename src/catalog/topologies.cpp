// SPDX-License-Identifier: Apache-2.0

// size: a list, a line for each family.

/// The one place where text becomes a topology. A family has one line in families below: its
/// description, and how its argument, the text behind the colon, is read.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "catalog/topology_arguments.hpp"
#include "core/invalid.hpp"
#include "core/suggest.hpp"
#include "core/words.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "lockstep/topology/cartesian_product.hpp"
#include "lockstep/topology/cayley_graph.hpp"
#include "lockstep/topology/cube_cycle_group.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/topology/switch_tree.hpp"
#include "lockstep/topology/symmetric_group_graph.hpp"
#include "topology/graph_file.hpp"
#include "topology/named_graphs.hpp"
#include "topology/random_graphs.hpp"

namespace lockstep {

namespace {

template <Topology T>
[[nodiscard]] AnyTopology any_topology(T topology) {
  return AnyTopology(topology_model(std::move(topology)));
}

/// The end of the name of the family in "ring:5" or "product(ring:5,ring:4)".
[[nodiscard]] std::size_t end_of_name(std::string_view text) {
  return std::min(text.find_first_of(":("), text.size());
}

struct Family {
  TopologyInfo info;
  AnyTopology (*make)(const std::string& argument);

  [[nodiscard]] std::string_view name() const {
    return info.grammar.substr(0, end_of_name(info.grammar));
  }
  /// The separator between the name and its argument; empty if there is no argument.
  [[nodiscard]] std::string_view opening() const { return info.grammar.substr(name().size(), 1); }
};

/// A family with one number, whose constructor judges it.
template <class T>
[[nodiscard]] AnyTopology of_number(const std::string& argument) {
  return any_topology(T(catalog::number_argument(argument)));
}

/// A product: "3x4".
template <class T>
[[nodiscard]] AnyTopology of_sizes(const std::string& argument) {
  return any_topology(T(catalog::number_arguments(argument, 'x')));
}

/// So many numbers, separated by commas.
[[nodiscard]] std::vector<std::uint64_t> numbers_of(const std::string& argument,
                                                    std::size_t count) {
  std::vector<std::uint64_t> numbers = catalog::number_arguments(argument, ',');
  if (numbers.size() != count) throw invalid("{} of {} numbers given", numbers.size(), count);
  return numbers;
}

[[nodiscard]] AnyTopology circulant(const std::string& argument) {
  std::vector<std::uint64_t> numbers = catalog::number_arguments(argument, ',');
  const std::uint64_t node_count = numbers.front();
  numbers.erase(numbers.begin());
  return any_topology(Circulant(node_count, numbers));
}

[[nodiscard]] AnyTopology extended_ring(const std::string& argument) {
  const std::vector<std::uint64_t> numbers = numbers_of(argument, 2);
  return any_topology(ExtendedRing(numbers[0], numbers[1]));
}

/// "14,2x9,2": size and reach of every dimension.
[[nodiscard]] AnyTopology hypercycle(const std::string& argument) {
  std::vector<Hypercycle::Dimension> dimensions;
  for (const std::string_view piece : pieces_of(argument, 'x')) {
    const std::vector<std::uint64_t> numbers = catalog::number_arguments(piece, ',');
    if (numbers.size() != 2) throw invalid("'{}' is not a size and a reach", piece);
    dimensions.push_back({numbers[0], numbers[1]});
  }
  return any_topology(Hypercycle(dimensions));
}

/// "n,k"
[[nodiscard]] AnyTopology generalized_petersen(const std::string& argument) {
  const std::vector<std::uint64_t> numbers = numbers_of(argument, 2);
  return any_topology(generalized_petersen_graph(numbers[0], numbers[1]));
}

[[nodiscard]] AnyTopology odd_graph_of(const std::string& argument) {
  return any_topology(odd_graph(catalog::number_argument(argument)));
}

/// A graph without a parameter.
template <NamedGraph (*make)()>
[[nodiscard]] AnyTopology named_graph(const std::string& argument) {
  if (!argument.empty()) throw invalid("'{}' given", argument);
  return any_topology(make());
}

/// "3+4", or "3+4^2" with the number of dimensions.
[[nodiscard]] AnyTopology eisenstein_jacobi(const std::string& argument) {
  const std::size_t power = argument.find('^');
  const std::vector<std::uint64_t> alpha =
      catalog::number_arguments(argument.substr(0, power), '+');
  if (alpha.size() != 2)
    throw invalid("'{}' is not a sum of two numbers", argument.substr(0, power));
  if (power == std::string::npos) return any_topology(EisensteinJacobiNetwork(alpha[0], alpha[1]));
  const std::string dimensions = argument.substr(power + 1);
  if (dimensions.empty()) throw InvalidParameter("no number of dimensions given");
  return any_topology(
      EisensteinJacobiNetwork(alpha[0], alpha[1], catalog::number_argument(dimensions)));
}

/// "4^3", "4x3x2"; behind a comma the capacities, a name or a list.
[[nodiscard]] AnyTopology fat_tree(const std::string& argument) {
  const std::size_t comma = std::min(argument.find(','), argument.size());
  const std::string shape = argument.substr(0, comma);
  std::vector<std::uint64_t> arities =
      shape.find('^') == std::string::npos
          ? catalog::number_arguments(shape, 'x')
          : catalog::level_arguments(fmt::format("fat-tree:{}", argument), shape);
  FatTreeCapacities capacities{.name = "constant"};
  if (comma != argument.size()) {
    capacities.name = argument.substr(comma + 1);
    if (capacities.name.find_first_of("0123456789") != std::string::npos)
      capacities = {.list = catalog::number_arguments(capacities.name, '.')};
  }
  return any_topology(FatTree(std::move(arities), std::move(capacities)));
}

/// "3;4,4,4;1,2,2": levels, then children and parents, bottom up.
[[nodiscard]] AnyTopology xgft(const std::string& argument) {
  const std::size_t first = argument.find(';');
  const std::size_t second = argument.find(';', first + 1);
  if (first == std::string::npos || second == std::string::npos)
    throw invalid("'{}' does not have three parts separated by semicolons", argument);
  const std::uint64_t height = catalog::number_argument(argument.substr(0, first));
  const std::vector<std::uint64_t> children =
      catalog::number_arguments(argument.substr(first + 1, second - first - 1), ',');
  std::vector<std::uint64_t> parents = catalog::number_arguments(argument.substr(second + 1), ',');
  if (children.size() != height)
    throw invalid("xgft:{}: numbers of children: {} given; expected {}, one per level", argument,
                  children.size(), height);
  return any_topology(Xgft(children, std::move(parents)));
}

[[nodiscard]] AnyTopology kary_tree(const std::string& argument) {
  const std::vector<std::uint64_t> children =
      catalog::level_arguments(fmt::format("kary-tree:{}", argument), argument);
  if (children.front() < 2)
    throw invalid("kary-tree:{}: arity {}; allowed: 2 or more", argument, children.front());
  std::vector<std::uint64_t> parents = children;
  parents.front() = 1;
  return any_topology(Xgft(children, std::move(parents)));
}

/// A Cayley graph where all factors are. A problem of a factor is reported with the whole name
/// before it.
[[nodiscard]] AnyTopology product(const std::string& argument) {
  std::vector<AnyTopology> factors;
  for (const std::string& factor : catalog::factor_arguments(argument)) {
    try {
      factors.push_back(make_topology(factor));
    } catch (const InvalidParameter& problem) {
      throw invalid("product({}: {}", argument, problem.what());
    }
  }
  std::vector<AnyCayley> groups;
  for (const AnyTopology& factor : factors)
    if (const std::optional<AnyCayley> group = factor.cayley()) groups.push_back(*group);
  constexpr auto first = FirstDimension::most_significant;
  return groups.size() == factors.size()
             ? any_topology(CartesianProduct(std::move(groups), first))
             : any_topology(CartesianProduct(std::move(factors), first));
}

/// "net.txt"; "dimacs+undirected=net.txt" where its name does not say how to read it.
[[nodiscard]] AnyTopology from_file(const std::string& argument) {
  if (argument.empty()) throw InvalidParameter("no file given");
  return any_topology(
      read_graph_file(fmt::format("file:{}", argument), parse_graph_file_name(argument)));
}

/// Three numbers, the last one a seed.
template <Network (*make)(std::uint64_t, std::uint64_t, std::uint64_t)>
[[nodiscard]] AnyTopology random_graph(const std::string& argument) {
  const std::vector<std::uint64_t> numbers = numbers_of(argument, 3);
  return any_topology(make(numbers[0], numbers[1], numbers[2]));
}

[[nodiscard]] AnyTopology cayley(const std::string& argument) {
  return any_topology(CayleyGraph(catalog::generator_arguments(argument)));
}

constexpr auto families = std::to_array<Family>({
    {{"star:n", "star graph: n! nodes of degree n-1, 2 <= n <= 12", "star:4",
      "Akers, Harel, Krishnamurthy 1987"},
     of_number<StarGraph>},
    {{"ring:N", "ring of N >= 3 nodes", "ring:9", "textbook"}, of_number<Ring>},
    {{"linear:N", "linear array of N >= 1 nodes", "linear:9", "textbook"}, of_number<LinearArray>},
    {{"hypercube:d", "binary d-cube: 2^d nodes of degree d, 0 <= d <= 40", "hypercube:4",
      "textbook"},
     of_number<Hypercube>},
    {{"complete:N", "complete graph of 1 <= N <= 65,536 nodes", "complete:8", "textbook"},
     of_number<CompleteGraph>},
    {{"circulant:N,s1,s2,..",
      "N >= 2 nodes; node i is linked to i +- s1, i +- s2, .. modulo N; gcd(N, s1, s2, ..) = 1",
      "circulant:9,1,4", "textbook"},
     circulant},
    {{"extended-ring:N,rho", "ring with links to the rho nearest nodes on either side, rho <= N/2",
      "extended-ring:14,2", "Dimakopoulos 1996"},
     extended_ring},
    {{"hypercycle:A,rxB,s..",
      "product of extended rings: sizes >= 2, each with its reach; nodes are linked to the nearest "
      "in every dimension",
      "hypercycle:6,2x5,1", "Dimakopoulos 1996"},
     hypercycle},
    {{"torus:AxBx..", "product of rings of sizes >= 2 (size 2: a single link); A*B*.. nodes",
      "torus:4x4", "textbook"},
     of_sizes<Torus>},
    {{"mesh:AxBx..", "product of linear arrays of sizes >= 2; A*B*.. nodes", "mesh:3x4",
      "textbook"},

     of_sizes<Mesh>},
    {{"generalized-hypercube:AxBx..", "product of complete graphs of sizes >= 2; A*B*.. nodes",
      "generalized-hypercube:3x4", "Bhuyan, Agrawal 1984"},
     of_sizes<GeneralizedHypercube>},
    {{"ccc:d", "cube-connected cycles: d*2^d nodes of degree 3, 3 <= d <= 32", "ccc:3",
      "Preparata, Vuillemin 1981"},
     of_number<CubeConnectedCycles>},
    {{"butterfly:d", "wrapped butterfly: d*2^d nodes of degree 4, 3 <= d <= 32", "butterfly:3",
      "textbook"},
     of_number<WrappedButterfly>},
    {{"pancake:n", "pancake graph: n! nodes of degree n-1, 2 <= n <= 12", "pancake:4",
      "Akers, Krishnamurthy 1989"},
     of_number<PancakeGraph>},
    {{"bubble-sort:n", "bubble-sort graph: n! nodes of degree n-1, 2 <= n <= 12", "bubble-sort:4",
      "Akers, Krishnamurthy 1989"},
     of_number<BubbleSortGraph>},
    {{"ej:a+b^n",
      "Eisenstein-Jacobi network of alpha = a + b rho, 0 <= a <= b, norm >= 7; ^n: n dimensions, "
      "(a*a+a*b+b*b)^n nodes of degree 6n",
      "ej:3+4", "Hussain 2018"},
     eisenstein_jacobi},
    {{"fat-tree:k^h,CAPS",
      "fat tree: k^h processors below h levels of switches with k children each (or k1xk2x.., "
      "bottom up); CAPS is the number of lanes per level, bottom up: constant (1, the default), "
      "exponential (the number of processors below), half, linear, steep, or a list such as 1.2.4",
      "fat-tree:2^3,2.4.8", "Dimakopoulos 1996"},
     fat_tree},
    {{"xgft:h;m1,..,mh;w1,..,wh",
      "extended generalized fat tree with links of one lane: m1*..*mh processors below h levels "
      "of switches; a node of level i has mi children, a node of level i-1 has wi parents; quote "
      "the name in the shell",
      "xgft:3;3,2,2;1,2,1", "Oehring, Ibel, Das, Kumar 1995"},
     xgft},
    {{"kary-tree:k^n",
      "k-ary n-tree: the XGFT of k^n processors whose switches have k children and k parents",
      "kary-tree:2^3", "Petrini, Vanneschi 1997"},
     kary_tree},
    {{"cayley:G1;G2;..",
      "permutation group of at most 2^20 elements, from generators in cycle notation; missing "
      "inverses become additional ports; quote the name in the shell, or write cayley:file:PATH "
      "with one generator per line",
      "cayley:(1 2)(3 4);(1 2 3 4 5)", "textbook"},
     cayley},
    {{"petersen",
      "Petersen graph: 10 nodes of degree 3, the smallest vertex-transitive graph "
      "that is not a Cayley graph",
      "petersen", "Petersen 1898"},
     named_graph<petersen_graph>},
    {{"odd-graph:k",
      "odd graph: the subsets of k - 1 of 2k - 1 numbers, linked if disjoint; "
      "degree k, 2 <= k <= 10",
      "odd-graph:3", "Kneser 1955; Biggs 1979"},
     odd_graph_of},
    {{"dodecahedron", "graph of the dodecahedron: 20 nodes of degree 3", "dodecahedron",
      "textbook"},
     named_graph<dodecahedron_graph>},
    {{"generalized-petersen:n,k",
      "a ring of n >= 3 nodes, each linked to one of n inner nodes; "
      "inner nodes at distance k along the ring are linked, 1 <= k < n/2",
      "generalized-petersen:7,2", "Watkins 1969"},
     generalized_petersen},
    {{"random-regular:N,d,seed",
      "random connected graph of N nodes of degree d, 2 <= d < N, the same for the same seed",
      "random-regular:10,3,1", "Steger, Wormald 1999"},
     random_graph<random_regular_graph>},
    {{"erdos-renyi:N,m,seed",
      "random connected graph of N nodes and m links, the same for the same seed",
      "erdos-renyi:12,20,1", "Erdos, Renyi 1959"},
     random_graph<erdos_renyi_graph>},
    {{"file:PATH",
      "any connected graph from a file: a list of edges, DIMACS (.gr, .col), GraphML (.graphml), "
      "Matrix Market (.mtx) or node-link JSON (.json), each also as .gz; write file:FORMAT=PATH if "
      "the extension does not determine the format: edges, dimacs, graphml, matrix, node-link; "
      "file:undirected=PATH makes arcs links, file:drop-self-loops=PATH drops self-loops; join "
      "several words by +",
      "", "textbook"},
     from_file},
    {{"product(A,B,..)",
      "cartesian product of any topologies, including products; a comma before a letter separates "
      "factors; quote the name in the shell",
      "product(ring:5,linear:4)", "textbook"},
     product},
});

[[nodiscard]] const Family& family_of(const std::string& text) {
  const std::string given = text.substr(0, end_of_name(text));
  std::vector<std::string_view> names;
  for (const Family& family : families) {
    if (family.name() == given) return family;
    names.push_back(family.name());
  }
  throw invalid("'{}': {}", text, unknown("topology", given, names));
}

}  // namespace

AnyTopology make_topology(const std::string& text) {
  const Family& family = family_of(text);
  const std::string rest = text.substr(family.name().size());
  try {
    if (rest.substr(0, 1) != family.opening() && !rest.empty())
      throw invalid("unexpected '{}' after the name", rest);
    return family.make(rest.empty() ? "" : rest.substr(1));
  } catch (const InvalidParameter& problem) {
    // The constructors name the topology themselves, the parsers of its argument do not.
    const std::string what = problem.what();
    if (what.rfind(fmt::format("{}{}", family.name(), family.opening()), 0) == 0) throw;
    if (family.make == from_file && rest.size() > 1) throw;  // names file and line
    if (what.starts_with("cannot read '")) throw;
    const TopologyInfo& info = family.info;
    constexpr std::size_t short_meaning = 80;  // of longer ones an example tells more
    const std::string explained =
        info.meaning.size() <= short_meaning ? fmt::format(" ({})", info.meaning)
        : info.example.empty()
            ? "; see `lockstep list topologies`"
            : fmt::format(", such as '{}' (see `lockstep list topologies`)", info.example);
    throw invalid("'{}': {}; expected '{}'{}", text, what, info.grammar, explained);
  }
}

AnyTopology::AnyTopology(const std::string& text) : AnyTopology(make_topology(text)) {}
AnyTopology::AnyTopology(const char* text) : AnyTopology(std::string(text)) {}

const std::vector<TopologyInfo>& topology_catalog() {
  static const std::vector<TopologyInfo> all = [] {
    std::vector<TopologyInfo> infos;
    for (const Family& family : families) infos.push_back(family.info);
    return infos;
  }();
  return all;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as there are ranges in the text
std::vector<AnyTopology> expand_topologies(const std::string& text) {
  constexpr std::uint64_t most = 1000;
  constexpr std::string_view digits = "0123456789";
  const bool path = text.find("file:") != std::string::npos;  // its dots are no range
  const std::size_t dots = path ? std::string::npos : text.find("..");
  if (dots == std::string::npos) return {make_topology(text)};
  const std::string before = text.substr(0, text.substr(0, dots).find_last_not_of(digits) + 1);
  const std::size_t end = std::min(text.find_first_not_of(digits, dots + 2), text.size());
  const auto low = whole_number(text.substr(before.size(), dots - before.size()));
  const auto high = whole_number(text.substr(dots + 2, end - dots - 2));
  if (!low || !high || *low > *high || *high - *low >= most)
    throw invalid(
        "'{}' has no valid range; expected a..b with whole numbers a <= b and at most {} sizes",
        text, grouped(most));
  std::vector<AnyTopology> all;
  for (std::uint64_t size = *low; size <= *high; ++size)
    for (AnyTopology& topology :
         expand_topologies(fmt::format("{}{}{}", before, size, text.substr(end))))
      all.push_back(std::move(topology));
  return all;
}

}  // namespace lockstep
