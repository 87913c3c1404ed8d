// SPDX-License-Identifier: Apache-2.0
#include "algorithm/many_to_all/edst.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/torus_rings.hpp"
#include "core/invalid.hpp"

namespace lockstep {
namespace {

constexpr double usual_startup_blocks = 100;  // where nobody says what a start-up takes

/// The largest message of each step so far.
using Largest = std::vector<std::uint64_t>;

void note(Largest& largest, std::uint64_t step, std::uint64_t blocks) {
  if (largest.size() <= step) largest.resize(step + 1);
  largest[step] = std::max(largest[step], blocks);
}

/// Replaces the blocks that nodes hold by those that they and all below them hold.
void add_from_below(const SpanningTree& tree, std::vector<std::uint32_t>& held) {
  for (auto node = tree.by_level().rbegin(); node != tree.by_level().rend(); ++node)
    for (const SpanningTree::Child& child : tree.children(NodeId{node->node}))
      held[node->node] += held[child.node];
}

/// All that have anything of that tree send up to a packet to their parents, until the root has
/// all. `held`: of all nodes nothing, before and behind it.
void gather_packets(const EdstPlan& plan, std::size_t k, std::uint32_t packet,
                    std::vector<std::uint32_t>& held, Largest& largest) {
  std::vector<std::uint64_t> senders;
  for (std::uint32_t block = 0; block < plan.makers.blocks(); ++block) {
    if (block % EdstTrees::count != k) continue;
    const std::uint64_t u = index(plan.trees->place(k, plan.makers.home(block)));
    if (u != 0 && held[u]++ == 0) senders.push_back(u);
  }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> sent;  // to whom how many
  for (std::uint64_t step = 0; !senders.empty(); ++step) {
    sent.clear();
    for (const std::uint64_t u : senders) {
      sent.emplace_back(index(plan.trees->parent(NodeId{u})), std::min(held[u], packet));
      held[u] -= sent.back().second;
      note(largest, step, sent.back().second);
    }
    std::erase_if(senders, [&](std::uint64_t u) { return held[u] == 0; });
    for (const auto& [parent, blocks] : sent) {
      if (parent == 0) continue;
      if (held[parent] == 0) senders.push_back(parent);
      held[parent] += blocks;
    }
  }
}

/// Level by level, the deepest first, everything at once.
void gather_bulk(const SpanningTree& tree, const std::vector<std::uint32_t>& gathered,
                 Largest& largest) {
  for (const SpanningTree::Child& node : tree.by_level())
    if (const std::uint64_t depth = tree.depth(NodeId{node.node}); depth != 0)
      note(largest, tree.height() - depth, gathered[node.node]);
}

/// In times of a block, as all below.
[[nodiscard]] double time_of(const EdstTiming& timing, double startup) {
  return static_cast<double>(timing.steps) * startup + timing.cost.message_times.value();
}

/// Packets of 1, 2, 4, .. blocks, and as many as a tree has.
[[nodiscard]] std::vector<std::uint64_t> packets_of(std::uint64_t share) {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t packet = 1; packet < share; packet *= 2) sizes.push_back(packet);
  sizes.push_back(std::max<std::uint64_t>(share, 1));
  return sizes;
}

[[nodiscard]] EdstTrees::Form form_in(const Settings& settings, std::uint64_t side) {
  const auto& forms = EdstTrees::forms;
  const auto form = std::ranges::find(forms, settings.text("trees"));
  return form == forms.end() ? EdstTrees::lowest(side)
                             : static_cast<EdstTrees::Form>(form - forms.begin());
}

/// The one of least time, in the order of what the broadcast alone takes: where that is no less
/// than the best of all, no gathering need be counted.
[[nodiscard]] EdstTiming best_timing(const EdstPlan& plan, double startup) {
  const std::uint64_t share = plan.share();
  const auto broadcast_time = [&](std::uint64_t packet) {
    const std::uint64_t steps = (share + packet - 1) / packet + plan.trees->height() - 1;
    return static_cast<double>(steps) * (startup + static_cast<double>(packet));
  };
  std::vector<std::uint64_t> sizes = packets_of(share);
  std::ranges::sort(sizes, [&](std::uint64_t a, std::uint64_t b) {
    return broadcast_time(a) < broadcast_time(b);
  });
  EdstTiming best = plan.timing_of(EdstPace::bulk, 0);
  for (const std::uint64_t packet : sizes) {
    // The last packet may be shorter by less than its length, in one step.
    if (broadcast_time(packet) >= time_of(best, startup) + static_cast<double>(packet)) continue;
    const EdstTiming timing = plan.timing_of(EdstPace::packets, packet);
    if (time_of(timing, startup) <= time_of(best, startup)) best = timing;
  }
  return best;
}

constexpr std::uint64_t most_side = std::uint64_t{1} << 14U;
constexpr NetworkShape square_torus{.text = "two-dimensional torus",
                                    .plural = "two-dimensional tori",
                                    .clause = " with equal sides",
                                    .is =
                                        [](const ErasedTopology& network) {
                                          if (!plane_torus.holds(network)) return false;
                                          const std::vector<TorusRing> rings =
                                              rings_of(*network.as<Torus>());
                                          return rings[0].side == rings[1].side;
                                        },
                                    .wider = &plane_torus};

[[nodiscard]] std::shared_ptr<EdstPlan> plan_of(const Torus& torus, const Settings& settings,
                                                const Pattern& fixed) {
  const PlacementGrid grid = grid_of(torus, Edst::info.name);
  if (grid.rows != grid.columns || grid.rows > most_side)
    throw invalid("{} on {}: expected a square torus with sides of up to {}", Edst::info.name,
                  torus.name(), grouped(most_side));
  return std::make_shared<EdstPlan>(
      std::make_shared<const EdstTrees>(torus, form_in(settings, grid.rows)),
      homes_of(settings, grid, fixed));
}

[[nodiscard]] Setting packet_of(const EdstTiming& timing) {
  return timing.pace == EdstPace::bulk ? Setting(std::string("bulk"))
                                       : Setting(std::uint64_t{timing.packet});
}

/// A packet of more blocks than a tree has would be a smaller one.
[[nodiscard]] std::uint64_t checked_packet(const Settings& settings, const EdstPlan& plan) {
  const std::uint64_t packet = settings.number("packet");
  const std::uint64_t most = std::max<std::uint64_t>(plan.share(), 1);
  if (packet > most)
    throw invalid(
        "packet: {} is not valid; expected 1..{} (the blocks of a spanning tree), bulk or auto",
        packet, most);
  return packet;
}

[[nodiscard]] bool is_open(const Settings& settings) {
  return settings.find("packet") == nullptr || settings.text("packet") == "auto";
}

}  // namespace

