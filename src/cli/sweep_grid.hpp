// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The grid of a sweep: every combination of the lists given.
///
///     SweepArguments arguments{.words = {"star:4..7", "total-exchange"}, .k = "all"};
///     arguments.bytes = "8,64,512";
///     sweep_requests(arguments).size() == 54          // 3 + 4 + 5 + 6 factors, 3 sizes

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/report_files.hpp"

namespace lockstep::cli {

/// As typed. Of the machine's options, `threads` and `channel` are lists here.
struct SweepArguments {
  std::vector<std::string> words{};  ///< topologies or ranges of them, then the operation
  std::optional<std::string> algorithm{};
  ParameterArguments parameters{};
  std::string bytes = "auto";
  std::optional<std::string> min_bytes{};
  std::optional<std::string> max_bytes{};
  std::optional<std::string> factor{};
  std::string repeat = "1";
  std::optional<std::string> warmup{};
  std::string order = "given";
  std::optional<std::string> layout{};
  bool resume = false;
  bool overwrite = false;
  MachineArguments machine{};
  CostArguments costs{};
  OutputArguments output{};
  ReportArguments report{};

  void add_to(CLI::App& app);
};

/// Topology by topology, then by algorithm, k, batch, discipline, bytes, channel, threads. Packing
/// factors, batches and queue disciplines go to the algorithms that take them. Throws
/// InvalidParameter where no run could be meant; what is only impossible on one network is left to
/// the run to refuse.
[[nodiscard]] std::vector<RunRequest> sweep_requests(const SweepArguments& arguments);
/// The same in an order that the seed decides, on every host: drift of the host's speed then
/// favours no algorithm.
void shuffle(std::vector<RunRequest>& requests, std::uint64_t seed);

}  // namespace lockstep::cli
