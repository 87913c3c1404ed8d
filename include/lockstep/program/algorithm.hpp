// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What an algorithm says of itself before it runs: who it is, what it claims to cost, what it
/// takes. An algorithm of the catalogue is a class
///
///     class CubeBroadcast final : public Algorithm {
///      public:
///       using TopologyType = Hypercube;                    // the network it is written for
///       static constexpr AlgorithmInfo info{...};
///       CubeBroadcast(const Hypercube&, const Settings&);  // cheap; throws InvalidParameter
///       std::optional<Cost> promise() const override;
///       Footprint footprint() const override;
///       auto program() const;  // the Program; may take time and memory
///     };
///
/// which the concept AlgorithmClass checks. Where settings may leave parameters open whose best
/// values its costs say, it has
///
///       /// What to choose from, the open parameters set; empty where none is open. A start-up
///       /// takes the time of so many blocks.
///       static std::vector<Settings> choices(const TopologyType&, const Settings&,
///                                            double startup_blocks);
///
/// and is constructed with one of these: the one promised to be the cheapest. Where some settings
/// of the problem must be looked at once, before anything is chosen (a file that is read), it has
///
///       static Pattern fixed_pattern(const TopologyType&, const Settings&);
///
/// and takes that pattern behind the settings, in its constructor and in choices().

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
#include "lockstep/program/cost.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/program/settings.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {

/// One setting, as a user gives it.
struct SettingText {
  std::string_view parameter{};
  std::string_view value{};
};

struct AlgorithmInfo {
  std::string_view name;                    ///< on the command line: "packing"
  Operation operation;                      ///< what it carries out
  PortModel model;                          ///< the weakest port model it needs
  std::string_view source;                  ///< paper and section
  std::string_view costs{};                 ///< start-ups; message times: a closed form for readers
  std::string_view summary;                 ///< one line for `lockstep list`
  std::span<const Parameter> parameters{};  ///< all that it takes
  bool unbuffered = false;  ///< claims that no message waits on its way: the machine measures it
  /// Of a reduction: it combines in any order, so that the operation has to be commutative.
  /// Otherwise it keeps the order of the processors.
  bool commutative = false;
  /// Takes only blocks that its parts divide (Footprint::parts_per_block): none is filled up.
  bool whole_parts = false;
  /// Nobody knows beforehand what there is to send: every step of the schedule takes the time of a
  /// start-up, also those in which nothing happens to move.
  bool charges_idle_steps = false;
  /// Planning alone takes time and memory for every node: not begun where the machine would not
  /// fit. So it is with all that know a network by its neighbours only.
  bool plans_every_node = false;
  SettingText baseline{};  ///< what savings (ETI) are told against: "k" = "1"; empty: nothing

  /// What the time of a run is told of: its cost, counted or promised, and its steps.
  [[nodiscard]] constexpr Cost charged(Cost cost, std::uint64_t steps) const noexcept {
    if (charges_idle_steps) cost.startups = steps;
    return cost;
  }
};

/// What a run will take and do, before anything is built.
struct Footprint {
  std::uint64_t steps = 0;
  std::uint64_t hops = 0;                  ///< messages that will cross a link; 0: not known
  std::uint64_t blocks_per_processor = 0;  ///< memory of a processor, in blocks of the machine
  std::uint64_t blocks_of_all = 0;         ///< of all nodes, where they differ; 0: as many each
  std::uint64_t plan_bytes = 0;            ///< memory of the plan all processors share
  /// An algorithm may cut every block of the user in equal parts, which travel by themselves: then
  /// a part is what the machine calls a block, in all its counts. The parts of a block lie one
  /// after the other when it is fetched or delivered; the last one may be filled up.
  std::uint64_t parts_per_block = 1;
  /// Blocks of the user that will be delivered, where an algorithm is known to leave some out; 0:
  /// all.
  std::uint64_t deliveries = 0;
};

/// Bytes of what the machine calls a block, where a block of the user has `bytes`.
[[nodiscard]] constexpr std::size_t bytes_of_part(std::size_t bytes,
                                                  std::uint64_t parts_per_block) noexcept {
  return bytes / parts_per_block + static_cast<std::size_t>(bytes % parts_per_block != 0);
}

/// Settings that are worth running side by side.
struct Variants {
  std::vector<Settings> all;                       ///< every one of these
  std::vector<std::vector<Settings>> cheapest_of;  ///< of each list those predicted to be cheapest
};

/// For one network and one choice of settings. The functions that are not pure are what only some
/// algorithms offer.
class Algorithm {
 public:
  Algorithm() = default;
  virtual ~Algorithm() = default;

  /// Predicted cost, exact: tests hold what the machine counts against it. Empty where none is
  /// known.
  [[nodiscard]] virtual std::optional<Cost> promise() const = 0;
  /// Closed form, or of a plan that is kept for program().
  [[nodiscard]] virtual Footprint footprint() const = 0;

  /// Which blocks there are and where they are made, where its settings say so (many-to-all);
  /// empty: as the operation says.
  [[nodiscard]] virtual Pattern pattern() const { return {}; }
  /// The port model of the plan that it read; empty: AlgorithmInfo::model.
  [[nodiscard]] virtual std::optional<PortModel> port_model() const { return std::nullopt; }
  /// What it chose for parameters that were left open.
  [[nodiscard]] virtual Settings chosen() const { return {}; }
  /// What `compare` runs of it; empty: every word of the parameters that are words.
  [[nodiscard]] virtual std::optional<Variants> variants() const { return std::nullopt; }
  /// Blocks that wait in a processor before the first step, where the largest queue is of interest.
  [[nodiscard]] virtual std::optional<std::uint64_t> own_blocks() const { return std::nullopt; }
  /// The most bytes held while the plan is made, where that is more than it takes later.
  [[nodiscard]] virtual std::uint64_t planning_bytes() const { return 0; }
  /// The levels of switches that it uses; none: all that there are.
  [[nodiscard]] virtual std::vector<Level> levels() const { return {}; }
  /// Where a step stands in the user's plan, "FILE:14"; empty where there is none.
  [[nodiscard]] virtual std::string place_of(std::uint64_t /*step*/) const { return {}; }

 protected:
  Algorithm(const Algorithm&) = default;
  Algorithm(Algorithm&&) = default;
  Algorithm& operator=(const Algorithm&) = default;
  Algorithm& operator=(Algorithm&&) = default;
};

/// Has a pattern that is made before anything is chosen.
template <class A>
concept PatternedAlgorithm = requires(const typename A::TopologyType& topology,
                                      const Settings& settings, const Pattern& fixed) {
  { A::fixed_pattern(topology, settings) } -> std::same_as<Pattern>;
  A(topology, settings, fixed);
};

/// Leaves to the cost model what a user leaves open.
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

/// A member of an algorithm, which one thread asks. `build()` makes a Plan; what it makes depends
/// on the algorithm alone.
template <class Plan>
class KeptPlan {
 public:
  /// Built when it is first looked at.
  template <class Build>
  [[nodiscard]] const Plan& look(Build build) const {
    if (!plan_) plan_.emplace(build());
    return *plan_;
  }
  /// Handed over, not copied; built again where it is gone.
  template <class Build>
  [[nodiscard]] Plan take(Build build) const {
    if (!plan_) return build();
    return *std::exchange(plan_, std::nullopt);
  }

 private:
  mutable std::optional<Plan> plan_;
};

}  // namespace lockstep
