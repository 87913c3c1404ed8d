// SPDX-License-Identifier: Apache-2.0
#pragma once

/// DeliveryLogs: rows of deliveries that were found intact, before they enter a ledger. A row is a
/// block for each of some consecutive destinations, and touches one cache line of each one's part
/// of the ledger; of the several rows that a log holds a destination's part is fetched once.
///
/// A log hides no fault. A row is kept after each of its blocks was compared with the formula of
/// the very (origin, destination) that it keeps, so entering it later gives the ledger the same
/// pairs in another order; and the ledger judges sets, whose order does not count. What was logged
/// is entered when a log is full, and the rest by enter_all(), which everyone calls who reads the
/// ledger. A pair that was delivered twice is found when the second of its rows is entered.
///
///     logs.add(first, origins, enter);   // a row, by the worker that runs those destinations
///     logs.enter_all(enter);             // between runs, by one thread

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"

namespace lockstep::detail {

/// Rows of as many origins each: that of row r for the k-th destination is of(r)[k].
struct LoggedRows {
  NodeId first{};  ///< of the destinations
  std::size_t size = 0;
  std::size_t rows = 0;
  std::size_t stride = 0;  ///< from row to row
  const std::uint32_t* origins = nullptr;

  [[nodiscard]] const std::uint32_t* of(std::size_t row) const noexcept {
    return origins + row * stride;
  }
};

class DeliveryLogs {
 public:
  /// Shorter rows have no log: several of them may begin in one range of destinations.
  static constexpr std::size_t least_size = 64;

  DeliveryLogs(std::uint64_t processors, std::size_t rows)
      : rows_(rows), logs_(processors / least_size + 1) {}

  /// The most bytes of logs for all destinations.
  [[nodiscard]] static std::uint64_t bytes(std::uint64_t processors, std::size_t rows) noexcept {
    const std::uint64_t logs = processors / least_size + 1;
    return logs * sizeof(Log) + (processors + logs * apart) * rows * sizeof(std::uint32_t);
  }

  /// `enter(rows)` enters LoggedRows. Precondition: least_size destinations or more; no other
  /// worker logs any of them before enter_all().
  template <class Enter>
  void add(NodeId first, std::span<const std::uint32_t> origins, const Enter& enter) {
    Log& log = logs_[index(first) / least_size];
    if (log.rows.first != first || log.rows.size != origins.size()) {
      enter_log(log, enter);
      begin(log, first, origins.size());
    }
    std::copy_n(origins.data(), origins.size(),
                log.origins.get() + log.rows.rows * log.rows.stride);
    if (++log.rows.rows == rows_) enter_log(log, enter);
  }

  template <class Enter>
  void enter_all(const Enter& enter) {
    for (Log& log : logs_) enter_log(log, enter);
  }

 private:
  static constexpr std::size_t apart = 16;  // no power of two: rows of one column share no set

  struct Log {
    LoggedRows rows;
    std::unique_ptr<std::uint32_t[]> origins;
  };

  void begin(Log& log, NodeId first, std::size_t size) const {
    const std::size_t stride = size + apart;
    log.origins = std::make_unique_for_overwrite<std::uint32_t[]>(rows_ * stride);
    log.rows = {first, size, 0, stride, log.origins.get()};
  }
  template <class Enter>
  static void enter_log(Log& log, const Enter& enter) {
    if (log.rows.rows == 0) return;
    enter(log.rows);
    log.rows.rows = 0;
  }

  std::size_t rows_;
  std::vector<Log> logs_;
};

}  // namespace lockstep::detail
