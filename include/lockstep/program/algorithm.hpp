// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What an algorithm says of itself before it runs: who it is, what it claims to cost, what it
/// takes.
///
/// An algorithm of the catalogue is a class A with
///     using TopologyType = StarGraph;               the network it is written for
///     static constexpr AlgorithmInfo info{...};
///     A(const TopologyType&, const AlgorithmParameters&);   cheap; throws InvalidParameter
///     Promise promise() const;                      closed forms, no plan is built
///     Footprint footprint() const;                  closed forms, no plan is built
///     auto program() const;                         the Program; may take time and memory
/// and is checked by the concept Algorithm below.

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/collective/collective.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/program/queue_discipline.hpp"

namespace lockstep {

struct AlgorithmInfo {
  std::string_view name;     ///< on the command line: "packing"
  Operation operation;       ///< what it carries out
  PortModel model;           ///< the weakest port model it needs
  std::string_view source;   ///< paper and section
  std::string_view summary;  ///< one line for `lockstep list`
  bool packs = false;        ///< takes packing factors (--k)
  bool batches = false;      ///< takes a batch (--batch)
  bool unbuffered = false;   ///< claims that no message waits on its way: the machine measures it
  bool queues = false;       ///< takes a queue discipline (--discipline)
  /// It runs a user's plan, read from a file that this option names: "--schedule". Empty: its own.
  std::string_view plan_option{};
  bool plan_built_in = false;  ///< has a plan of its own where no file is given
};

struct AlgorithmParameters {
  std::vector<std::size_t> k{};  ///< packing factors, strictly decreasing; empty: the default
  std::uint64_t batch = 1;       ///< packets redistributed together; 1: none
  NodeId root{};                 ///< of broadcast, scatter, gather
  QueueDiscipline discipline = QueueDiscipline::fifo;  ///< which waiting block leaves next
  std::string plan_file{};                             ///< a user's plan; empty: the built-in one
};

/// Predicted cost: coefficients of t_s and t_m, in blocks of the machine. Exact; tests hold the
/// machine's counts against them.
struct Promise {
  std::uint64_t startups = 0;
  std::uint64_t message_times = 0;

  friend bool operator==(const Promise&, const Promise&) = default;
};

/// What a run will take and do, before anything is built.
struct Footprint {
  std::uint64_t steps = 0;
  std::uint64_t hops = 0;                  ///< messages that will cross a link; 0: not known
  std::uint64_t blocks_per_processor = 0;  ///< memory of a processor, in blocks of the machine
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

template <class A>
concept Algorithm = requires(const A& algorithm, const typename A::TopologyType& topology,
                             const AlgorithmParameters& parameters) {
  { A::info } -> std::convertible_to<AlgorithmInfo>;
  A(topology, parameters);
  { algorithm.promise() } -> std::same_as<std::optional<Promise>>;
  { algorithm.footprint() } -> std::same_as<Footprint>;
  { algorithm.program() } -> Program;
};

}  // namespace lockstep
