// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How an algorithm describes itself before it runs: name, predicted cost, resources. An algorithm
/// of the catalogue is a class
///
///     class CubeBroadcast final : public Algorithm {
///      public:
///       using TopologyType = Hypercube;                    // the network it is written for
///       static constexpr AlgorithmInfo info{...};
///       CubeBroadcast(const Hypercube&, const Settings&);  // cheap; throws InvalidParameter
///       Footprint footprint() const override;
///       auto program() const;  // the Program; may take time and memory
///     };
///
/// which the concept AlgorithmClass checks. If the cost model can select the values of parameters
/// that the settings leave open, it has
///
///       /// The candidates, with all parameters set; empty if none is open. A start-up takes the
///       /// time of `startup_blocks` blocks.
///       static std::vector<Settings> choices(const TopologyType&, const Settings&,
///                                            double startup_blocks);
///
/// and is constructed with the cheapest of these. If it does not accept all networks of its type,
/// it has
///
///       static bool admits(const TopologyType&);
///
/// If settings of the problem can be read only once, such as a file, it has
///
///       static Pattern fixed_pattern(const TopologyType&, const Settings&);
///
/// and takes that pattern after the settings, in its constructor and in choices().

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lockstep/collective/collective.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/claims.hpp"
#include "lockstep/program/cost.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/program/settings.hpp"
#include "lockstep/program/work.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {

/// One setting, as a user gives it.
struct SettingText {
  std::string_view parameter{};
  std::string_view value{};
};

/// Bytes of a block of the machine (a part), for a block of the user of `bytes` bytes.
[[nodiscard]] constexpr std::size_t bytes_of_part(std::size_t bytes,
                                                  std::uint64_t parts_per_block) noexcept {
  return bytes / parts_per_block + static_cast<std::size_t>(bytes % parts_per_block != 0);
}

/// Bytes of all parts of such a block. The last part is padded to the size of the others.
[[nodiscard]] constexpr std::size_t padded_bytes(std::size_t bytes,
                                                 std::uint64_t parts_per_block) noexcept {
  return bytes_of_part(bytes, parts_per_block) * parts_per_block;
}

/// The same cost with the padding of such blocks in its message times.
[[nodiscard]] constexpr Cost with_padding(Cost cost, std::size_t bytes,
                                          std::uint64_t parts_per_block) {
  const std::size_t padded = padded_bytes(bytes, parts_per_block);
  if (padded != bytes) cost.message_times = cost.message_times * Fraction(padded, bytes);
  return cost;
}

struct AlgorithmInfo {
  std::string_view name;    ///< on the command line: "packing"
  Operation operation;      ///< the operation it performs
  PortModel model;          ///< the weakest port model it needs
  std::string_view source;  ///< paper and section
  /// Closed forms, such as "log(2, N)" and "N*(N - 1)/2": C's operators, ^ for powers; ceil(a, b)
  /// and floor(a, b) are quotients rounded up and down, log(b, x) is rounded up; max(a, b);
  /// factorial(n). Variables:
  ///     N    processors
  ///     P    parts of a block, where their number is open
  ///     g    ports of the node with the most
  ///     D    diameter
  ///     S    sum of the distances from a node
  ///     d    dimensions of a cube or a product
  ///     n    symbols of a star graph; dimensions of an Eisenstein-Jacobi network
  ///     sides('k - 1')    the sum over all sides k of a product
  ///     h    height of a fat tree or XGFT; on its level i, the leaves below a switch N_i =
  ///          below(i), its children k_i = arity(i), k_1 + .. + k_i = arities(i), and
  ///          lanes(i) between it and a child
  /// Among fewer than two processors nothing is sent, whatever the formula. They hold on all
  /// networks; empty: there is none.
  std::string_view startups{};
  std::string_view message_times{};
  std::string_view costs{};                 ///< in words, of what has no formula
  Claims claims{};                          ///< what it needs least of, and among which schedules
  std::string_view summary;                 ///< one line for `lockstep list`
  std::span<const Parameter> parameters{};  ///< all its parameters
  bool unbuffered = false;  ///< claims that there is no queueing delay; the machine measures it
  /// A reduction that combines in any order and requires a commutative operator. Others keep the
  /// order of the processors.
  bool commutative = false;
  /// Divides blocks into a part for every processor, padded to the same size. With an operator of
  /// the user's own, block sizes have to be multiples of the number of parts.
  bool whole_parts = false;
  /// The schedule does not depend on the blocks, so that modelled time charges a start-up for every
  /// step, including idle ones.
  bool charges_idle_steps = false;
  /// Planning takes time and memory for every node and is not started if the machine would not fit.
  /// This holds for all algorithms that know a network by its neighbours only.
  bool plans_every_node = false;
  /// Made for no family of networks. This holds for all algorithms that accept any network.
  bool general = false;
  /// Plans for the prime factors of the network (ErasedTopology::prime_form()), of which d and the
  /// sides are in its formulas.
  bool in_any_numbering = false;
  /// Not tried under weaker port models than its own: whether it keeps their rules depends on
  /// parameters that predicted time selects.
  bool own_model_only = false;
  SettingText baseline{};  ///< baseline of savings (ETI), such as "k" = "1"; empty: none
  /// The name of the promised cost in reports: a closed form, or the cost of a plan or a schedule.
  std::string_view promise_name = "formula";

