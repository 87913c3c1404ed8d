// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The networks that an algorithm supports, as data: alternatives of a shape and limits. Whether a
/// network is supported, what users read, and why a network is refused follow from it. Named shapes
/// and quantities: topology/network_shapes.hpp.
///
///     const SupportedNetworks groups =
///         shapes::cayley_graph.up_to_nodes(1'024).with(at_most(quantities::ports, 64));
///     groups.text();       // "any Cayley graph of up to 1,024 nodes with up to 64 ports"
///     groups.admits(AnyTopology("star:7"));        // false
///     groups.reason_against(AnyTopology("star:7"));
///                       // "supports Cayley graphs of up to 1,024 nodes; star:7 has 5,040 nodes"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// A number of a network that has limits.
struct NetworkQuantity {
  enum class Kind : std::uint8_t {
    count,   ///< "up to 64 ports"
    each,    ///< "sides of up to 64"
    formula  ///< "processors x nodes <= 64"
  };
  std::string_view name;  ///< "port", "side", "processors x nodes"
  Kind kind = Kind::count;
  std::string_view unit{};       ///< behind the number: " in the plan"
  std::string_view exception{};  ///< behind a limit: " (not counting linear arrays)"
  /// Empty if it exceeds 64 bits. Null if only the plan shows it: then the planner checks the
  /// limit.
  std::optional<std::uint64_t> (*of)(const ErasedTopology& network) = nullptr;
};

/// A bound of a quantity; the quantity has static storage.
struct NetworkLimit {
  enum class Kind : std::uint8_t { at_most, at_least, even, odd };

  const NetworkQuantity* quantity;
  Kind kind;
  std::uint64_t bound = 0;  ///< not of even and odd

  /// Whether the network is within the limit, as far as this is known without a plan.
  [[nodiscard]] bool holds(const ErasedTopology& network) const;
};
[[nodiscard]] constexpr NetworkLimit at_most(const NetworkQuantity& quantity, std::uint64_t bound) {
  return {&quantity, NetworkLimit::Kind::at_most, bound};
}
[[nodiscard]] constexpr NetworkLimit at_least(const NetworkQuantity& quantity,
                                              std::uint64_t bound) {
  return {&quantity, NetworkLimit::Kind::at_least, bound};
}
[[nodiscard]] constexpr NetworkLimit even(const NetworkQuantity& quantity) {
  return {&quantity, NetworkLimit::Kind::even};
}
[[nodiscard]] constexpr NetworkLimit odd(const NetworkQuantity& quantity) {
  return {&quantity, NetworkLimit::Kind::odd};
}

class SupportedNetworks;

/// A kind of networks, with static storage.
struct NetworkShape {
  std::string_view text;    ///< "any Cayley graph", or names as users write them: "torus, ring"
  std::string_view plural;  ///< "Cayley graphs"
  /// Behind the number of nodes: " whose node i is linked to node i + 1".
  std::string_view clause{};
  std::string_view adjective{};  ///< where another shape gives the noun: "bipartite"
  bool (*is)(const ErasedTopology& network) = nullptr;  ///< null: every network is
  /// Takes a search: is() is called only for networks within the limits.
  bool searched = false;
  bool general = false;                 ///< of no family
  const NetworkShape* wider = nullptr;  ///< a shape of all these networks
  const NetworkLimit* limit = nullptr;  ///< beyond which it is not recognized
  std::string_view family{};  ///< a heading of tables: "products"; empty: that of the wider shape

  [[nodiscard]] bool holds(const ErasedTopology& network) const {
    return is == nullptr || is(network);
  }
  [[nodiscard]] SupportedNetworks up_to_nodes(std::uint64_t nodes) const;
  [[nodiscard]] SupportedNetworks with(NetworkLimit limit) const;
  [[nodiscard]] SupportedNetworks or_else(const SupportedNetworks& others) const;
};

class SupportedNetworks {
 public:
  SupportedNetworks() = default;  ///< none
  /// All networks of a shape. Implicit: most algorithms have no limits.
  SupportedNetworks(const NetworkShape& shape);  // NOLINT(google-explicit-constructor)
  /// Those for which `test` holds; `text` as users write them: "hypercube".
  SupportedNetworks(std::string_view text, std::function<bool(const ErasedTopology&)> test);

  /// Those of these networks that are within the limit. Of two limits of one quantity the tighter
  /// one is kept.
  [[nodiscard]] SupportedNetworks with(NetworkLimit limit) const;
  [[nodiscard]] SupportedNetworks up_to_nodes(std::uint64_t nodes) const;
  /// These and others.
  [[nodiscard]] SupportedNetworks or_else(const SupportedNetworks& others) const;
  /// These, and those of the same links in another numbering, of which the prime form is among
  /// these (ErasedTopology::prime_form()).
  [[nodiscard]] SupportedNetworks in_any_numbering() const;
  /// Those that both contain.
  [[nodiscard]] SupportedNetworks both(const SupportedNetworks& others) const;

  [[nodiscard]] bool empty() const noexcept { return alternatives_.empty(); }
  [[nodiscard]] bool admits(const ErasedTopology& network) const;
  /// Whether some alternative is of no family, whatever its limits.
  [[nodiscard]] bool is_general() const;
  /// "any network of up to 1,024 nodes".
  [[nodiscard]] std::string text() const;
  /// Headings of tables, without limits: "any network" if the alternatives are for all networks,
  /// else the family of each, once.
  [[nodiscard]] std::vector<std::string_view> families() const;
  /// The limit that the network exceeds, with its own figure; or the shapes, if it has none of
  /// them: "supports only star graphs". Precondition: !admits(network).
  [[nodiscard]] std::string reason_against(const ErasedTopology& network) const;

 private:
  struct Alternative {
    std::vector<NetworkShape> shapes;  // the network has all of them
    std::vector<NetworkLimit> limits{};
    std::function<bool(const ErasedTopology&)> test{};
    bool in_any_numbering = false;

    void add(const NetworkShape& shape);
    void add(NetworkLimit limit);
    /// Whether it has the shapes, as far as this is known without a search.
    [[nodiscard]] bool may_admit(const ErasedTopology& network) const;
    [[nodiscard]] bool admits(const ErasedTopology& network) const;
    [[nodiscard]] bool admits_as_numbered(const ErasedTopology& network) const;
    [[nodiscard]] const NetworkLimit* exceeded(const ErasedTopology& network) const;
    /// The text of a shape with the adjectives of the others: "any bipartite Cayley graph",
    /// "bipartite Cayley graphs".
    [[nodiscard]] std::string with_adjectives(std::string_view shape) const;
    /// " of up to 512 nodes whose node i is linked to node i + 1 and with up to 4 ports".
    [[nodiscard]] std::string behind_shape(const std::vector<NetworkLimit>& some_limits) const;
  };

  std::vector<Alternative> alternatives_;
};

}  // namespace lockstep
