// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/exchange_table/star_table_exchange.hpp"

#include <fmt/format.h>

#include <fstream>

#include "algorithm/exchange_table/table_file.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

[[nodiscard]] ExchangeTable from_file(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw InvalidParameter(fmt::format("table: '{}' cannot be read", file));
  return read_exchange_table(in, file);
}

}  // namespace

std::shared_ptr<const ExchangeTable> chosen_table(const StarGraph& star, TableKind kind,
                                                  const Settings& settings) {
  const std::string file = settings.text("table");
  if (file.empty()) {
    if (!has_optimal_exchange_table(star.symbols(), kind))
      throw InvalidParameter(
          fmt::format("table on {}: none is built in, allowed star:3..8, or a table of your own "
                      "(--table FILE; see 'lockstep table search')",
                      star.name()));
    return std::make_shared<const ExchangeTable>(optimal_exchange_table(star.symbols(), kind));
  }
  ExchangeTable table = from_file(file);
  if (table.symbols != star.symbols() || table.kind != kind)
    throw InvalidParameter(fmt::format("{}: a {} table for star:{} given, allowed {} for {}", file,
                                       name(table.kind), table.symbols, name(kind), star.name()));
  return std::make_shared<const ExchangeTable>(std::move(table));
}

}  // namespace lockstep
