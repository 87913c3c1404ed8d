// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A program: the step rule of one processor, the same for all.
///
/// The rule is a call operator template over the view it is handed (`here`), which offers all that
/// a processor may see and do in a step, and nothing else (design, section 3):
///
///     here.node()  here.step()  here.degree()  own address, step number, number of ports
///     here.memory()                            own variables (Program::Memory)
///     here.take(port)                          the message that arrived through `port`, if any
///     arrival.port()                           through which it came
///     here.take_first()                        the one through the lowest port that has one;
///                                              again: the one through the next such port
///     here.store(arrival, blocks)              copy it into own memory: the one copy per hop
///     here.combine(arrival, blocks)            blocks <- blocks o arrival, by the operation of the
///                                              host; Operands::arrived_first: arrival o blocks
///     here.combine(arrival, own, into)         into <- own o arrival, where `own` stays as it is
///     here.combine(left, right, into)          into <- left o right, all in own memory
///     here.copy(own, into)                     own blocks and their labels to another place
///                                              (both: program/memory_moves.hpp)
///     here.deliver(arrival, i, origin)         hand its block i to the host: that of `origin`,
///                                              which may be given as the node that made it
///     here.deliver(region, slot, origin)       the same for a block in own memory
///     here.load(region, slot, destination)     fetch the own block for `destination` from the host
///     here.load(region, slot, origin, destination)  the same for a node that makes several
///     here.send(port, blocks)                  from own memory
///     here.send(route, blocks)                 the same, over all links of a route
///                                              (RoutingProgram)
///     here.stay_active()                       sparse programs: run me in the next step as well
///
/// A program is blind to what it carries. One that declares words can read these, no more: a label
/// for every block, or regions of control words (LabelledProgram, ControlProgram):
///
///     arrival.word(i)                          that of block i of a message
///     here.word(region, slot)                  that of a slot of own memory
///     here.set_word(region, slot, word)        64 bits; they travel with the message
///
/// or the bytes of blocks (ByteReadingProgram), which it can look at and not alter:
///
///     arrival.bytes(i)                         of block i of a message
///     here.bytes(region, slot)                 of a slot of own memory
///
/// What is sent in step t is seen in step t+1; every arrival must be taken in that step. After the
/// last step the rule runs once more, to take what arrived; `here.last_call()` says so.
///
/// Own memory stays unaltered while a neighbour still reads it: what is sent in step t is read in
/// step t+1, and may be altered in step t+2. To alter it earlier is a violation (Rule::in_flight),
/// as is every slot that the processor does not have (Rule::memory); what broke a rule is not done.
/// A store, combination or delivery of a message that did not arrive is counted, and then the run
/// is not ok; `if (arrival)` says whether it did.
///
/// It may name runs of its steps: program/phases.hpp. What a program has beyond rule, memory and
/// regions it lists as `traits` (Traits); a misspelt member does not compile.
///
/// A program is read-only while it runs: its members are the plan that all processors share. They
/// are pure: equal arguments, equal answers, at any time and from any worker. Answers that cannot
/// be, or that change where memory would be reached, end in InvalidParameter. What rules share by
/// other ways, a pointer or a global, is outside the proof.

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/routes.hpp"