EdstPlan::EdstPlan(std::shared_ptr<const EdstTrees> four, Pattern homes)
    : trees(std::move(four)),
      makers(std::move(homes), trees->first().node_count(), trees->first().node_count()) {
  for (std::vector<std::uint32_t>& of_tree : gathered) of_tree.resize(trees->first().node_count());
  for (std::uint32_t block = 0; block < makers.blocks(); ++block) {
    const std::size_t k = block % EdstTrees::count;
    ++gathered[k][index(trees->place(k, makers.home(block)))];
  }
  for (std::vector<std::uint32_t>& of_tree : gathered) add_from_below(trees->first(), of_tree);
}

EdstTiming EdstPlan::timing_of(EdstPace pace, std::uint64_t packet_blocks) const {
  const std::uint64_t most = std::max<std::uint64_t>(share(), 1);
  const std::uint64_t packet = pace == EdstPace::bulk ? most : std::min(packet_blocks, most);
  EdstTiming found{.pace = pace,
                   .packet = static_cast<std::uint32_t>(packet),
                   .packets = (most + packet - 1) / packet};
  Largest largest;
  std::vector<std::uint32_t> held(pace == EdstPace::packets ? trees->first().node_count() : 0);
  for (std::size_t k = 0; k < EdstTrees::count; ++k) {
    if (pace == EdstPace::packets)
      gather_packets(*this, k, found.packet, held, largest);
    else
      gather_bulk(trees->first(), gathered[k], largest);
  }
  found.gather_steps = found.steps = largest.size();
  if (share() != 0 || pace == EdstPace::bulk) found.steps += found.packets + trees->height() - 1;
  // The last packet is alone on its way in the last step only, or is the only one.
  for (std::uint64_t step = found.gather_steps; step < found.steps; ++step) {
    const bool alone = step + 1 == found.steps || found.packets == 1;
    note(largest, step, alone ? share() - (found.packets - 1) * packet : packet);
  }
  const auto moves = [](std::uint64_t blocks) { return blocks != 0; };
  found.cost = {.startups = static_cast<std::uint64_t>(std::ranges::count_if(largest, moves)),
                .message_times = std::accumulate(largest.begin(), largest.end(), std::uint64_t{0})};
  return found;
}

