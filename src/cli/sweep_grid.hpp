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
#include "study/factor_choices.hpp"

namespace lockstep::cli {

/// As typed. Of the machine's options, `threads` and `channel` are lists here.
struct SweepArguments {
  std::vector<std::string> words{};  ///< topologies or ranges of them, then the operation
  std::optional<std::string> algorithm{};
  std::optional<std::string> k{};
  std::string batch = "1";
  std::optional<std::string> discipline{};
  std::string bytes = "auto";
  std::string repeat = "1";
  RootArgument root{};
  bool resume = false;
  MachineArguments machine{};
  CostArguments costs{};
  OutputArguments output{};

  void add_to(CLI::App& app);
};

/// Topology by topology, then by algorithm, k, batch, discipline, bytes, channel, threads. Packing
/// factors, batches and queue disciplines go to the algorithms that take them. Throws
/// InvalidParameter where no run could be meant; what is only impossible on one network is left to
/// the run to refuse.
[[nodiscard]] std::vector<RunRequest> sweep_requests(const SweepArguments& arguments);

/// "all": every single packing factor; else lists with ';' between them: "3;4,3,2". Throws
/// InvalidParameter.
[[nodiscard]] std::vector<study::Factors> parse_factor_choices(const std::string& text,
                                                               const RunRequest& request);

}  // namespace lockstep::cli