namespace lockstep {

/// dense: every processor runs in every step. sparse: those that received something, those that
/// called stay_active(), and in step 0 those of Program::starts() (CalendarProgram: in any step).
enum class Activity : std::uint8_t { dense, sparse };

/// The Memory of a program without variables.
struct NoMemory {};

/// Features of a program beyond its rule, its memory and its regions. It lists these traits and has
/// the member for each that is a function:
///
///     static constexpr Traits traits = Traits::step_count | Traits::labels;
///
/// A trait without its member, or a member without its trait, is an error where the program is run
/// (program_check.hpp), so that a misspelt member is not ignored.
enum class Traits : std::uint16_t {
  none = 0,
  step_count = 1U << 0U,       ///< step_count(): CountedProgram
  step_all = 1U << 1U,         ///< step_all(group): UniformProgram
  gather_list = 1U << 2U,      ///< gather_list(list): GatheringProgram
  control_regions = 1U << 3U,  ///< control_regions(): ControlProgram
  blocks_of = 1U << 4U,        ///< blocks_of(node, region): UnevenProgram
  routes = 1U << 5U,           ///< routes(): RoutingProgram
  starts_in = 1U << 6U,        ///< starts_in(step) and last_start(): CalendarProgram
  phases = 1U << 7U,           ///< phases(): PhasedProgram
  labels = 1U << 8U,           ///< blocks have labels: LabelledProgram
  reads_bytes = 1U << 9U,      ///< the rule reads bytes of blocks: ByteReadingProgram
  receives_once = 1U << 10U    ///< a processor receives one message: ReceiveOnceProgram
};

[[nodiscard]] constexpr Traits operator|(Traits a, Traits b) noexcept {
  return static_cast<Traits>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

/// Whether the program lists the trait.
template <class P>
[[nodiscard]] constexpr bool has_trait(Traits trait) noexcept {
  if constexpr (requires { P::traits; })
    return (static_cast<unsigned>(P::traits) & static_cast<unsigned>(trait)) != 0;
  else
    return false;
}

/// Stands for what a rule is handed: taken by reference, and of a type that the rule leaves open.
struct AnyView {
  AnyView(const AnyView&) = delete;
  AnyView& operator=(const AnyView&) = delete;
};

/// It has a rule for one processor or, if dense, for many at once (UniformProgram).
template <class P>
concept RuledProgram = requires(const P& program, AnyView& here) {
  program(here);
}
|| requires(const P& program, AnyView& group) {
  program.step_all(group);
  requires P::activity == Activity::dense;
};

/// Memory holds the variables of one processor; it is constructed from the NodeId or by default.
/// program_check.hpp explains why a type is not a program.
template <class P>
concept Program = (std::default_initializable<typename P::Memory> ||
                   std::constructible_from<typename P::Memory,
                                           NodeId>)&&RuledProgram<P>&& requires(const P& program) {
  { P::activity } -> std::convertible_to<Activity>;
  { program.regions() } -> std::convertible_to<std::vector<std::uint32_t>>;  // blocks in each
};

/// The variables of `node` at the start of a run.
template <Program P>
[[nodiscard]] typename P::Memory memory_of(NodeId node) {
  if constexpr (std::constructible_from<typename P::Memory, NodeId>)
    return typename P::Memory(node);
  else
    return typename P::Memory{};
}

/// The program knows its number of steps. Otherwise a run ends after the first step in which no
/// message was sent (dense) or no processor stays active (sparse).
template <class P>
concept CountedProgram = Program<P> && requires(const P& program) {
  { program.step_count() } -> std::integral;
};

/// At a microsecond a step, two weeks.
inline constexpr std::uint64_t max_steps_of_a_program = std::uint64_t{1} << 40U;

/// Converts `steps` to a number of steps. Throws InvalidParameter if it is out of range.
template <std::integral Number>
[[nodiscard]] std::uint64_t checked_steps(const char* hook, Number steps) {
  if (std::cmp_less(steps, 0) || std::cmp_greater(steps, max_steps_of_a_program))
    throw InvalidParameter("program: " + std::string(hook) + "() is " + std::to_string(steps) +
                           "; allowed: 0.." + grouped(max_steps_of_a_program));
  return static_cast<std::uint64_t>(steps);
}

/// step_count(). Throws InvalidParameter if it exceeds the limit.
template <CountedProgram P>
[[nodiscard]] std::uint64_t step_count_of(const P& program) {
  return checked_steps("step_count", program.step_count());
}

/// The rule is stated for many processors at once, for programs in which all make the same moves:
/// step_all(group) says what each of them does, action by action. The group (machine/
/// group_view.hpp; of one processor: program/group_of_one.hpp) offers what `here` offers, done by
/// each with its own messages and memory; it offers no way from one to another.
template <class P>
concept UniformProgram = Program<P> && P::activity ==
                         Activity::dense&& requires(const P& program, AnyView& group) {
  program.step_all(group);
};

/// The program sends lists of blocks, as spans of memory that it keeps.
template <class P>
concept GatheringProgram = Program<P> && requires(const P& program, GatherList list) {
  requires std::is_reference_v<decltype(program.gather_list(list))> ||
      std::same_as<decltype(program.gather_list(list)), std::span<const std::uint32_t>>;
  { program.gather_list(list) } -> std::convertible_to<std::span<const std::uint32_t>>;
};

/// Every block carries a label, a word that programs read and write and no host sees, like the
/// header of a message on a real machine. It moves with its block and counts as envelope. Blocks
/// that are divided into parts have none.
template <class P>
concept LabelledProgram = Program<P> && has_trait<P>(Traits::labels);

/// Some regions hold control words, the data of the program itself, instead of blocks. They are
/// sent and stored like blocks, counted separately, and never loaded or delivered.
template <class P>
concept ControlProgram = Program<P> && requires(const P& program) {
  { program.control_regions() } -> std::convertible_to<std::vector<Region>>;
};

/// The program reads the bytes of blocks.
template <class P>
concept ByteReadingProgram = Program<P> && has_trait<P>(Traits::reads_bytes);

/// Not blind.
template <class P>
concept ReadingProgram = LabelledProgram<P> || ControlProgram<P> || ByteReadingProgram<P>;

/// Nodes have memories of different sizes: blocks_of(node, region), at most regions()[region].
template <class P>
concept UnevenProgram = Program<P> && requires(const P& program, NodeId node, Region region) {
  { program.blocks_of(node, region) } -> std::integral;
};

/// blocks_of(node, region). Throws InvalidParameter if it exceeds `most`.
template <UnevenProgram P>
[[nodiscard]] std::uint32_t blocks_of(const P& program, NodeId node, Region region,
                                      std::uint32_t most) {
  const auto blocks = program.blocks_of(node, region);
  if (std::cmp_less(blocks, 0) || std::cmp_greater(blocks, most))
    throw InvalidParameter("program: node " + std::to_string(index(node)) + " has " +
                           std::to_string(blocks) + " blocks of region " +
                           std::to_string(index(region)) + "; allowed: up to " +
                           std::to_string(most));
  return static_cast<std::uint32_t>(blocks);
}

/// All processors make the same moves with memories of the same size, and the program is blind.
template <class P>
concept MakesSameMoves = UniformProgram<P> && !UnevenProgram<P> && !ReadingProgram<P>;

/// Sends messages over several links in one step (program/routes.hpp), under port models whose
/// switching is wormhole. An arrival says by which route it came: arrival.route(), nothing for one
/// that a neighbour sent through a port.
template <class P>
concept RoutingProgram = Program<P> && requires(const P& program) {
  { program.routes() } -> std::same_as<const Routes&>;
};

/// A sparse program names the processors that run in step 0.
template <class P>
concept StartingProgram = Program<P> && requires(const P& program) {
  { program.starts() } -> std::convertible_to<std::vector<NodeId>>;
};

/// A sparse program wakes nodes below 2^32, up to last_start(); in step 0 those of starts(), too.
template <class P>
concept CalendarProgram = StartingProgram<P> && requires(const P& program, std::uint64_t step) {
  { program.starts_in(step) } -> std::convertible_to<std::span<const std::uint32_t>>;
  { program.last_start() } -> std::convertible_to<std::uint64_t>;
};

/// The kinds of channels that packet-switched machines of a program are compiled for. Slots are the
/// fastest and always present. Each other kind takes as long to compile. Mailboxes take a fraction
/// of the memory of slots where a node has many ports and receives one message in a step; spsc is
/// the reference, for comparisons. Bits of a set.
enum class CompiledChannels : std::uint8_t { slot = 0, mailbox = 1, spsc = 2, every = 3 };

/// P::compiled_channels, where the program has it. Channels know nothing of programs, so that a few
/// types of the catalogue suffice for users to compare the kinds; tests run programs of every sort
/// on every kind (tests/property).
template <class P>
inline constexpr CompiledChannels compiled_channels_of = CompiledChannels::slot;
template <class P>
requires requires { typename std::integral_constant<CompiledChannels, P::compiled_channels>; }
inline constexpr CompiledChannels compiled_channels_of<P> = P::compiled_channels;

/// A promise: a processor receives at most one message in the whole run, of one block, and one that
/// starts receives none. Its memory is that block, which it writes when it runs for the first time,
/// before it sends; it looks for the message with take_first() only. A machine may then keep the
/// block in the receiver's memory, and nothing else but bits. A message beyond the promise breaks a
/// rule: half_duplex where it met another on its link, else receptions; a later write in_flight.
template <class P>
concept ReceiveOnceProgram = StartingProgram<P> &&
                             P::activity == Activity::sparse&& has_trait<P>(Traits::receives_once);

}  // namespace lockstep
