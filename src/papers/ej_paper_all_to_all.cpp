// SPDX-License-Identifier: Apache-2.0

/// What the text claims of the all-to-all broadcast, and ours alone: what corrected and better ones
/// cost.

#include <fmt/format.h>

#include <array>
#include <utility>

#include "lockstep/core/fraction.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "papers/ej_paper.hpp"
#include "papers/ej_paper_rows.hpp"
#include "papers/printed_decimal.hpp"
#include "report/quantities.hpp"

namespace lockstep::ej_paper {
namespace {

using ej_costs::AllGather;

constexpr unsigned phases_not_needed = 33;
constexpr unsigned incomplete = 35;
constexpr unsigned nothing_counted = 36;
constexpr unsigned unequal_ports = 37;

/// Messages of every step of phase 1, n = 1, by port.
[[nodiscard]] ej_costs::Counts loads_of(std::size_t phase, Port port) {
  return ej_costs::link_loads(one_of_the_paper(), 1, AllGather::three_phase, phase, 1, port);
}

[[nodiscard]] std::uint64_t sum(const ej_costs::Counts& loads) {
  std::uint64_t total = 0;
  for (const std::uint64_t load : loads) total += load;
  return total;
}

/// The ports that carry anything in a phase, in the order of `ports`.
[[nodiscard]] std::string used_ports(std::size_t phase, const std::array<int, 6>& ports) {
  const EisensteinJacobi network(3, 4);
  std::string text;
  for (const int k : ports) {
    const Port through = port(static_cast<std::size_t>(k));
    if (sum(loads_of(phase, through)) != 0)
      text += (text.empty() ? "" : ", ") + network.port_label(through);
  }
  return text;
}

void add_ports(std::vector<PaperRow>& rows) {
  struct Printed {
    const char* ports;
    std::array<int, 6> order;  ///< in which the paper names them; the others behind
  };
  constexpr std::array<Printed, 3> printed{{{"+rho, +1, -rho^2", {1, 0, 5, 2, 3, 4}},
                                            {"-1, +rho^2, +rho", {3, 2, 1, 0, 4, 5}},
                                            {"-rho^2, -rho, -1", {5, 4, 3, 0, 1, 2}}}};
  for (std::size_t phase = 1; phase <= printed.size(); ++phase) {
    PaperRow row = row_of("Section 4.2", 1, fmt::format("sending ports of phase {}", phase));
    row.printed = printed.at(phase - 1).ports;
    row.ours = used_ports(phase, printed.at(phase - 1).order);
    row.agrees = row.ours == row.printed;
    rows.push_back(std::move(row));
  }
}

void add_received(std::vector<PaperRow>& rows) {
  for (std::size_t n = 1; n <= 3; ++n) {
    PaperRow row = row_of("Section 4.2", n, "messages that a node receives in three phases");
    row.printed = report::count_text(
        ej_costs::messages_received(one_of_the_paper(), n, AllGather::three_phase_complete));
    const std::uint64_t received =
        ej_costs::messages_received(one_of_the_paper(), n, AllGather::three_phase);
    row.ours = report::count_text(received);
    row.value = static_cast<double>(received);
    row.agrees = row.ours == row.printed;
    if (!row.agrees) row.erratum = incomplete;
    rows.push_back(std::move(row));
  }
}

[[nodiscard]] std::string steps_and_times(const Promise& cost, const std::string& message_times) {
  return fmt::format("{} / {}", report::count_text(cost.startups), message_times);
}

struct Line {
  AllGather algorithm;
  const char* name;
};
constexpr std::array<Line, 3> lines{{{AllGather::three_phase, "three-phase"},
                                     {AllGather::three_phase_complete, "three-phase-complete"},
                                     {AllGather::two_substep, "two-substep"}}};

/// Steps / sum of the largest loads: half-duplex links, all that wants a link in a step combined.
void add_gathers(std::vector<PaperRow>& rows, std::size_t n) {
  const auto add = [&](const char* name, std::string ours) {
    rows.push_back(row_of("not in the paper", n,
                          fmt::format("all-gather by {}: steps / message times", name)));
    rows.back().ours = std::move(ours);
  };
  const ej_costs::OneDimension one = one_of_the_paper();
  for (const Line& line : lines) {
    const Promise cost = ej_costs::all_gather(one, n, line.algorithm);
    add(line.name, steps_and_times(cost, report::count_text(cost.message_times)));
    const std::uint64_t received = ej_costs::messages_received(one, n, line.algorithm);
    const std::uint64_t wanted = ej_costs::least_all_gather_steps(one, n).single_port;
    if (received != wanted) {
      rows.back().ours += fmt::format(", {} of {} messages received", report::count_text(received),
                                      report::count_text(wanted));
      rows.back().erratum = incomplete;
    }
  }
  // For b = a + 1 all ports of a part's step are loaded alike: its two halves cost the same.
  const Promise parts = ej_costs::all_gather(one, n, AllGather::rotated_parts);
  add("rotated",
      steps_and_times({2 * parts.startups, 0}, report::count_text(2 * parts.message_times / n)));
  rows.push_back(row_of("not in the paper", n, "all-gather: least message times, half-duplex"));
  rows.back().ours = report::count_text(ej_costs::least_all_gather_steps(one, n).half_duplex);
}

void add_exchanges(std::vector<PaperRow>& rows, std::size_t n) {
  const ej_costs::LeastSteps least = ej_costs::least_total_exchange_steps(one_of_the_paper(), n);
  rows.push_back(
      row_of("not in the paper", n,
             "total exchange: least steps, single-port / all-port / all-port half-duplex"));
  rows.back().ours =
      fmt::format("{} / {} / {}", report::count_text(least.single_port),
                  report::count_text(least.full_duplex), report::count_text(least.half_duplex));
}

}  // namespace

std::vector<PaperRow> all_to_all_claims() {
  std::vector<PaperRow> rows;
  add_ports(rows);
  const ej_costs::OneDimension one = one_of_the_paper();
  const Promise three = ej_costs::all_gather(one, 1, AllGather::three_phase);
  const Promise two = ej_costs::all_gather(one, 1, AllGather::two_substep);
  rows.push_back(row_of("Section 4.2", 1, "half-duplex links divide the all-to-all into"));
  rows.back().printed = "3 phases";
  rows.back().ours =
      fmt::format("2 substeps of a step: {} steps, not {}", two.startups, three.startups);
  rows.back().agrees = false;
  rows.back().erratum = phases_not_needed;
  rows.push_back(row_of("Section 4.2", 1, "three phases: steps / message times"));
  rows.back().ours = steps_and_times(three, report::count_text(three.message_times));
  rows.back().erratum = nothing_counted;
  rows.push_back(row_of("Section 4.2", 1, "messages on links of phase 1: -rho^2, +1, +rho"));
  rows.back().ours = fmt::format("{}, {}, {}", sum(loads_of(1, Port{5})), sum(loads_of(1, Port{0})),
                                 sum(loads_of(1, Port{1})));
  rows.back().erratum = unequal_ports;
  add_received(rows);
  return rows;
}

std::vector<PaperRow> beyond() {
  std::vector<PaperRow> rows;
  for (std::size_t n = 1; n <= 3; ++n) add_gathers(rows, n);
  for (std::size_t n = 1; n <= 3; ++n) add_exchanges(rows, n);
  return rows;
}

}  // namespace lockstep::ej_paper
