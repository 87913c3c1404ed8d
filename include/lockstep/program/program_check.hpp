// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Explains in one sentence why a type is not a program. Machines and run() instantiate it with the
/// program type. A member that belongs to a trait and is not listed, or has another type, is an
/// error, not a missing trait. (Overloaded and private members have no name here.)

#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/program/program.hpp"

namespace lockstep {

namespace detail {

template <class P>
concept HasMemory = std::default_initializable<typename P::Memory> ||
    std::constructible_from<typename P::Memory, NodeId>;
// Static first: one compiler takes a member of objects for a hard error, not for an unmet concept.
template <class P>
concept HasActivity = std::is_pointer_v<decltype(&P::activity)> && requires {
  typename std::integral_constant<Activity, P::activity>;
};
template <class P>
concept HasRegions = requires(const P& program) {
  { program.regions() } -> std::convertible_to<std::vector<std::uint32_t>>;
};
template <class P>
concept SaysTraits = std::is_pointer_v<decltype(&P::traits)> && requires {
  typename std::integral_constant<Traits, P::traits>;
};
template <class P>
concept SaysCompiledChannels = std::is_pointer_v<decltype(&P::compiled_channels)> && requires {
  typename std::integral_constant<CompiledChannels, P::compiled_channels>;
};

enum class Mistake { none, memory, activity, regions, rule, traits, starts, channels };

/// The first one, but for those about a trait.
template <class P>
[[nodiscard]] constexpr Mistake mistake_in() noexcept {
  if constexpr (!HasMemory<P>) return Mistake::memory;
  if constexpr (!HasActivity<P>) return Mistake::activity;
  if constexpr (!HasRegions<P>) return Mistake::regions;
  if constexpr (!RuledProgram<P>) return Mistake::rule;
  if constexpr (requires { P::traits; } && !SaysTraits<P>) return Mistake::traits;
  if constexpr (HasActivity<P>)
    if ((P::activity == Activity::sparse || requires { &P::starts; }) && !StartingProgram<P>)
      return Mistake::starts;
  if (requires { &P::compiled_channels; } && !SaysCompiledChannels<P>) return Mistake::channels;
  return Mistake::none;
}

// Version 14 of clang-format takes `requires` in a list for the end of the function.
// clang-format off
/// The first trait that is listed without its member, or not listed although there is a member of
/// that name.
template <class P>
[[nodiscard]] constexpr Traits mistaken_trait() noexcept {
  if constexpr (mistake_in<P>() == Mistake::none) {
    const bool fits[] = {
        CountedProgram<P>, UniformProgram<P>, GatheringProgram<P>, ControlProgram<P>,
        UnevenProgram<P>, RoutingProgram<P>,
        CalendarProgram<P> && P::activity == Activity::sparse && !ReceiveOnceProgram<P>,
        PhasedProgram<P>};
    const bool named[] = {
        requires { &P::step_count; }, requires { &P::step_all; }, requires { &P::gather_list; },
        requires { &P::control_regions; }, requires { &P::blocks_of; }, requires { &P::routes; },
        requires { &P::starts_in; }, requires { &P::phases; }};
    for (unsigned i = 0; i < std::size(fits); ++i) {
      const auto trait = static_cast<Traits>(1U << i);
      if (has_trait<P>(trait) ? !fits[i] : fits[i] || named[i]) return trait;
    }
  }
  return Traits::none;
}
// clang-format on

}  // namespace detail

template <class P>
struct ProgramCheck {
 private:
  using Mistake = detail::Mistake;
  static constexpr Mistake first = detail::mistake_in<P>();
  static constexpr Traits trait = detail::mistaken_trait<P>();

 public:
  static constexpr bool passed = first == Mistake::none && trait == Traits::none;
  static_assert(first != Mistake::memory,
                "program: Memory needs a default constructor or one that takes a NodeId");
  static_assert(first != Mistake::activity,
                "program: activity must be static constexpr Activity, dense or sparse");
  static_assert(
      first != Mistake::regions,
      "program: needs std::vector<std::uint32_t> regions() const, the blocks of each region");
  static_assert(first != Mistake::rule,
                "program: needs void operator()(auto& here) const, the rule of one processor; a "
                "dense program may have step_all(auto& group) const instead");
  static_assert(first != Mistake::traits, "program: traits must be static constexpr Traits");
  static_assert(
      first != Mistake::starts,
      "program: a sparse program needs std::vector<NodeId> starts() const, the first to run");
  static_assert(trait != Traits::step_count,
                "program: Traits::step_count and std::uint64_t step_count() const, or neither");
  static_assert(trait != Traits::step_all,
                "program: Traits::step_all and void step_all(auto& group) const of a dense "
                "program, or neither");
  static_assert(trait != Traits::gather_list,
                "program: Traits::gather_list and std::span<const std::uint32_t> "
                "gather_list(GatherList) const, with slots that the program keeps, or neither");
  static_assert(trait != Traits::control_regions,
                "program: Traits::control_regions and std::vector<Region> control_regions() const, "
                "or neither");
  static_assert(
      trait != Traits::blocks_of,
      "program: Traits::blocks_of and std::uint32_t blocks_of(NodeId, Region) const, or neither");
  static_assert(trait != Traits::routes,
                "program: Traits::routes and const Routes& routes() const, or neither");
  static_assert(trait != Traits::starts_in,
                "program: Traits::starts_in and std::span<const std::uint32_t> "
                "starts_in(std::uint64_t step) const and std::uint64_t last_start() const of a "
                "sparse program without receives_once, or neither");
  static_assert(trait != Traits::phases,
                "program: Traits::phases and std::vector<Phase> phases() const, or neither");
  static_assert(
      first != Mistake::channels,
      "program: static constexpr CompiledChannels compiled_channels = CompiledChannels::every");
};

/// Hooks of a program are pure (program/program.hpp). Builds with heavy checks call every hook
/// twice before the run and compare the answers.
///
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
