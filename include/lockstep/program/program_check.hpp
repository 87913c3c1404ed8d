// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What does not fit of a program, in a sentence: machines and run() ask where they are given its
/// type. A member that has the name of a hook and another type is an error, not a program without
/// the hook. (Overloaded and private members have no name here.)

#include <cstdint>
#include <type_traits>

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
concept NamesAllChannels = Program<P> && requires {
  &P::all_channels;
};
template <class P>
concept SaysAllChannels = requires {
  typename std::bool_constant<P::all_channels>;
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
  static_assert(!detail::NamesAllChannels<P> || detail::SaysAllChannels<P>,
                "program: static constexpr bool all_channels = true, for any kind of channel");
  static_assert(!detail::NamesReceivesOnce<P> || detail::SaysReceivesOnce<P>,
                "program: static constexpr bool receives_once = true, where each receives once");
};

}  // namespace lockstep
