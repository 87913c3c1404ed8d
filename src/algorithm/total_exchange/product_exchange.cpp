// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/product_exchange.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/total_exchange/factor_exchange.hpp"
#include "algorithm/total_exchange/product_rounds.hpp"
#include "lockstep/core/mixed_radix.hpp"
#include "lockstep/topology/any_cayley.hpp"

namespace lockstep {
namespace {

/// One hop in a slot of a factor.
struct SlotHop {
  std::uint32_t step;
  std::uint32_t to;
};

/// A dimension: the slots of its exchange by source and offset. In a Cayley graph an offset is a
/// relative address, else a difference of numbers.
class Dimension {
 public:
  Dimension(const ErasedTopology& network, Ports ports)
      : group_(network.cayley()), exchange_(exchange_of(network, ports)) {}

  [[nodiscard]] std::uint64_t size() const { return exchange_.nodes(); }
  [[nodiscard]] std::uint64_t steps() const { return exchange_.steps; }
  [[nodiscard]] const Transfers& exchange() const { return exchange_; }
  [[nodiscard]] bool by_node() const { return exchange_.by_node() || !group_; }
  /// Hops of all sources.
  [[nodiscard]] std::uint64_t hops() const {
    return exchange_.list.size() * (size() / exchange_.representatives.size());
  }

  [[nodiscard]] std::uint64_t target(std::uint64_t source, std::uint64_t offset) const {
    if (by_node()) return (source + offset) % size();
    return index(group_->product(NodeId{source}, NodeId{offset}));
  }

  void tabulate(const std::set<std::uint64_t>& sources) {
    slots_.resize(size() * size());
    for (const std::uint64_t source : sources) {
      const std::uint32_t like = exchange_.representatives[exchange_.class_of[source]];
      for (const Transfer& hop : exchange_.list)
        if (hop.source == like)
          slots_[source * size() + offset(like, hop.destination)].push_back(
              {hop.step, moved(like, source, hop.to)});
    }
  }
  [[nodiscard]] const std::vector<SlotHop>& slots(std::uint64_t source,
                                                  std::uint64_t offset) const {
    return slots_[source * size() + offset];
  }

 private:
  [[nodiscard]] std::uint64_t offset(std::uint32_t source, std::uint32_t destination) const {
    if (by_node()) return (destination + size() - source) % size();
    return index(group_->product(group_->inverse(NodeId{source}), NodeId{destination}));
  }
  /// By the translation that leads from one node to the other.
  [[nodiscard]] std::uint32_t moved(std::uint64_t from, std::uint64_t to,
                                    std::uint32_t node) const {
    if (from == to) return node;
    const NodeId shift = group_->product(NodeId{to}, group_->inverse(NodeId{from}));
    return static_cast<std::uint32_t>(index(group_->product(shift, NodeId{node})));
  }

  std::optional<AnyCayley> group_;
  Transfers exchange_;
  std::vector<std::vector<SlotHop>> slots_;
};

using Numbers = std::vector<std::uint64_t>;

/// Numbers with a digit for each dimension: its nodes, and the offset between them.
struct ProductBlock {
  std::uint64_t source;
  std::uint64_t destination;
  std::uint64_t offsets;
};

/// Those of more than one node.
[[nodiscard]] std::vector<Dimension> dimensions_of(const std::vector<ErasedTopology>& factors,
                                                   Ports ports) {
  std::vector<Dimension> dimensions;
  for (const ErasedTopology& factor : factors)
    if (factor.node_count() > 1) dimensions.emplace_back(factor, ports);
  return dimensions;
}

[[nodiscard]] MixedRadix radix_of(const std::vector<Dimension>& dimensions) {
  Numbers sizes(dimensions.size());
  std::ranges::transform(dimensions, sizes.begin(), &Dimension::size);
  return MixedRadix(sizes);
}

/// The dimensions of a product, and the blocks that travel through them.
class Product {
 public:
  Product(const ErasedTopology& network, const std::vector<ErasedTopology>& factors, Ports ports)
      : dimensions_(dimensions_of(factors, ports)),
        radix_(radix_of(dimensions_)),
        by_node_(!network.symmetric() || std::ranges::any_of(dimensions_, &Dimension::by_node)) {
    set_classes();
    check_hops(network.name());
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
      std::set<std::uint64_t> sources;
      for (const std::uint32_t u : exchange_.representatives) sources.insert(radix_.digit(u, i));
      dimensions_[i].tabulate(sources);
    }
  }

  [[nodiscard]] std::size_t count() const { return dimensions_.size(); }
  [[nodiscard]] const Dimension& operator[](std::size_t i) const { return dimensions_[i]; }
  [[nodiscard]] bool by_node() const { return by_node_; }
  [[nodiscard]] const MixedRadix& radix() const { return radix_; }