  [[nodiscard]] constexpr bool has_formulas() const {
    return !startups.empty() && !message_times.empty();
  }
  /// The cost that a run is charged, in blocks of `bytes` bytes: every step is a start-up, if idle
  /// steps count, and message times include the padding of parts.
  [[nodiscard]] constexpr Cost charged(Cost cost, std::uint64_t steps, std::size_t bytes,
                                       std::uint64_t parts_per_block) const {
    if (charges_idle_steps) cost.startups = steps;
    return with_padding(cost, bytes, parts_per_block);
  }
};

/// Predicted resources and counts of a run, before anything is built.
struct Footprint {
  std::uint64_t steps = 0;
  std::uint64_t hops = 0;                  ///< predicted messages sent; 0: not known
  std::uint64_t blocks_per_processor = 0;  ///< memory of a processor, in blocks of the machine
  std::uint64_t blocks_of_all = 0;         ///< memory of all nodes, if it differs; 0: equal for all
  std::uint64_t plan_bytes = 0;            ///< memory of the plan all processors share
  /// An algorithm may divide every block of the user into equal parts that travel separately. The
  /// machine then treats and counts a part as a block. The parts of a block are contiguous when it
  /// is loaded or delivered; the last one may be padded.
  std::uint64_t parts_per_block = 1;
  /// Blocks of the user that an incomplete algorithm delivers; 0: all.
  std::uint64_t deliveries = 0;
  std::optional<PlannedWork> work{};  ///< counted in the plan, where the algorithm keeps one
};

/// Settings that are worth running side by side.
struct Variants {
  std::vector<Settings> all;                       ///< every one of these
  std::vector<std::vector<Settings>> cheapest_of;  ///< of each list those predicted to be cheapest
};

/// An algorithm for one network with all settings. Functions that are not pure virtual are
/// optional.
class Algorithm {
 public:
  Algorithm() = default;
  virtual ~Algorithm() = default;

  /// The exact predicted cost, which tests compare with the counts, unless it is that of the
  /// formulas; empty: no other is known.
  [[nodiscard]] virtual std::optional<Cost> promise() const { return std::nullopt; }
  /// From a closed form, or from a plan that is kept for program().
  [[nodiscard]] virtual Footprint footprint() const = 0;

