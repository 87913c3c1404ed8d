// SPDX-License-Identifier: Apache-2.0
#include "lockstep/program/plan/check_transfers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/topology/any_cayley.hpp"

namespace lockstep {
namespace {

[[nodiscard]] std::string name_of_end(std::uint32_t node) {
  return node == everyone ? "everyone" : fmt::format("{}", node);
}

class TransferCheck {
 public:
  TransferCheck(const Transfers& plan, const ErasedTopology& network, Operation operation)
      : plan_(plan),
        network_(network),
        sums_(is_reduction(operation)),
        sums_by_node_(sums_ && operation != Operation::reduce_scatter) {}

  void check() {
    check_classes();
    for (number_ = 0; number_ < plan_.list.size(); ++number_) {
      const Transfer& transfer = plan_.list[number_];
      if ((transfer.source == everyone) != sums_)
        fail(transfer, sums_ ? "a reduction moves sums, whose source is everyone"
                             : "the source is everyone, which only sums have");
      check_range(transfer);
      check_link(transfer);
      if (!sums_) move(transfer);
    }
    if (sums_) check_sums();
  }

 private:
  [[noreturn]] void fail(const Transfer& transfer, std::string_view why) const {
    throw invalid(
        "plan for {}: transfer {} (step {}, block of {} for {}, part {}, from {} to "
        "{}): {}",
        network_.name(), grouped(number_), transfer.step, name_of_end(transfer.source),
        name_of_end(transfer.destination), transfer.part, transfer.from, transfer.to, why);
  }

  [[nodiscard]] bool is_representative(NodeId node) const {
    return std::ranges::find(plan_.representatives, index(node)) != plan_.representatives.end();
  }

  void check_classes() const {
    const std::uint64_t nodes = network_.node_count();
    const bool by_node = plan_.representatives.size() == nodes;
    bool exist = plan_.class_of.size() == nodes && !plan_.representatives.empty();
    for (const std::uint32_t of_class : plan_.class_of)
      exist = exist && of_class < plan_.representatives.size();
    for (const std::uint32_t node : plan_.representatives) exist = exist && node < nodes;
    if (!exist)
      throw invalid("plan for {}: {} in {}; expected a class for each of {}", network_.name(),
                    counted(plan_.class_of.size(), "node"),
                    counted(plan_.representatives.size(), "class", "es"), counted(nodes, "node"));
    const std::optional<AnyCayley> group = by_node ? std::nullopt : network_.cayley();
    if (!by_node && (sums_by_node_ || !group || !is_representative(group->identity())))
      throw invalid("plan for {}: {}; list every node (every_node_a_class)", network_.name(),
                    sums_by_node_ ? "sums have no classes of nodes" : "no translations are known");
    for (const std::uint32_t maker : plan_.makers)
      if (maker >= network_.processor_count())
        throw invalid("plan for {}: node {} makes a block; expected 0..{}", network_.name(), maker,
                      network_.processor_count() - 1);
    if (plan_.parts == 0 || plan_.parts > most_parts)
      throw invalid("plan for {}: blocks in {} parts; expected 1..{}", network_.name(), plan_.parts,
                    most_parts);
  }

  void check_range(const Transfer& transfer) const {
    const std::uint64_t nodes = network_.node_count();
    if (transfer.from >= nodes || transfer.to >= nodes) fail(transfer, "no such node");
    const std::uint64_t blocks = plan_.makers.empty() ? nodes : plan_.makers.size();
    if (!sums_ && (transfer.source >= blocks ||
                   (transfer.destination >= nodes && transfer.destination != everyone)))
      fail(transfer, "no such block");
    if (transfer.part >= plan_.parts) fail(transfer, "no such part");
    if (transfer.step >= plan_.steps)
      fail(transfer, fmt::format("the plan has {}", counted(plan_.steps, "step")));
  }

