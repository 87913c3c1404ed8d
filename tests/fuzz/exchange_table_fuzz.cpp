// SPDX-License-Identifier: Apache-2.0

/// Any bytes as an exchange table: refused with file and line, or read; then checked without a
/// crash, and written and read again it is the same table with the same faults.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "algorithm/exchange_table/table_file.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lockstep;  // NOLINT(google-build-using-namespace): a function of its own
  std::istringstream in{std::string(data, data + size)};
  ExchangeTableFile file;
  try {
    file = parse_exchange_table(in, "fuzz");
  } catch (const InvalidParameter& problem) {
    expects(std::string(problem.what()).rfind("fuzz:", 0) == 0, "a refusal names file and line");
    return 0;
  }
  const auto faults = check_exchange_table(file);
  for (const TableFault& fault : faults) expects(!fault.reason.empty(), "a fault has a reason");
  if (!file.width_faults.empty()) return 0;
  std::stringstream again;
  write_exchange_table(again, file.table);
  const ExchangeTableFile copy = parse_exchange_table(again, "copy");
  expects(copy.table == file.table, "what is written is read");
  expects(check_exchange_table(copy.table) == check_exchange_table(file.table),
          "the same table has the same faults");
  if (faults.empty()) (void)check_optimality(file.table);
  return 0;
}
