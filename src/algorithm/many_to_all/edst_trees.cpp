// SPDX-License-Identifier: Apache-2.0
#include "algorithm/many_to_all/edst_trees.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "algorithm/torus_rings.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

/// Rows in two halves, of which one is entered through the wrap-around.
[[nodiscard]] char odd_form(std::uint64_t side, std::uint64_t x, std::uint64_t y) {
  if (y == 0) return 'E';
  if (x == 0) return 'W';
  if (x > side / 2) return 'E';
  return y <= side / 2 ? 'N' : 'S';
}

[[nodiscard]] char any_form(std::uint64_t x, std::uint64_t y) {
  if (y == 0) return 'E';
  return x == 0 ? 'W' : 'N';
}

/// The way back from where an arc that way leads; of the root it is of no meaning.
[[nodiscard]] Port back(char way) {
  constexpr std::string_view into_of_ports = "SNWE";
  const std::size_t p = into_of_ports.find(way);
  return port(p == std::string_view::npos ? 0 : p);
}

[[nodiscard]] std::vector<Port> parent_ports(std::uint64_t side, EdstTrees::Form form) {
  const std::string_view table =
      form == EdstTrees::Form::table ? EdstTrees::table(side) : std::string_view();
  if (form == EdstTrees::Form::table && table.empty())
    throw InvalidParameter(fmt::format(
        "trees: 'table' has no trees for side {}; allowed: sides 3..30 and 50; use 'any'", side));
  if (form == EdstTrees::Form::odd && side % 2 == 0)
    throw InvalidParameter(
        fmt::format("trees: 'odd' has no trees for side {}; allowed: odd sides; use 'any'", side));
  std::vector<Port> ports;
  ports.reserve(side * side);
  for (std::uint64_t y = 0; y < side; ++y)
    for (std::uint64_t x = 0; x < side; ++x)
      ports.push_back(back(form == EdstTrees::Form::table ? table[y * side + x]
                           : form == EdstTrees::Form::odd ? odd_form(side, x, y)
                                                          : any_form(x, y)));
  return ports;
}

}  // namespace

EdstTrees::Form EdstTrees::lowest(std::uint64_t side) noexcept {
  if (!table(side).empty()) return Form::table;
  return side % 2 == 1 ? Form::odd : Form::any;
}

EdstTrees::EdstTrees(const Torus& torus, Form form)
    : side_(rings_of(torus).at(0).side),
      form_(form),
      first_(torus, NodeId{0}, parent_ports(side_, form)) {}

}  // namespace lockstep
