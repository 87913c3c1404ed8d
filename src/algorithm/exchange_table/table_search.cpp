// SPDX-License-Identifier: Apache-2.0
#include "algorithm/exchange_table/table_search.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "algorithm/exchange_table/table_check.hpp"
#include "core/invalid.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/core/new_thread.hpp"

namespace lockstep {
namespace {

using table_search::descend;
using table_search::Problem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_workers = 1024;

void check_request(std::size_t symbols, TableKind kind, const TableSearchOptions& options) {
  if (symbols < min_table_symbols || symbols > max_table_symbols)
    throw invalid("table search: {} symbols; allowed: {}..{}", symbols, min_table_symbols,
                  max_table_symbols);
  if (is_base(kind)) throw invalid("table search: kind {}; allowed: total, odd", name(kind));
  if (options.workers < 1 || options.workers > most_workers)
    throw invalid("table search: {} workers; allowed: 1..{}", options.workers, most_workers);
  if (!(options.seconds > 0))
    throw invalid("table search: {:f} seconds; allowed: more than 0", options.seconds);
}

/// Seeds are spread by std::seed_seq: neighbours have nothing in common.
[[nodiscard]] std::mt19937_64 random_of(std::uint64_t seed, std::uint64_t stream) {
  std::seed_seq words{seed & 0xFFFF'FFFFU, seed >> 32, stream};
  return std::mt19937_64(words);
}

class Search {
 public:
  Search(Problem problem, const TableSearchOptions& options, Clock::time_point start)
      : problem_(std::move(problem)), options_(options), start_(start) {}

  [[nodiscard]] TableSearchResult run() {
    result_.columns = problem_.columns;
    result_.words = problem_.nodes.size();
    search_by_all();
    if (failure_) std::rethrow_exception(failure_);
    result_.wall_seconds = seconds();
    return std::move(result_);
  }

 private:
  /// Returns when all workers are done.
  void search_by_all() {
    std::vector<std::jthread> others;
    try {
      for (std::size_t i = 1; i < options_.workers; ++i)
        others.push_back(new_thread<std::jthread>([this, i] { try_work(i); }));
    } catch (const ResourceExhausted&) {
      end();
      throw;
    }
    try_work(0);
  }

  // relaxed: a wish to end, nothing is read through it.
  void end() { found_.store(true, std::memory_order_relaxed); }

  /// The memory of a descent may be refused, in any worker.
  void try_work(std::size_t worker) try { work(worker); } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    end();
  }

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  [[nodiscard]] bool stopped() const {
    // relaxed: a wish to end, nothing is read through it.
    return found_.load(std::memory_order_relaxed) || options_.stop.stop_requested() ||
           seconds() >= options_.seconds;
  }

  void work(std::size_t worker) {
    std::mt19937_64 random = random_of(options_.seed, 1 + worker);
    std::uint64_t full_columns = 0;
    while (!stopped()) {
      const std::optional<ExchangeTable> block = descend(
          problem_, random, [this] { return stopped(); }, full_columns);
      note(block, full_columns);
      if (block) return;
    }
  }

  void note(const std::optional<ExchangeTable>& block, std::uint64_t full_columns) {
    const std::lock_guard lock(mutex_);
    ++result_.restarts;
    result_.full_columns = std::max(result_.full_columns, full_columns);
    if (options_.progress != nullptr) {  // relaxed: a display
      options_.progress->restarts.store(result_.restarts, std::memory_order_relaxed);
      options_.progress->full_columns.store(result_.full_columns, std::memory_order_relaxed);
    }
    if (!block || result_.base) return;
    result_.base = block;
    end();
  }

  const Problem problem_;
  const TableSearchOptions& options_;
  const Clock::time_point start_;
  std::atomic<bool> found_{false};
  std::mutex mutex_;
  TableSearchResult result_;
  std::exception_ptr failure_;
};

}  // namespace

TableSearchResult search_base_block(std::size_t symbols, TableKind kind,
                                    const TableSearchOptions& options) {
  check_request(symbols, kind, options);
  const Clock::time_point start = Clock::now();
  std::mt19937_64 random = random_of(options.seed, 0);
  Search search(table_search::make_problem(symbols, kind, options.fillers, random), options, start);
  TableSearchResult result = search.run();
  if (result.base)
    expects(check_exchange_table(*result.base).empty(), "a block that was found has no fault");
  return result;
}

}  // namespace lockstep
