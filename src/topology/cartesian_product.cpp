// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/cartesian_product.hpp"

#include <fmt/format.h>

#include <string_view>

#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "core/words.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/mesh.hpp"

namespace lockstep::product_detail {
namespace {

/// The position where the parenthesis at the front of `text` closes; npos if it does not.
[[nodiscard]] std::size_t closing(std::string_view text) noexcept {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

/// Split at every `separator` outside of parentheses.
[[nodiscard]] std::vector<std::string> split_at(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  std::size_t depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && depth > 0) --depth;
    if (depth > 0 || i < start || text.substr(i, separator.size()) != separator) continue;
    parts.emplace_back(trimmed(text.substr(start, i - start), " "));
    start = i + separator.size();
  }
  parts.emplace_back(trimmed(text.substr(start), " "));
  return parts;
}

}  // namespace

void check_sizes(const std::string& name, std::span<const std::uint64_t> sizes) {
  if (sizes.empty()) throw InvalidParameter(name + ": no factor given; expected one or more");
  if (!product_at_most(sizes, MixedRadix::max_count))
    throw invalid("{}: more than 2^63 nodes, the allowed maximum", name);
}

void check_ports(const std::string& name, std::size_t ports) {
  if (ports > max_ports_of_a_node)
    throw invalid("{}: {} per node; allowed: up to {}", name, counted(ports, "port"),
                  grouped(max_ports_of_a_node));
}

void check_switches(const std::string& name, std::uint64_t switches) {
  if (switches != 0)
    throw invalid("{}: a factor has {}; expected factors without switches", name,
                  counted(switches, "switch", "es"));
}

std::string joined(const std::vector<std::string>& parts) {
  return parts.size() == 1 ? parts.front() : fmt::format("({})", lockstep::joined(parts, ", "));
}

/// Labels of factors may have commas of their own, without a blank: "(1,3, 2)" is read first by
/// comma and blank, then by every comma.
std::vector<std::string> split(const std::string& label, std::size_t parts) {
  std::string_view inner = trimmed(label, " ");
  if (parts == 1) return {std::string(inner)};
  if (inner.empty() || inner.front() != '(' || closing(inner) != inner.size() - 1) return {};
  inner = inner.substr(1, inner.size() - 2);
  for (const std::string_view separator : {", ", ","}) {
    std::vector<std::string> found = split_at(inner, separator);
    if (found.size() == parts) return found;
  }
  return {};
}

}  // namespace lockstep::product_detail

namespace lockstep {

Mesh::Mesh(const std::vector<std::uint64_t>& sizes) : Mesh(product_name("mesh", sizes), sizes) {}

Mesh::Mesh(std::string name, const std::vector<std::uint64_t>& sizes)
    : CartesianProduct({sizes.begin(), sizes.end()}, FirstDimension::most_significant,
                       std::move(name)) {}

std::optional<NodeId> Mesh::find(const std::string& label) const {
  const std::optional<std::uint64_t> number = coordinates().number(label);
  return number ? std::optional(NodeId{*number}) : std::nullopt;
}

std::string Mesh::port_label(NodeId u, Port p) const {
  return fmt::format("dimension {}, {}1", place(u, p).dimension + 1,
                     neighbor(u, p) > u ? '+' : '-');
}

}  // namespace lockstep
