// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/cube_cycle_group.hpp"

#include <fmt/format.h>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/detail/whole_number.hpp"

namespace lockstep {

CubeCycleGroup::CubeCycleGroup(std::string_view family, std::size_t dimensions)
    : family_(family), dimensions_(dimensions) {
  if (dimensions < min_dimensions || dimensions > max_dimensions)
    throw invalid("{}:{}: {}; allowed: {}..{}", family, dimensions,
                  counted(dimensions, "dimension"), min_dimensions, max_dimensions);
}

std::string CubeCycleGroup::name() const { return fmt::format("{}:{}", family_, dimensions_); }

std::string CubeCycleGroup::label(NodeId u) const {
  return fmt::format("{:0{}b},{}", bits(u), dimensions_, position(u));
}

std::optional<NodeId> CubeCycleGroup::find(const std::string& label) const {
  const std::size_t comma = label.find(',');
  if (comma != dimensions_) return std::nullopt;
  const auto bits = whole_number(std::string_view(label).substr(0, comma), 2);
  const auto position = whole_number(std::string_view(label).substr(comma + 1));
  if (!bits || !position || *position >= dimensions_) return std::nullopt;
  return node(*bits, *position);
}

}  // namespace lockstep
