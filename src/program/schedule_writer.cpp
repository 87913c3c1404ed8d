// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "program/schedule_file.hpp"
#include "program/schedule_nodes.hpp"
#include "program/schedule_pieces.hpp"

namespace lockstep {
namespace {

using NumberList = std::vector<std::uint64_t>;

class ScheduleWriter {
 public:
  explicit ScheduleWriter(const ScheduleFile& file)
      : file_(file), schedule_(*file.schedule), nodes_(file.network, file.file) {}

  [[nodiscard]] std::string text() {
    header();
    for (std::uint64_t step = 0; step <= schedule_.step_count(); ++step) {
      const auto nodes = schedule_.nodes_in(step);
      if (nodes.empty()) continue;
      put("step {}\n", step);
      for (const std::uint32_t node : nodes) {
        (text_ += nodes_.word(NodeId{node})) += ':';
        node_ = node;
        std::string_view separator = " ";
        for (const Action& action : schedule_.actions(step, NodeId{node})) {
          text_ += std::exchange(separator, "; ");
          write(action);
        }
        text_ += '\n';
      }
    }
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    // Not format_to(), which compiles all of fmt's formatting once more.
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...);
  }

  void header() {
    put("{}\ntopology {}\noperation {}\nport-model {}\n", by_node_version,
        encoded_topology(file_.topology), name_of(file_.operation), file_.model.name);
    if (has_root(file_.operation)) put("root {}\n", nodes_.word(file_.root));
    if (file_.operation == Operation::many_to_all) {
      put("origins");
      for (const NodeId home : file_.homes) put(" {}", nodes_.word(home));
      text_ += '\n';
    }
    if (file_.parts_per_block != 1) put("parts {}\n", file_.parts_per_block);
    put("memory");
    for (const std::uint32_t blocks : schedule_.regions()) put(" {}", blocks);
    text_ += '\n';
    for (std::uint64_t u = 0; u < schedule_.nodes(); ++u) sizes(NodeId{u});
    if (!schedule_.control_regions().empty()) {
      put("control");
      for (const Region region : schedule_.control_regions()) put(" {}", index(region));
      text_ += '\n';
    }
    put("steps {}\n", schedule_.step_count());
    for (const Phase& phase : schedule_.phases())
      put("phase {} {}\n", phase.first_step, phase.name);
  }

  void sizes(NodeId node) {
    const auto& regions = schedule_.regions();
    const auto is_full = [&](std::size_t r) {
      return schedule_.blocks_of(node, static_cast<Region>(r)) == regions[r];
    };
    bool full = true;
    for (std::size_t r = 0; r < regions.size(); ++r) full = full && is_full(r);
    if (full) return;
    put("memory-of {}", nodes_.word(node));
    for (std::size_t r = 0; r < regions.size(); ++r)
      put(" {}", schedule_.blocks_of(node, static_cast<Region>(r)));
    text_ += '\n';
  }

  void write(const Action& action) {
    const Blocks& blocks = action.blocks;
    const std::uint32_t number = action.element_or_list;
    const Blocks other{blocks.region, number, blocks.count};
    switch (action.kind) {
      case Action::Kind::take:
        return put("take {}", index(action.port));
      case Action::Kind::take_store:
      case Action::Kind::take_scatter:
        return put("take {} store {}", index(action.port), slots(action));
      case Action::Kind::take_deliver:
        return put("take {} deliver {} of {}", index(action.port),
                   range_of(blocks.first, blocks.count), origins(elements(action, 1)));
      case Action::Kind::take_combine_into:
        put("take {} combine {}", index(action.port), slots(other));
        if (number != blocks.first) put(" into {}", slots(blocks));
        return order(action);
      case Action::Kind::take_combine_list:
        put("take {} combine {}", index(action.port), slots(action));
        return order(action);
      case Action::Kind::combine:
        return put("combine {} with {} into {}",
                   slots({blocks.region, action.elements.first, blocks.count}), slots(other),
                   slots(blocks));
      case Action::Kind::copy:
        return put("copy {} into {}",
                   slots({static_cast<Region>(action.elements.first), number, blocks.count}),
                   slots(blocks));
      case Action::Kind::load:
        return put("load {} of {} for {}", slots(blocks), origins(NumberList(blocks.count, node_)),
                   nodes_.list_of(elements(action, 1)));
      case Action::Kind::load_pairs:
        return put("load {} of {} for {}", slots(blocks), origins(elements(action, 2)),
                   nodes_.list_of(elements(action, 2, 1)));
      case Action::Kind::deliver:
        return put("deliver {} of {}", slots(blocks), origins(elements(action, 1)));
      case Action::Kind::send:
      case Action::Kind::send_list:
        return put("send {} {}", index(action.port), slots(action));
      default: {
        std::string route;
        for (const Port port : schedule_.routes().ports(static_cast<Route>(action.elements.first)))
          route += fmt::format("{}{}", route.empty() ? "" : ">", index(port));
        return put("send {} {}", route, slots(action));
      }
    }
  }

  void order(const Action& action) {
    if (static_cast<Operands>(action.elements.first) == Operands::arrived_first)
      put(" arrived-first");
  }

  /// Every `apart`-th element of the action, from number `first` on.
  [[nodiscard]] NumberList elements(const Action& action, std::uint32_t apart,
                                    std::uint32_t first = 0) const {
    if (action.elements.count == 0 && action.blocks.count != 0) return {node_};
    NumberList numbers;
    for (std::uint32_t i = first; i < action.elements.count; i += apart)
      numbers.push_back(index(schedule_.element(std::uint64_t{action.elements.first} + i)));
    return numbers;
  }
  /// The origin of a block is a processor, except in a many-to-all.
  [[nodiscard]] std::string origins(const NumberList& numbers) const {
    return file_.operation == Operation::many_to_all ? ranges_of(numbers) : nodes_.list_of(numbers);
  }
  [[nodiscard]] static std::string slots(Blocks blocks) {
    return fmt::format("{}/{}", index(blocks.region), range_of(blocks.first, blocks.count));
  }
  [[nodiscard]] std::string slots(const Action& action) const {
    if (action.kind != Action::Kind::take_scatter && action.kind != Action::Kind::send_list &&
        action.kind != Action::Kind::send_route_list &&
        action.kind != Action::Kind::take_combine_list)
      return slots(action.blocks);
    const auto list = schedule_.list(action);
    return fmt::format("{}/{}", index(action.blocks.region),
                       ranges_of(NumberList(list.begin(), list.end())));
  }

  const ScheduleFile& file_;
  const Schedule& schedule_;
  ScheduleNodes nodes_;
  std::uint64_t node_ = 0;  // whose turn is written
  std::string text_;
};

}  // namespace

std::string text_of(const ScheduleFile& schedule) { return ScheduleWriter(schedule).text(); }

}  // namespace lockstep
