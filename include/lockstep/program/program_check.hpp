// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Explains in one sentence why a type is not a program. Machines and run() instantiate it with the
/// program type. A member with the name of a hook but another type is an error, not a missing
/// hook. (Overloaded and private members have no name here.)

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
concept NamesStepAll = Program<P> && requires {
  &P::step_all;
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
                "program: Memory needs a default constructor or one that takes a NodeId");
  static_assert(detail::HasActivity<P>,
                "program: activity must be static constexpr Activity, dense or sparse");
  static_assert(
      detail::HasRegions<P>,
      "program: needs std::vector<std::uint32_t> regions() const, the blocks of each region");
  static_assert(
      RuledProgram<P> || false,
      "program: needs void operator()(auto& here) const, the rule of one processor; a dense "
      "program may have step_all(auto& group) const instead");
  static_assert(
      !Program<P> || !detail::IsSparse<P> || StartingProgram<P>,
      "program: a sparse program needs std::vector<NodeId> starts() const, the first to run");
  static_assert(!detail::NamesStarts<P> || StartingProgram<P>,
                "program: starts must be std::vector<NodeId> starts() const, the first to run");
  static_assert(
      !detail::NamesStartsIn<P> ||
          (CalendarProgram<P> && detail::IsSparse<P> && !ReceiveOnceProgram<P>),
      "program: starts_in needs std::span<const std::uint32_t> starts_in(std::uint64_t step) "
      "const and std::uint64_t last_start() const, in a sparse program without receives_once");
  static_assert(!detail::NamesStepCount<P> || CountedProgram<P>,
                "program: step_count must be std::uint64_t step_count() const");
  static_assert(!detail::NamesStepAll<P> || UniformProgram<P> || detail::IsSparse<P>,
                "program: step_all must be void step_all(auto& group) const");
  static_assert(
      !detail::NamesGatherList<P> || GatheringProgram<P>,
      "program: gather_list must be std::span<const std::uint32_t> gather_list(GatherList) "
      "const, with slots that the program keeps");
  static_assert(!detail::NamesControlRegions<P> || ControlProgram<P>,
                "program: control_regions must be std::vector<Region> control_regions() const");
  static_assert(!detail::NamesRoutes<P> || RoutingProgram<P>,
                "program: routes must be const Routes& routes() const");
  static_assert(!detail::NamesBlocksOf<P> || UnevenProgram<P>,
                "program: blocks_of must be std::uint32_t blocks_of(NodeId, Region) const");
  static_assert(!detail::NamesPhases<P> || PhasedProgram<P>,
                "program: phases must be std::vector<Phase> phases() const");
  static_assert(!detail::NamesLabelled<P> || detail::SaysLabelled<P>,
                "program: labelled must be static constexpr bool");
  static_assert(!detail::NamesReadsBytes<P> || detail::SaysReadsBytes<P>,
                "program: reads_bytes must be static constexpr bool");
  static_assert(
      !detail::NamesCompiledChannels<P> || detail::SaysCompiledChannels<P>,
      "program: static constexpr CompiledChannels compiled_channels = CompiledChannels::every");
  static_assert(!detail::NamesReceivesOnce<P> || detail::SaysReceivesOnce<P>,
                "program: receives_once must be static constexpr bool");
};

/// Hooks of a program are pure (program/program.hpp). Builds with heavy checks call every hook
/// twice before the run and compare the answers.

/// Throws InvalidParameter that names the first hook whose two answers differ.
template <Program P>
void check_hooks_are_pure(const P& program, std::uint64_t nodes) {
  const auto check = [](const std::string& hook, const auto& ask) {
    if (ask() != ask())
      throw InvalidParameter("program: " + hook +
                             " gave two different answers; hooks must be pure");
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
