// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/cube_cycle_group.hpp"

#include <fmt/format.h>

#include <charconv>

#include "lockstep/core/errors.hpp"

namespace lockstep {

CubeCycleGroup::CubeCycleGroup(std::string_view family, std::size_t dimensions)
    : dimensions_(dimensions) {
  if (dimensions < min_dimensions || dimensions > max_dimensions)
    throw InvalidParameter(fmt::format("{}:{}: {} dimensions, allowed {}..{}", family, dimensions,
                                       dimensions, min_dimensions, max_dimensions));
}

std::string CubeCycleGroup::label(NodeId u) const {
  return fmt::format("{:0{}b},{}", bits(u), dimensions_, position(u));
}

std::optional<NodeId> CubeCycleGroup::find(const std::string& label) const {
  if (label.size() < dimensions_ + 2 || label[dimensions_] != ',') return std::nullopt;
  const char* const comma = label.data() + dimensions_;
  const char* const end = label.data() + label.size();
  std::uint64_t bits = 0;
  std::size_t position = 0;
  if (const auto read = std::from_chars(label.data(), comma, bits, 2);
      read.ec != std::errc{} || read.ptr != comma)
    return std::nullopt;
  if (const auto read = std::from_chars(comma + 1, end, position);
      read.ec != std::errc{} || read.ptr != end || position >= dimensions_)
    return std::nullopt;
  return node(bits, position);
}

}  // namespace lockstep
