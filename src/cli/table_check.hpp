// SPDX-License-Identifier: Apache-2.0
#pragma once

/// lockstep table check: files of exchange tables judged, each by itself.

#include <string>
#include <vector>

#include "algorithm/exchange_table/table_file.hpp"
#include "cli/commands.hpp"

namespace lockstep::cli {

/// Throws InvalidParameter where the file cannot be read or is not of the format.
[[nodiscard]] ExchangeTableFile read_table_file(const std::string& path);

struct CheckedFile {
  std::string path;
  std::string unreadable{};  ///< why; empty: it was read
  ExchangeTable table{};
  std::vector<TableFault> faults{};

  [[nodiscard]] Exit exit() const noexcept;
};

enum class Demand : std::uint8_t { valid, optimal };

[[nodiscard]] CheckedFile check_file(const std::string& path, Demand demand);

/// "FILE:7: row 2, column 5: REASON" for each fault, or one line that says what is valid.
[[nodiscard]] std::string text_of(const CheckedFile& file);
[[nodiscard]] std::string json_of(const std::vector<CheckedFile>& files, const Session& session);

}  // namespace lockstep::cli