  void check_link(const Transfer& transfer) const {
    const NodeId from{transfer.from};
    const NodeId to{transfer.to};
    const bool is_link = transfer.port == first_port_there
                             ? port_to(network_, from, to).has_value()
                             : index(transfer.port) < network_.degree(from) &&
                                   network_.neighbor(from, transfer.port) == to;
    if (!is_link) fail(transfer, "there is no such link");
  }

  void move(const Transfer& transfer) {
    const auto at = [&](std::uint32_t node) {
      return std::tuple(transfer.source, transfer.destination, transfer.part, node);
    };
    if (transfer.from == plan_.maker(transfer.source)) since_.emplace(at(transfer.from), 0);
    const auto own = since_.find(at(transfer.from));
    if (own == since_.end() || own->second > transfer.step)
      fail(transfer, "the sender does not have the block in this step");
    // A block on a path leaves the sender behind; it may come back later.
    if (transfer.destination != everyone) own->second = gone;
    const auto [there, is_new] = since_.emplace(at(transfer.to), transfer.step + 1);
    if (!is_new && there->second != gone) fail(transfer, "the receiver has had the block before");
    there->second = transfer.step + 1;
  }

  /// Whether a processor contributes to the sum.
  [[nodiscard]] bool contributes(std::uint32_t node, std::uint32_t sum) const {
    if (node >= network_.processor_count()) return false;
    return sum == everyone || sum < plan_.nodes() || sum == alone(plan_.nodes(), node);
  }
  [[nodiscard]] bool has_sum(std::uint32_t node, std::uint32_t sum, std::uint16_t part) const {
    return contributes(node, sum) || received_.contains({sum, part, node});
  }

  /// A step: what was sent before arrives, sums are added, sums are sent.
  void check_sums() {
    std::multimap<std::uint32_t, std::size_t> sends;
    for (std::size_t i = 0; i < plan_.list.size(); ++i) sends.emplace(plan_.list[i].step, i);
    std::multimap<std::uint32_t, const Addition*> additions;
    for (const Addition& addition : plan_.additions) {
      if (addition.node >= plan_.nodes() || addition.part >= plan_.parts ||
          addition.step > plan_.steps)
        fail(addition, "no such node, part or step");
      additions.emplace(addition.step, &addition);
    }
    for (std::uint32_t step = 0; step <= plan_.steps; ++step) {
      if (step > 0)
        for (auto [at, end] = sends.equal_range(step - 1); at != end; ++at) {
          const Transfer& transfer = plan_.list[at->second];
          received_.emplace(transfer.destination, transfer.part, transfer.to);
        }
      for (auto [at, end] = additions.equal_range(step); at != end; ++at) {
        const Addition& addition = *at->second;
        if (!has_sum(addition.node, addition.what, addition.part))
          fail(addition, "the node does not have the sum in this step");
        received_.emplace(addition.into, addition.part, addition.node);
      }
      for (auto [at, end] = sends.equal_range(step); at != end; ++at) {
        number_ = at->second;
        const Transfer& transfer = plan_.list[number_];
        if (!has_sum(transfer.from, transfer.destination, transfer.part))
          fail(transfer, "the sender does not have the sum in this step");
      }
    }
  }
  [[noreturn]] void fail(const Addition& addition, std::string_view why) const {
    throw invalid("plan for {}: addition in step {} at node {} of sum {} to {}, part {}: {}",
                  network_.name(), addition.step, addition.node, name_of_end(addition.what),
                  name_of_end(addition.into), addition.part, why);
  }

  static constexpr std::uint32_t gone = everyone;

  const Transfers& plan_;
  const ErasedTopology& network_;
  bool sums_;
  bool sums_by_node_;
  std::size_t number_ = 0;
  // By block and node: the step from which the node can send it.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint16_t, std::uint32_t>, std::uint32_t>
      since_{};
  // Sums, by name, part and node.
  std::set<std::tuple<std::uint32_t, std::uint16_t, std::uint32_t>> received_{};
};

}  // namespace

void check_transfers(const Transfers& plan, const ErasedTopology& network, Operation operation) {
  TransferCheck(plan, network, operation).check();
}

}  // namespace lockstep
