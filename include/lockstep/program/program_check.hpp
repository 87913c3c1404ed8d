// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What does not fit of a program, in a sentence: machines and run() ask where they are given its
/// type. A member that has the name of a hook and another type is an error, not a program without
/// the hook. (Overloaded and private members have no name here.)

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/program/program.hpp"

namespace lockstep {

namespace detail {

template <class P>
concept HasActivity = requires {
  typename std::integral_constant<Activity, P::activity>;
};
template <class P>
concept IsSparse = HasActivity<P> && P::activity == Activity::sparse;
template <class P>
concept HasRegions = requires(const P& program) {
  { program.regions() } -> std::convertible_to<std::vector<std::uint32_t>>;
};
template <class P>
concept NamesStartsIn = Program<P> && requires {
  &P::starts_in;
};
template <class P>
concept NamesStarts = Program<P> && requires {
  &P::starts;
};
template <class P>
concept NamesStepCount = Program<P> && requires {
  &P::step_count;
};
template <class P>
concept NamesTogether = Program<P> && requires {
  &P::together;
};
template <class P>
concept NamesGatherList = Program<P> && requires {
  &P::gather_list;
};
template <class P>
concept NamesControlRegions = Program<P> && requires {
  &P::control_regions;
};
template <class P>
concept NamesRoutes = Program<P> && requires {
  &P::routes;
};
template <class P>
concept NamesBlocksOf = Program<P> && requires {
  &P::blocks_of;
};
template <class P>
concept NamesPhases = Program<P> && requires {
  &P::phases;
};
template <class P>
concept NamesLabelled = Program<P> && requires {
  &P::labelled;
};
template <class P>
concept SaysLabelled = requires {
  typename std::bool_constant<P::labelled>;
};
template <class P>
concept NamesReadsBytes = Program<P> && requires {
  &P::reads_bytes;
};
template <class P>
concept SaysReadsBytes = requires {
  typename std::bool_constant<P::reads_bytes>;
};
template <class P>
concept NamesCompiledChannels = Program<P> && requires {
  &P::compiled_channels;
};
template <class P>
concept SaysCompiledChannels = requires {
  typename std::integral_constant<CompiledChannels, P::compiled_channels>;
};
template <class P>
concept NamesReceivesOnce = Program<P> && requires {
  &P::receives_once;
};
template <class P>
concept SaysReceivesOnce = requires {
  typename std::bool_constant<P::receives_once>;
};

}  // namespace detail

template <class P>
struct ProgramCheck {
  static_assert(std::default_initializable<typename P::Memory> ||
                    std::constructible_from<typename P::Memory, NodeId>,
                "program: Memory, the variables of a processor, has a default constructor, or one "
                "that takes its NodeId");
  static_assert(detail::HasActivity<P>,
                "program: static constexpr Activity activity = Activity::dense, or sparse");
  static_assert(detail::HasRegions<P>,
                "program: std::vector<std::uint32_t> regions() const, the blocks of each region");
  static_assert(RuledProgram<P> || false,
                "program: void operator()(auto& here) const, the rule of one processor; or, of a "
                "dense program, together(auto& group) const");
  static_assert(!Program<P> || !detail::IsSparse<P> || StartingProgram<P>,
                "program: a sparse one has std::vector<NodeId> starts() const, who runs in step 0");
  static_assert(!detail::NamesStarts<P> || StartingProgram<P>,
                "program: std::vector<NodeId> starts() const, who runs in step 0");
  static_assert(!detail::NamesStartsIn<P> ||
                    (CalendarProgram<P> && detail::IsSparse<P> && !SingleReceptionProgram<P>),
                "program: std::span<const std::uint32_t> starts_in(std::uint64_t step) const and "
                "std::uint64_t last_start() const, of a sparse one that does not receive once");
  static_assert(!detail::NamesStepCount<P> || CountedProgram<P>,
                "program: std::uint64_t step_count() const, the number of steps");
  static_assert(!detail::NamesTogether<P> || GroupedProgram<P> || detail::IsSparse<P>,
                "program: void together(auto& group) const, the rule of many processors");
  static_assert(!detail::NamesGatherList<P> || GatheringProgram<P>,
                "program: std::span<const std::uint32_t> gather_list(GatherList) const, of slots "
                "that the program keeps");
  static_assert(!detail::NamesControlRegions<P> || ControlProgram<P>,
                "program: std::vector<Region> control_regions() const, those of control words");
  static_assert(!detail::NamesRoutes<P> || RoutingProgram<P>,
                "program: const Routes& routes() const, that the program keeps");
  static_assert(!detail::NamesBlocksOf<P> || UnevenProgram<P>,
                "program: std::uint32_t blocks_of(NodeId, Region) const, of a node's own region");
  static_assert(!detail::NamesPhases<P> || PhasedProgram<P>,
                "program: std::vector<Phase> phases() const");
  static_assert(!detail::NamesLabelled<P> || detail::SaysLabelled<P>,
                "program: static constexpr bool labelled = true, where blocks have labels");
  static_assert(!detail::NamesReadsBytes<P> || detail::SaysReadsBytes<P>,
                "program: static constexpr bool reads_bytes = true, where it looks at blocks");
  static_assert(
      !detail::NamesCompiledChannels<P> || detail::SaysCompiledChannels<P>,
      "program: static constexpr CompiledChannels compiled_channels = CompiledChannels::every");
  static_assert(!detail::NamesReceivesOnce<P> || detail::SaysReceivesOnce<P>,
                "program: static constexpr bool receives_once = true, where each receives once");
};

/// Hooks of a program are pure (program/program.hpp). Builds with heavy checks ask every hook twice
/// before the run and compare the answers.

/// Throws InvalidParameter that names the first hook whose two answers differ.
template <Program P>
void check_hooks_are_pure(const P& program, std::uint64_t nodes) {
  const auto check = [](const std::string& hook, const auto& ask) {
    if (ask() != ask())
      throw InvalidParameter("program: " + hook + " gave two different answers; hooks are pure");
  };
  check("regions()", [&] { return std::vector<std::uint32_t>(program.regions()); });
  if constexpr (CountedProgram<P>) check("step_count()", [&] { return program.step_count(); });
  if constexpr (ControlProgram<P>)
    check("control_regions()", [&] { return std::vector<Region>(program.control_regions()); });
  if constexpr (StartingProgram<P>)
    check("starts()", [&] { return std::vector<NodeId>(program.starts()); });
  if constexpr (CalendarProgram<P>) {
    constexpr std::uint64_t most_steps = 1000;
    check("last_start()", [&] { return program.last_start(); });
    const std::uint64_t last = std::min<std::uint64_t>(program.last_start(), most_steps);
    for (std::uint64_t step = 0; step <= last; ++step)
      check("starts_in(" + std::to_string(step) + ")", [&] {
        const auto starts = program.starts_in(step);
        return std::vector<std::uint32_t>(starts.begin(), starts.end());
      });
  }
  if constexpr (UnevenProgram<P>) {
    const std::size_t regions = program.regions().size();
    for (std::uint64_t u = 0; u < nodes; ++u)
      for (std::size_t r = 0; r < regions; ++r)
        check("blocks_of(" + std::to_string(u) + ", " + std::to_string(r) + ")",
              [&] { return program.blocks_of(NodeId{u}, static_cast<Region>(r)); });
  }
}

}  // namespace lockstep
