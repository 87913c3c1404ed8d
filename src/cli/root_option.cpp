// SPDX-License-Identifier: Apache-2.0

/// --root: the one option that names a node.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <charconv>
#include <optional>

#include "cli/options.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::cli {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view allowed) {
  throw InvalidParameter(fmt::format("root: '{}' given, allowed {}", text, allowed));
}

/// As numbers are written: a label such as 0011 is none. Empty, too, where it exceeds 64 bits.
[[nodiscard]] std::optional<std::uint64_t> plain_number(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || at != end || (text.size() > 1 && text.front() == '0'))
    return std::nullopt;
  return number;
}

}  // namespace

NodeId parse_root(const std::string& topology, const std::string& text) {
  const AnyTopology network = make_topology(topology);
  const auto number = plain_number(text);
  if (number && *number < network.node_count()) return NodeId{*number};
  // A number too large may be a label such as 3241; but not another name of a node, such as the
  // classes of Eisenstein-Jacobi networks have many.
  const auto node = network.find(text);
  if (node && (!number || network.label(*node) == text)) return *node;
  refuse(text,
         fmt::format("a node of {}: a number from 0 to {}, or a label such as '{}'", network.name(),
                     network.node_count() - 1, network.label(NodeId{network.node_count() - 1})));
}

void RootArgument::add_to(CLI::App& app) {
  app.add_option("--root", root,
                 "Source of a broadcast or scatter, sink of a gather: a node's number or label; "
                 "default: 0")
      ->type_name("NODE")
      ->group("Algorithm");
}

void RootArgument::apply_to(RunRequest& request) const {
  if (!root) return;
  if (!has_root(request.operation))
    refuse(*root, fmt::format("none: {} has no root", name_of(request.operation)));
  request.parameters.root = parse_root(request.topology, *root);
}

}  // namespace lockstep::cli
