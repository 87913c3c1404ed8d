// SPDX-License-Identifier: Apache-2.0
#include "algorithm/by_dimensions.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithm/line_plans.hpp"
#include "algorithm/reduction_plans.hpp"
#include "topology/product_factors.hpp"

namespace lockstep {
namespace {

/// All sums of a multiple of each stride below its size: what nodes may be added for coordinates.
[[nodiscard]] std::vector<std::uint64_t> offsets_of(
    const std::vector<ProductFactor>& factors, const std::function<bool(std::size_t)>& wanted) {
  std::vector<std::uint64_t> offsets{0};
  for (std::size_t x = 0; x < factors.size(); ++x) {
    if (!wanted(x)) continue;
    const std::size_t before = offsets.size();
    for (std::uint64_t i = 1; i < factors[x].topology.node_count(); ++i)
      for (std::size_t at = 0; at < before; ++at)
        offsets.push_back(offsets[at] + i * factors[x].stride);
  }
  return offsets;
}

/// The lines of a dimension in a phase: what nodes are added for their coordinates in the
/// dimensions that the colour has been through, and in the others.
struct Line {
  std::uint64_t stride;
  std::vector<std::uint64_t> done;
  std::vector<std::uint64_t> others;
};

/// Phase by phase, for one colour or for as many as there are dimensions.
class Phases {
 public:
  Phases(const ErasedTopology& network, Rotated rotated,
         const std::function<Transfers(const ErasedTopology&)>& line_plan)
      : factors_(product_factors(network)),
        colours_(rotated == Rotated::yes ? factors_.size() : 1),
        plan_(every_node_a_class(network.node_count())) {
    for (const ProductFactor& factor : factors_) lines_.push_back(line_plan(factor.topology));
    for (const Transfers& line : lines_) line_parts_ = std::lcm(line_parts_, line.parts);
    plan_.parts = static_cast<std::uint32_t>(colours_) * line_parts_;
  }

  /// visit(plan, step, part, line, transfer of the line).
  [[nodiscard]] Transfers made(const auto& visit) && {
    for_each_phase([&](std::uint64_t begin, std::size_t phase, std::size_t colour, std::size_t x) {
      const auto is_done = [&](std::size_t other) {
        return (other + factors_.size() - colour) % factors_.size() < phase;
      };
      const Line line{
          factors_[x].stride, offsets_of(factors_, is_done),
          offsets_of(factors_, [&](std::size_t other) { return other != x && !is_done(other); })};
      for (const Transfer& transfer : lines_[x].list)
        for (std::uint32_t part = 0; part < line_parts_; ++part)
          if (part % lines_[x].parts == transfer.part)
            visit(plan_, begin + transfer.step, colour * line_parts_ + part, line, transfer);
    });
    return std::move(plan_);
  }

  /// The plans of lines are all-reduces.
  [[nodiscard]] Transfers reduced() && {
    for_each_phase([&](std::uint64_t begin, std::size_t, std::size_t colour, std::size_t x) {
      for (const std::uint64_t base :
           offsets_of(factors_, [x](std::size_t other) { return other != x; }))
        reduce_line(begin, colour, x, base);
    });
    std::ranges::stable_sort(plan_.additions, {}, &Addition::step);
    return std::move(plan_);
  }

 private:
  /// visit(first step, phase, colour, dimension that the colour goes through).
  void for_each_phase(const auto& visit) {
    std::uint64_t begin = 0;
    for (std::size_t phase = 0; phase < factors_.size(); ++phase) {
      std::uint64_t steps = 0;
      for (std::size_t colour = 0; colour < colours_; ++colour) {
        const std::size_t x = (colour + phase) % factors_.size();
        steps = std::max(steps, lines_[x].steps);
        visit(begin, phase, colour, x);
      }
      begin += steps;
    }
    plan_.steps = begin;
    plan_.sort_by_step();
  }

  /// The line of dimension x through the node `base`, whose sums get names of their own.
  void reduce_line(std::uint64_t begin, std::size_t colour, std::size_t x, std::uint64_t base) {
    const Transfers& line = lines_[x];
    const std::uint64_t length = factors_[x].topology.node_count();
    const auto node = [&](std::uint64_t place) {
      return static_cast<std::uint32_t>(base + place * factors_[x].stride);
    };
    std::uint32_t names = 0;
    const auto name = [&](std::uint32_t own) {
      if (own == everyone) return everyone;
      names = std::max(names, own + 1);
      return auxiliary(plan_.nodes(), names_ + own);
    };
    for (std::uint32_t part = 0; part < line_parts_; ++part) {
      const auto own_part = static_cast<std::uint16_t>(colour * line_parts_ + part);
      for (std::uint64_t place = 0; place < length; ++place)
        plan_.add(begin, node(place), everyone, name(alone(length, place)), Combine::none,
                  own_part);
      for (const Transfer& transfer : line.list)
        if (part % line.parts == transfer.part)
          plan_.move_part(begin + transfer.step, {.source = everyone,
                                                  .destination = name(transfer.destination),
                                                  .from = node(transfer.from),
                                                  .to = node(transfer.to),
                                                  .part = own_part,
                                                  .combine = transfer.combine});
      for (const Addition& addition : line.additions)
        if (part % line.parts == addition.part)
          plan_.add(begin + addition.step, node(addition.node), name(addition.what),
                    name(addition.into), addition.combine, own_part);
    }
    names_ += names;
  }

  std::uint64_t names_ = 0;  // of auxiliary sums
  std::vector<ProductFactor> factors_;
  std::size_t colours_;
  std::vector<Transfers> lines_;
  std::uint32_t line_parts_ = 1;
  Transfers plan_;
};

}  // namespace

/// Before a phase a node has the blocks of all that differ from it in the dimensions done.
Transfers all_gather_by_dimensions(const ErasedTopology& network, Ports ports, Rotated rotated) {
  return Phases(network, rotated,
                [ports](const ErasedTopology& line) { return line_all_gather(line, ports); })
      .made([](Transfers& plan, std::uint64_t step, std::uint64_t part, const Line& line,
               const Transfer& transfer) {
        const auto& [stride, done, others] = line;
        for (const std::uint64_t base : others)
          for (const std::uint64_t at : done)
            for (const std::uint64_t block : done)
              plan.move_part(step, base + block + transfer.source * stride, everyone,
                             base + at + transfer.from * stride, base + at + transfer.to * stride,
                             part);
      });
}

/// Every line runs its all-reduce; the contribution of a node is its sum of the dimensions done.
Transfers all_reduce_by_dimensions(const ErasedTopology& network, Ports ports, Rotated rotated) {
  return Phases(network, rotated,
                [ports](const ErasedTopology& line) { return line_all_reduce(line, ports); })
      .reduced();
}

/// A block has the coordinates of its destination in the dimensions done, and those of its source
/// in the others.
Transfers total_exchange_by_dimensions(
    const ErasedTopology& network, Rotated rotated,
    const std::function<Transfers(const ErasedTopology& line)>& line_exchange) {
  return Phases(network, rotated, line_exchange)
      .made([](Transfers& plan, std::uint64_t step, std::uint64_t part, const Line& line,
               const Transfer& transfer) {
        const auto& [stride, done, others] = line;
        for (const std::uint64_t source : others)
          for (const std::uint64_t at : done)
            for (const std::uint64_t from : done)
              for (const std::uint64_t destination : others)
                plan.move_part(step, source + from + transfer.source * stride,
                               destination + at + transfer.destination * stride,
                               source + at + transfer.from * stride,
                               source + at + transfer.to * stride, part);
      });
}

}  // namespace lockstep