std::vector<NodeId> EdstProgram::starts() const {
  std::vector<NodeId> nodes{root};
  for (std::uint64_t u = 1; u < plan_->trees->first().node_count(); ++u)
    if (plan_->makers.count_of(NodeId{u}) != 0) nodes.push_back(NodeId{u});
  return nodes;
}

std::vector<std::uint32_t> EdstProgram::regions() const {
  std::vector<std::uint32_t> blocks;
  for (const std::vector<std::uint32_t>& of_tree : plan_->gathered)
    blocks.push_back(of_tree.front() + plan_->passing());
  return blocks;
}

std::uint32_t EdstProgram::blocks_of(NodeId node, Region region) const {
  const NodeId place = plan_->trees->place(index(region), node);
  const bool passes_on = place != root && !plan_->trees->children(place).empty();
  return plan_->gathered[index(region)][index(place)] + (passes_on ? plan_->passing() : 0);
}

SupportedNetworks Edst::networks() {
  return square_torus.with(at_least(torus_side, least_torus_side))
      .with(at_most(torus_side, most_side));
}

Edst::Edst(const Torus& torus, const Settings& settings, const Pattern& fixed) {
  const std::shared_ptr<EdstPlan> plan = plan_of(torus, settings, fixed);
  plan->timing = is_open(settings) ? best_timing(*plan, usual_startup_blocks)
                 : settings.text("packet") == "bulk"
                     ? plan->timing_of(EdstPace::bulk, 0)
                     : plan->timing_of(EdstPace::packets, checked_packet(settings, *plan));
  plan_ = plan;
  plan_->makers.check_room(info.name, std::ranges::max(Program(plan_).regions()));
}

Footprint Edst::footprint() const {
  const SpanningTree& tree = plan_->trees->first();
  const std::uint64_t nodes = tree.node_count();
  std::uint64_t blocks = 0;
  for (const std::vector<std::uint32_t>& of_tree : plan_->gathered)
    blocks += std::accumulate(of_tree.begin(), of_tree.end(), std::uint64_t{0});
  std::uint64_t inner = 0;
  for (std::uint64_t u = 1; u < nodes; ++u) inner += tree.children(NodeId{u}).empty() ? 0U : 1U;
  blocks += EdstTrees::count * inner * plan_->passing();
  return {
      .steps = plan_->timing.steps,
      .blocks_per_processor = blocks / nodes + 1,
      .plan_bytes = nodes * (EdstTrees::bytes_per_node + EdstTrees::count * sizeof(std::uint32_t)) +
                    plan_->makers.bytes()};
}

Settings Edst::chosen() const {
  return {{"messages", plan_->makers.messages()},
          {"packet", packet_of(plan_->timing)},
          {"trees", std::string(EdstTrees::forms[static_cast<std::size_t>(plan_->trees->form())])}};
}

std::vector<Settings> Edst::choices(const Torus& torus, const Settings& settings,
                                    const Pattern& fixed, double startup_blocks) {
  if (!is_open(settings)) return {};
  const double parts = static_cast<double>(settings.number(parts_parameter.name, 1));
  return {{{"packet",
            packet_of(best_timing(*plan_of(torus, settings, fixed), startup_blocks * parts))}}};
}

std::optional<Variants> Edst::variants() const {
  std::vector<Settings> choices;
  for (const std::uint64_t packet : packets_of(plan_->share()))
    choices.push_back({{"packet", packet}});
  choices.push_back({{"packet", std::string("bulk")}});
  return Variants{.all = {}, .cheapest_of = {std::move(choices)}};
}

}  // namespace lockstep
