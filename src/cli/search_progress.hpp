// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How far a search of an exchange table is, on stderr: one line, after a second, on a terminal.

#include <chrono>
#include <thread>

#include "cli/progress.hpp"
#include "lockstep/algorithm/exchange_table/table_search.hpp"

namespace lockstep::cli {

/// "searching: 12 descents, the best filled 99 columns, 14 s"
[[nodiscard]] std::string search_progress_line(const TableSearchProgress& counts, double seconds);

class SearchProgress {
 public:
  SearchProgress(const TableSearchProgress& counts, Progress::Show show);
  SearchProgress(const SearchProgress&) = delete;
  SearchProgress& operator=(const SearchProgress&) = delete;
  /// Removes the line.
  ~SearchProgress();

 private:
  void display(const std::stop_token& stop);

  const TableSearchProgress& counts_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::jthread thread_;
};

}  // namespace lockstep::cli