  /// begins_of(block)[i]: when the block enters the slots of dimension i; none: it does not.
  [[nodiscard]] Transfers arranged(std::uint64_t steps, auto&& begins_of) {
    exchange_.steps = steps;
    Numbers from(count());
    Numbers away(count());
    for (const std::uint32_t u : exchange_.representatives) {
      for (std::size_t i = 0; i < count(); ++i) from[i] = radix_.digit(u, i);
      for (std::uint64_t offsets = 1; offsets < radix_.count(); ++offsets) {
        std::uint64_t destination = 0;
        for (std::size_t i = 0; i < count(); ++i) {
          away[i] = radix_.digit(offsets, i);
          destination += dimensions_[i].target(from[i], away[i]) * radix_.stride(i);
        }
        const ProductBlock block{u, destination, offsets};
        add(block, from, away, begins_of(block));
      }
    }
    return std::move(exchange_);
  }

 private:
  /// Classes of a product are those of its factors, combined.
  void set_classes() {
    exchange_ = by_node_ ? every_node_a_class(radix_.count()) : all_one_class(radix_.count());
    if (by_node_) return;
    std::uint64_t classes = 1;
    for (const Dimension& d : dimensions_) classes *= d.exchange().representatives.size();
    exchange_.representatives.resize(classes);
    for (std::uint64_t u = radix_.count(); u-- > 0;) {  // the first node of a class stays
      std::uint64_t of_class = 0;
      for (std::size_t i = 0; i < count(); ++i)
        of_class = of_class * dimensions_[i].exchange().representatives.size() +
                   dimensions_[i].exchange().class_of[radix_.digit(u, i)];
      exchange_.class_of[u] = static_cast<std::uint32_t>(of_class);
      exchange_.representatives[of_class] = static_cast<std::uint32_t>(u);
    }
  }

  void check_hops(const std::string& network) const {
    double hops = 0;
    for (const Dimension& d : dimensions_) {
      const auto copies = static_cast<double>(radix_.count()) / static_cast<double>(d.size());
      hops += static_cast<double>(d.hops()) * copies * copies;
    }
    hops *=
        static_cast<double>(exchange_.representatives.size()) / static_cast<double>(radix_.count());
    check_planned_transfers(network, static_cast<std::uint64_t>(hops));
  }

  /// `from`, `away`: the digits of the block's source and offsets.
  void add(const ProductBlock& block, const Numbers& from, const Numbers& away,
           const auto& begins) {
    std::vector<std::pair<std::uint64_t, std::size_t>> rides;
    for (std::size_t i = 0; i < count(); ++i) {
      const std::optional<std::uint64_t> begin = begins[i];
      if (begin && away[i] != 0) rides.emplace_back(*begin, i);
    }
    std::ranges::sort(rides);
    std::uint64_t place = block.source;
    for (const auto& [begin, i] : rides)
      for (const SlotHop& hop : dimensions_[i].slots(from[i], away[i])) {
        const std::uint64_t to =
            place + (hop.to - radix_.digit(place, i)) * radix_.stride(i);  // modulo 2^64
        exchange_.move(begin + hop.step, block.source, block.destination, place, to);
        place = to;
      }
  }

  std::vector<Dimension> dimensions_;
  MixedRadix radix_;
  bool by_node_;
  Transfers exchange_;
};

/// A2: the last dimension in n_1 .. n_(k-1) rounds, then, as often as it has nodes, all of the
/// dimensions before it in the same way.
[[nodiscard]] Transfers in_turn(Product product) {
  const std::size_t k = product.count();
  Numbers steps(k);  // of the dimensions up to i
  Numbers nodes(k + 1, 1);
  for (std::size_t i = 0; i < k; ++i) {
    nodes[i + 1] = nodes[i] * product[i].size();
    steps[i] = nodes[i] * product[i].steps() + (i == 0 ? 0 : product[i].size() * steps[i - 1]);
  }
  Numbers begins(k);
  return product.arranged(steps[k - 1], [&](const ProductBlock& block) -> const Numbers& {
    const std::uint64_t from = product.by_node() ? block.source : block.offsets;
    const std::uint64_t to = product.by_node() ? block.destination : block.offsets;
    std::uint64_t base = 0;
    for (std::size_t i = k; i-- > 0;) {
      // The round is the node of the dimensions before it for which the block is.
      const std::uint64_t round = i == 0 ? 0 : to / product.radix().stride(i - 1);
      begins[i] = base + round * product[i].steps();
      if (i > 0)
        base += nodes[i] * product[i].steps() + product.radix().digit(from, i) * steps[i - 1];
    }
    return begins;
  });
}

/// One dimension after the other, each once: a message carries the blocks of all rounds.
[[nodiscard]] Transfers bundled(Product product) {
  Numbers begins(product.count());
  std::uint64_t steps = 0;
  for (std::size_t i = 0; i < product.count(); ++i)
    begins[i] = std::exchange(steps, steps + product[i].steps());
  return product.arranged(steps, [&](const ProductBlock&) -> const Numbers& { return begins; });
}

/// A3: of two halves of M nodes each, the second takes a block that has offsets in both in round
/// (alpha - beta) mod (M - 1), the first one round later; blocks with one offset take what is left.
class Simultaneous {
 public:
  using Begins = std::vector<std::optional<std::uint64_t>>;

