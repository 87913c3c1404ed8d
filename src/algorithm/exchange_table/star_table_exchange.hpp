// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange, and odd-distance exchange, in the star graph by an exchange table.
/// Model:   all-port, full-duplex; variants for single-port and half-duplex links.
/// Idea:    in step t every processor sends through the ports of the table's column t: its own
///          message where a word begins, else what it received in the step before for that word.
/// Cost:    as many start-ups and message times as the table has columns, at best ceil(D / (n-1)),
///          D the sum of the distances; single-port D; half-duplex twice as many. No message waits.
/// Source:  K. Coolsaet, V. Fack, "Optimal data exchange algorithms on star graphs", theorem 2.
/// Differs: n = 6, odd distance: 342 steps, not 250 (erratum 1; tests/papers/tables_test.cpp). The
///          tables for n = 7 and 8 and the other port models are not in the paper.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "algorithm/exchange_table/exchange_table.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "program/in_turns.hpp"

namespace lockstep {

/// Under which port model a table is carried out.
enum class TableVariant : std::uint8_t {
  all_port,           ///< column by column
  single_port,        ///< the words one after the other
  half_duplex,        ///< column by column, first the even nodes' half, then the odd ones'
  single_half_duplex  ///< word by word in the same way
};

inline constexpr std::array table_parameters{Parameter{
    .name = "table",
    .kind = Parameter::Kind::file,
    .placeholder = "FILE",
    .meaning = "Exchange table file of a star graph, used instead of the built-in table; implies "
               "--algorithm table",
    .noun = "exchange table",
    .phrase = " {}",
    .selects_algorithm = true}};

struct TableVariantInfo {
  std::string_view name;
  PortModel model;
  std::string_view costs;
  std::string_view summary;
  Claims claims{};
};
/// In the order of TableVariant.
inline constexpr std::array<TableVariantInfo, 4> table_variants{
    {{"table",
      port_models::all_port,
      "D/(n - 1) start-ups and message times, rounded up",
      "follows an exchange table: all ports at once, no queueing delay",
      {.startups = Among::one_block,
       .message_times = Among::undivided,
       .where = "with a built-in table",
       .holds = [](const ErasedTopology&,
                   const Settings& settings) { return settings.find("table") == nullptr; }}},
     {"table-single-port", port_models::single_port, "D start-ups and message times",
      "sends the words of an exchange table one after the other"},
     {"table-half-duplex", port_models::all_port_half_duplex,
      "2 D/(n - 1) start-ups and message times",
      "follows an exchange table; even and odd nodes alternate"},
     {"table-single-port-half-duplex", port_models::single_port_half_duplex,
      "2 D start-ups and message times",
      "sends the words one after the other; even and odd nodes alternate"}}};

/// The table that was given, or the one built in. Throws InvalidParameter where there is none.
[[nodiscard]] std::shared_ptr<const ExchangeTable> chosen_table(const StarGraph& star,
                                                                TableKind kind,
                                                                const Settings& settings);

/// An exchange table as the list of moves that every processor follows. A row is one place in each
/// processor's memory, of one block by turns: the block of the word that is on its way through this
/// row. Nothing travels with a message; the step and the port tell row, word and position.
/// Column t is step t. Throws InvalidParameter unless the table is a full one, without faults, for
/// this network.
[[nodiscard]] Schedule table_schedule(const StarGraph& star, const ExchangeTable& table);

/// The words of the table one after the other: one send and one reception per step.
[[nodiscard]] Schedule one_word_at_a_time(const StarGraph& star, const ExchangeTable& table);

/// At most this much memory for either plan; `in_turns`: while it is written, too.
[[nodiscard]] std::uint64_t table_schedule_bytes(const StarGraph& star, const ExchangeTable& table,
                                                 bool in_turns);

template <TableKind kind, TableVariant variant>
class StarTableExchange final : public Algorithm {
  static constexpr bool single =
      variant == TableVariant::single_port || variant == TableVariant::single_half_duplex;
  static constexpr bool turns =
      variant == TableVariant::half_duplex || variant == TableVariant::single_half_duplex;

 public:
  using TopologyType = StarGraph;
  static constexpr const TableVariantInfo& own = table_variants[static_cast<std::size_t>(variant)];
  static constexpr AlgorithmInfo info{
      .name = own.name,
      .operation = is_odd(kind) ? Operation::odd_distance_exchange : Operation::total_exchange,
      .model = own.model,
      .source = "Coolsaet, Fack, theorem 2",
      .costs = own.costs,
      .claims = own.claims,
      .summary = own.summary,
      .parameters = table_parameters,
      .unbuffered = !turns};

  /// Throws InvalidParameter where no table is built in, and for a file that holds none.
  explicit StarTableExchange(const StarGraph& star, const Settings& settings = {})
      : star_(star), table_(chosen_table(star, kind, settings)) {}

  [[nodiscard]] std::optional<Cost> promise() const override {
    const std::uint64_t steps = step_count();
    return Cost{.startups = steps, .message_times = steps};
  }
  [[nodiscard]] Footprint footprint() const override {
    const std::uint64_t rows = single ? 1 : table_->rows.size();
    return {.steps = step_count(),
            .hops = letter_count(*table_) * star_.node_count(),
            .blocks_per_processor = 2 * rows,
            .plan_bytes = table_schedule_bytes(star_, *table_, turns)};
  }
  [[nodiscard]] auto program() const {
    Schedule schedule =
        single ? one_word_at_a_time(star_, *table_) : table_schedule(star_, *table_);
    if constexpr (turns)
      return in_turns(star_, std::move(schedule));
    else
      return GroupedScheduleProgram(star_, std::move(schedule));
  }

 private:
  [[nodiscard]] std::uint64_t step_count() const {
    return (single ? letter_count(*table_) : table_->columns) * (turns ? 2 : 1);
  }

  StarGraph star_;
  std::shared_ptr<const ExchangeTable> table_;
};

}  // namespace lockstep
