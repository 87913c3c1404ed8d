// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the claims, the tables, the runs and the drawing of the torus paper share.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/machine/run_record.hpp"
#include "lockstep/machine/send_event.hpp"
#include "papers/paper.hpp"

namespace lockstep::papers::torus {

/// A many-to-all on an n x n torus.
struct Broadcast {
  std::uint64_t n;
  std::uint64_t messages;
  Settings settings{};  ///< of the algorithm
  std::string placement = "perm";
  std::string algorithm = "aggregation";
};

/// Of the aggregation, its subtori h x h.
[[nodiscard]] inline Settings h_of(std::uint64_t h) { return {{"h", h}}; }
[[nodiscard]] inline std::string text(std::uint64_t number) { return std::to_string(number); }

/// "torus:25x25"
[[nodiscard]] std::string network_of(std::size_t n);
/// Blocks of one byte, one worker.
[[nodiscard]] RunRequest request_of(const Broadcast& broadcast);

/// What the machine counted of the phases whose names begin with one of these: "A1", "D3".
struct Counted {
  std::uint64_t steps = 0;
  std::uint64_t message_times = 0;
  std::uint64_t control_words = 0;
};
[[nodiscard]] Counted count_of(const RunRecord& record, std::initializer_list<std::string_view>);
/// By the machine, once: the result is kept.
[[nodiscard]] const RunResult& result_of(const Broadcast& broadcast);
[[nodiscard]] inline const RunRecord& record_of(const Broadcast& broadcast) {
  return result_of(broadcast).record;
}

/// Whether the catalogue has one of this name.
[[nodiscard]] bool has_algorithm(std::string_view name);

/// ceil(log_base x)
[[nodiscard]] constexpr std::uint64_t log_up(std::uint64_t base, std::uint64_t x) noexcept {
  std::uint64_t steps = 0;
  for (std::uint64_t reached = 1; reached < x; reached *= base) ++steps;
  return steps;
}

/// What the text states of networks, phases, lemmas and the comparison.
[[nodiscard]] PaperRows partition_claims();
[[nodiscard]] PaperRows aggregation_claims();
[[nodiscard]] PaperRows distribution_claims();
[[nodiscard]] PaperRows lemma_claims();
[[nodiscard]] PaperRows table1();
/// Ours alone: from which t_s/t_m on aggregation takes no more than spanning trees in packets, and
/// its best h; predicted as tests hold it against the machine.
[[nodiscard]] PaperRows crossovers();
[[nodiscard]] PaperRows best_subtori();

/// Of a torus of two sides, "h=5". Text: who is in which DDN, and the diagonals j - i, with lines
/// between the blocks. Drawing: the blocks, every row and column in the colour of the DDN whose
/// links they are, the nodes of the DDNs in theirs, all with the number of their diagonal. Throws
/// InvalidParameter for other forms, and more than 2,500 nodes.
[[nodiscard]] std::optional<Partition> partition_of(const AnyTopology& topology,
                                                    std::string_view how);

/// All algorithms on tori of 25 to 2,500 nodes.
[[nodiscard]] std::vector<PaperRun> runs();

}  // namespace lockstep::papers::torus