  Simultaneous(const Product& product, bool as_printed)
      : product_(product), as_printed_(as_printed), begins_(product.count()) {
    for (std::size_t i = 0; i < product.count(); ++i) steps_ = std::max(steps_, product[i].steps());
  }

  [[nodiscard]] std::uint64_t steps() const { return steps_of(product_.count()); }
  [[nodiscard]] const Begins& operator()(const ProductBlock& block) {
    halve(block.offsets, 0, product_.count(), 0);
    return begins_;
  }

 private:
  [[nodiscard]] std::uint64_t nodes_of(std::size_t dimensions) const {
    std::uint64_t nodes = 1;
    for (std::size_t i = 0; i < dimensions; ++i) nodes *= product_[i].size();
    return nodes;
  }
  [[nodiscard]] std::uint64_t steps_of(std::size_t dimensions) const {
    return nodes_of(dimensions - 1) * steps_;
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as dimensions can be halved
  void halve(std::uint64_t offsets, std::size_t first, std::size_t last, std::uint64_t base) {
    if (last - first == 1) {
      begins_[first] = base;
      return;
    }
    const std::size_t middle = first + (last - first) / 2;
    const std::uint64_t nodes = nodes_of(middle - first);
    const std::uint64_t round = steps_of(middle - first);
    const std::uint64_t alpha = offsets / product_.radix().stride(middle - 1) % nodes;
    const std::uint64_t beta = offsets / product_.radix().stride(last - 1) % nodes;
    const std::uint64_t second = alpha == 0  ? nodes - 1
                                 : beta == 0 ? 0
                                             : (alpha + nodes - 1 - beta) % (nodes - 1);
    const std::uint64_t in_first = beta == 0 ? 0 : second + 1;
    if (beta != 0) halve(offsets, middle, last, base + second * round);
    if (alpha != 0) halve(offsets, first, middle, base + in_first * round);
    // Line 11 of Fig. 5.5 as printed leaves out the last round.
    if (as_printed_ && last - first == product_.count() && alpha != 0 && in_first == nodes - 1)
      for (std::size_t i = first; i < middle; ++i) begins_[i] = std::nullopt;
  }

  const Product& product_;
  bool as_printed_;
  std::uint64_t steps_ = 0;
  Begins begins_;
};

[[nodiscard]] Transfers simultaneous(Product product, bool as_printed) {
  Simultaneous rule(product, as_printed);
  return product.arranged(rule.steps(), rule);
}

[[nodiscard]] Transfers by_rounds(Product product) {
  std::vector<RoundDimension> dimensions;
  for (std::size_t i = 0; i < product.count(); ++i)
    dimensions.push_back({product[i].size(), product[i].steps()});
  const RoundMap map = round_map(dimensions);
  return product.arranged(map.steps, [&](const ProductBlock& block) {
    return std::span(map.begin).subspan(block.offsets * product.count(), product.count());
  });
}

}  // namespace

// NOLINTNEXTLINE(misc-no-recursion): as deep as products of products
std::vector<ErasedTopology> prime_factors(const ErasedTopology& network) {
  std::vector<ErasedTopology> all;
  for (const ErasedTopology& factor : network.factors())
    for (ErasedTopology& prime : prime_factors(factor)) all.push_back(std::move(prime));
  if (all.empty()) all.push_back(network);
  return all;
}

/// The halves of A3: the factors as they are, or all down to the last.
std::vector<ErasedTopology> equal_factors(const ErasedTopology& network) {
  const auto equal = [](const std::vector<ErasedTopology>& factors) {
    return factors.size() >= 2 && std::has_single_bit(factors.size()) &&
           factors.front().node_count() > 1 &&
           std::ranges::all_of(factors, [&](const ErasedTopology& factor) {
             return factor.node_count() == factors.front().node_count();
           });
  };
  for (const std::vector<ErasedTopology>& factors : {network.factors(), prime_factors(network)})
    if (equal(factors)) return factors;
  return {};
}

Transfers product_exchange(const ErasedTopology& network, ProductRule rule) {
  if (rule == ProductRule::in_turn)
    return in_turn(Product(network, prime_factors(network), Ports::one));
  if (rule == ProductRule::bundled)
    return bundled(Product(network, prime_factors(network), Ports::one));
  if (rule == ProductRule::rounds)
    return by_rounds(Product(network, prime_factors(network), Ports::all));
  return simultaneous(Product(network, equal_factors(network), Ports::all),
                      rule == ProductRule::simultaneous_as_printed);
}

}  // namespace lockstep
