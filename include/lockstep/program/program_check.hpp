// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Explains in one sentence why a type is not a program. Machines and run() instantiate it with the
/// program type. A member that belongs to a trait and is not listed, or has another type, is an
/// error, not a missing trait. (Overloaded and private members have no name here.)

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
concept NamesStarts = Program<P> && requires {
  &P::starts;
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
concept SaysTraits = requires {
  typename std::integral_constant<Traits, P::traits>;
};

/// A trait that is listed has its member; one that is not listed has no member of that name.
template <class P>
[[nodiscard]] constexpr bool agrees(Traits trait, bool has_member, bool names_member) noexcept {
  if constexpr (!Program<P>)
    return true;
  else
    return has_trait<P>(trait) ? has_member : !has_member && !names_member;
}

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
      !requires { P::traits; } || detail::SaysTraits<P>,
      "program: traits must be static constexpr Traits");
  static_assert(detail::agrees<P>(
                    Traits::step_count, CountedProgram<P>, requires { &P::step_count; }),
                "program: Traits::step_count and std::uint64_t step_count() const, or neither");
  static_assert(detail::agrees<P>(
                    Traits::step_all, UniformProgram<P>, requires { &P::step_all; }),
                "program: Traits::step_all and void step_all(auto& group) const of a dense "
                "program, or neither");
  static_assert(detail::agrees<P>(
                    Traits::gather_list, GatheringProgram<P>, requires { &P::gather_list; }),
                "program: Traits::gather_list and std::span<const std::uint32_t> "
                "gather_list(GatherList) const, with slots that the program keeps, or neither");
  static_assert(detail::agrees<P>(
                    Traits::control_regions, ControlProgram<P>, requires { &P::control_regions; }),
                "program: Traits::control_regions and std::vector<Region> control_regions() const, "
                "or neither");
  static_assert(
      detail::agrees<P>(
          Traits::blocks_of, UnevenProgram<P>, requires { &P::blocks_of; }),
      "program: Traits::blocks_of and std::uint32_t blocks_of(NodeId, Region) const, or neither");
  static_assert(detail::agrees<P>(
                    Traits::routes, RoutingProgram<P>, requires { &P::routes; }),
                "program: Traits::routes and const Routes& routes() const, or neither");
  static_assert(detail::agrees<P>(
                    Traits::starts_in,
                    CalendarProgram<P>&& detail::IsSparse<P> && !ReceiveOnceProgram<P>,
                    requires { &P::starts_in; }),
                "program: Traits::starts_in and std::span<const std::uint32_t> "
                "starts_in(std::uint64_t step) const and std::uint64_t last_start() const of a "
                "sparse program without receives_once, or neither");
  static_assert(detail::agrees<P>(
                    Traits::phases, PhasedProgram<P>, requires { &P::phases; }),
                "program: Traits::phases and std::vector<Phase> phases() const, or neither");
  static_assert(
      !detail::NamesCompiledChannels<P> || detail::SaysCompiledChannels<P>,
      "program: static constexpr CompiledChannels compiled_channels = CompiledChannels::every");
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