  /// Footprint::parts_per_block and Footprint::steps, for rankings, which need nothing else of the
  /// footprint.
  [[nodiscard]] virtual std::uint64_t parts_per_block() const {
    return footprint().parts_per_block;
  }
  [[nodiscard]] virtual std::uint64_t steps() const { return footprint().steps; }
  /// Blocks and their sources, if the settings define them (many-to-all); empty: the operation
  /// does.
  [[nodiscard]] virtual Pattern pattern() const { return {}; }
  /// The port model of the plan that it read; empty: AlgorithmInfo::model.
  [[nodiscard]] virtual std::optional<PortModel> port_model() const { return std::nullopt; }
  /// Whether a run keeps the rules of this port model, where the plan says so without a run.
  [[nodiscard]] virtual std::optional<bool> keeps(const PortModel& /*model*/) const {
    return std::nullopt;
  }
  /// The values that it selected for parameters left open.
  [[nodiscard]] virtual Settings chosen() const { return {}; }
  /// The variants that `compare` runs; empty: one for every word of its word parameters.
  [[nodiscard]] virtual std::optional<Variants> variants() const { return std::nullopt; }
  /// Blocks that wait in a processor before the first step, if the longest queue is reported.
  [[nodiscard]] virtual std::optional<std::uint64_t> own_blocks() const { return std::nullopt; }
  /// Peak memory of planning, if it exceeds the memory of the plan.
  [[nodiscard]] virtual std::uint64_t planning_bytes() const { return 0; }
  /// The levels of switches that it uses; empty: all.
  [[nodiscard]] virtual std::vector<Level> levels() const { return {}; }
  /// The place of a node's actions in the user's file, "FILE:14"; empty if there is no file.
  [[nodiscard]] virtual std::string place_of(std::uint64_t /*step*/, NodeId /*node*/) const {
    return {};
  }

 protected:
  Algorithm(const Algorithm&) = default;
  Algorithm(Algorithm&&) = default;
  Algorithm& operator=(const Algorithm&) = default;
  Algorithm& operator=(Algorithm&&) = default;
};

/// Has a pattern that is read before parameters are selected.
template <class A>
concept PatternedAlgorithm = requires(const typename A::TopologyType& topology,
                                      const Settings& settings, const Pattern& fixed) {
  { A::fixed_pattern(topology, settings) } -> std::same_as<Pattern>;
  A(topology, settings, fixed);
};

/// Lets the cost model select the parameters that a user leaves open.
template <class A>
concept OpenAlgorithm = requires(const typename A::TopologyType& topology, const Settings& settings,
                                 const Pattern& fixed, double startup_blocks) {
  { A::choices(topology, settings, startup_blocks) } -> std::same_as<std::vector<Settings>>;
}
|| requires(const typename A::TopologyType& topology, const Settings& settings,
            const Pattern& fixed, double startup_blocks) {
  { A::choices(topology, settings, fixed, startup_blocks) } -> std::same_as<std::vector<Settings>>;
};

/// Whether it is a program, or a std::variant of programs: which of them, the algorithm knows once
/// it is constructed.
template <class P>
inline constexpr bool is_program_or_choice = Program<P>;
template <class... Programs>
inline constexpr bool is_program_or_choice<std::variant<Programs...>> = (Program<Programs> && ...);

template <class A>
concept AlgorithmClass = std::derived_from<A, Algorithm> &&
    requires(const A& algorithm, const typename A::TopologyType& topology,
             const Settings& settings) {
  { A::info } -> std::convertible_to<AlgorithmInfo>;
  requires PatternedAlgorithm<A> || std::constructible_from<A, decltype(topology), const Settings&>;
  requires is_program_or_choice<decltype(algorithm.program())>;
};

/// KeptPlan: the plan that a footprint had to build, kept for the program that needs it.
///
/// A member of an algorithm, used by one thread. `build()` returns a Plan that depends only on the
/// algorithm.
template <class Plan>
class KeptPlan {
 public:
  /// Built on first use.
  template <class Build>
  [[nodiscard]] const Plan& look(Build build) const {
    if (!plan_) plan_.emplace(build());
    return *plan_;
  }
  /// Moves the plan out; the next use builds it again.
  template <class Build>
  [[nodiscard]] Plan take(Build build) const {
    if (!plan_) return build();
    return *std::exchange(plan_, std::nullopt);
  }

 private:
  mutable std::optional<Plan> plan_;
};

}  // namespace lockstep
