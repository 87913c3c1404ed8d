// SPDX-License-Identifier: Apache-2.0
#include "algorithm/many_to_all/aggregation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "algorithm/many_to_all/aggregation_schedule.hpp"
#include "core/invalid.hpp"

namespace lockstep {

namespace {

constexpr std::uint32_t words_of_a_node = 8;  // twice as many where a message has two

[[nodiscard]] std::shared_ptr<const AggregationPlan> plan_for(AggregationShape shape,
                                                              const Settings& settings,
                                                              Pattern homes) {
  const std::uint64_t h = settings.number("h");
  if (h == 0 || shape.common() % h != 0)
    throw invalid("h: {} is not valid; expected a divisor of both sides, {} and {}", h, shape.rows,
                  shape.columns);
  shape.h = static_cast<std::uint32_t>(h);
  return std::make_shared<const AggregationPlan>(AggregationSchedule(shape), std::move(homes));
}

/// The divisors of both sides; of plus, but on very large tori, with everything else that `given`
/// leaves open.
[[nodiscard]] std::vector<Settings> open_choices(const PlacementGrid& grid, const Settings& given,
                                                 AggregationVariant variant) {
  constexpr std::uint64_t most_nodes = 1U << 16U;  // of which all is tried
  constexpr std::array<std::array<std::string_view, 3>, 3> words{
      {{"scatter", "no", "yes"}, {"pieces", "no", "yes"}, {"tuning", "modulo", "near"}}};
  const std::uint64_t common = std::gcd(grid.rows, grid.columns);
  std::vector<Settings> choices;
  for (std::uint64_t h = 1; h <= common; ++h)
    if (common % h == 0) choices.push_back({{"h", h}});
  if (variant != AggregationVariant::halves || grid.rows * grid.columns > most_nodes)
    return choices;
  for (const auto& [name, plain, other] : words) {
    if (given.find(name) != nullptr) continue;
    for (std::size_t i = 0, end = choices.size(); i < end; ++i) {
      const bool square = grid.rows == grid.columns && choices[i].number("h") == grid.rows;
      if (name == "tuning" && !square) continue;
      choices.push_back(choices[i]);
      choices.back()[name] = std::string(other);
    }
  }
  return choices;
}

/// The numbers of all links of the moves, each number once: much fewer than the links of a side.
[[nodiscard]] std::set<std::uint32_t> links_of(const AggregationSchedule& schedule) {
  std::set<std::uint32_t> links;
  for (const AggregationSchedule::Table& table : schedule.tables())
    for (const TravelMoves& moves : table) links.insert(moves.begin(), moves.end());
  links.erase(0);
  return links;
}

}  // namespace

AggregationPlan::AggregationPlan(AggregationSchedule moves, Pattern homes)
    : schedule(std::move(moves)),
      load(load_of(schedule, *homes.homes())),
      makers(std::move(homes), load.gathered.size(), load.gathered.size()) {
  for (const std::uint32_t links : links_of(schedule)) {
    places.resize(links + 1);
    places[links] = static_cast<std::uint32_t>(routes.size() / 4);
    for (std::size_t way = 0; way < 4; ++way) routes.add(std::vector<Port>(links, port(way)));
  }
  diagonals = static_cast<std::uint32_t>(routes.size());
  if (schedule.shape().variant != AggregationVariant::halves) return;
  for (const std::uint32_t links : links_of(schedule))
    for (const Travel way : {Travel::down, Travel::up}) {
      std::vector<Port> ports(links, port(index(way)));
      ports.insert(ports.end(), links, port(index(turned(way))));
      routes.add(ports);
    }
}

std::vector<std::uint32_t> AggregationProgram::regions() const {
  const AggregationLoad& load = plan().load;
  const std::uint32_t rings = (halves() ? 5 : 1) * load.pack;
  return {*std::ranges::max_element(load.gathered), *std::ranges::max_element(load.regrouped),
          2 * load.pack, rings, words_of_a_node * words_of_a_message()};
}

std::uint32_t AggregationProgram::blocks_of(NodeId node, Region region) const {
  const AggregationLoad& load = plan().load;
  if (region == gathered) return load.gathered[index(node)];
  if (region == regrouped) return load.regrouped[index(node)];
  if (region == ring) return (halves() ? 5 : 1) * load.pack;
  if (halves() && !in_a_ddn(node)) return 0;  // holds no pack; nobody's message turns there
  if (region == words) return words_of_a_node * words_of_a_message();
  return class_of(node) == 0 ? 2 * load.pack : load.pack;
}

AggregationAlgorithm::AggregationAlgorithm(const Torus& torus, const Settings& settings,
                                           const Pattern& fixed, std::string_view name,
                                           AggregationVariant variant) {
  const PlacementGrid grid = grid_of(torus, name);
  const AggregationShape shape{.rows = static_cast<std::uint32_t>(grid.rows),
                               .columns = static_cast<std::uint32_t>(grid.columns),
                               .confined = settings.text("confined") == "yes",
                               .variant = variant,
                               .scatter = settings.text("scatter") == "yes",
                               .near = settings.text("tuning") == "near",
                               .pieces = settings.text("pieces") == "yes"};
  plan_ = plan_for(shape, settings, homes_of(settings, grid, fixed));
  plan_->makers.check_room(name, std::ranges::max(Program(plan_).regions()));
}

Footprint AggregationAlgorithm::footprint() const {
  const AggregationLoad& load = plan_->load;
  const AggregationShape& shape = plan_->schedule.shape();
  const bool halves = shape.variant == AggregationVariant::halves;
  const std::uint64_t nodes = load.gathered.size();
  const std::uint64_t in_ddns = halves ? nodes / shape.h : 0;
  const std::uint64_t packs = (halves ? 5 : 2) * nodes + in_ddns + nodes / shape.common();
  const std::uint64_t uneven =
      std::accumulate(load.gathered.begin(), load.gathered.end(), std::uint64_t{0}) +
      std::accumulate(load.regrouped.begin(), load.regrouped.end(), std::uint64_t{0});
  const std::uint64_t words =
      (halves ? in_ddns : nodes) * words_of_a_node * (shape.near ? 2 : 1) * word_bytes;
  std::uint64_t links = 0;
  for (std::uint32_t route = 0; route < plan_->routes.size(); ++route)
    links += plan_->routes.ports(Route{route}).size();
  return {.steps = plan_->schedule.steps().size(),
          .blocks_per_processor = (packs * load.pack + uneven) / nodes + 1,
          .plan_bytes = words + nodes * 2 * sizeof(std::uint32_t) + plan_->makers.bytes() +
                        plan_->places.size() * sizeof(std::uint32_t) + links * sizeof(Port)};
}

std::optional<Variants> AggregationAlgorithm::variants() const {
  const AggregationShape& shape = plan_->schedule.shape();
  return Variants{.all = {},
                  .cheapest_of = {open_choices({shape.rows, shape.columns, 0}, {}, shape.variant)}};
}

std::vector<Settings> AggregationAlgorithm::choices_of(const Torus& torus, const Settings& settings,
                                                       std::string_view name,
                                                       AggregationVariant variant) {
  const Setting* const h = settings.find("h");
  if (h != nullptr && std::holds_alternative<std::uint64_t>(*h)) return {};
  return open_choices(grid_of(torus, name), settings, variant);
}

/// Phases of the schedule that deal blocks out: A0 over a node's links, A3 among the DDNs.
///
/// Nodes of one colour are so far apart in their row and column that their messages do not meet.
void AggregationSchedule::add_scatter() {
  const std::uint32_t all = shape_.common();
  for (const std::uint32_t links : {3U, 1U}) {
    const std::uint32_t groups = all / links;  // of classes, one of each colour in every group
    if (links != 1 && groups < 2) continue;
    for (std::uint32_t colour = 0; colour * groups < all; ++colour) {
      Table table(all);
      for (std::uint32_t group = 0; group < groups; ++group) {
        const std::uint32_t own = group * all / groups + colour;
        if (own < (group + 1) * all / groups) table[own].fill(links);
      }
      add(AggregationPhase::scatter, colour, std::move(table));
    }
  }
}

void AggregationSchedule::add_tuning() {
  for (std::uint32_t stage = 0; stage < stages_; ++stage) {
    Table table(1);
    std::vector<std::int32_t> offsets(shape_.h);
    std::iota(offsets.begin(), offsets.end(), -static_cast<std::int32_t>((shape_.h - 1) / 2));
    for (const std::int32_t offset : offsets)
      if (const std::int32_t move = tuning_move(offset, stage); move != 0)
        table[0][index(tuning_way(move, stage))] = static_cast<std::uint32_t>(std::abs(move));
    add_turning(AggregationPhase::tune, stage, std::move(table));
  }
}

std::int32_t AggregationSchedule::nearest(std::uint32_t stage) const noexcept {
  std::int32_t width = 1;
  for (std::uint32_t r = 0; r < stage; ++r) width *= static_cast<std::int32_t>(ways());
  const auto half = static_cast<std::int32_t>(shape_.h / 2);
  return stage + 1 == stages_ ? std::min(half - (width - 1) / 2, width) : width;
}

std::int32_t AggregationSchedule::tuning_move(std::int32_t offset,
                                              std::uint32_t stage) const noexcept {
  const auto base = static_cast<std::int32_t>(ways());
  std::int32_t width = 1;
  for (std::uint32_t r = 1; r < stages_; ++r) width *= base;
  const std::int32_t rest_at_most = (width - 1) / 2;
  const std::int32_t far = static_cast<std::int32_t>(shape_.h / 2) - rest_at_most;
  const std::int32_t near = std::min(far, width);
  std::int32_t last = 0;
  if (std::abs(offset) > rest_at_most) last = std::abs(offset) <= near + rest_at_most ? near : far;
  if (offset < 0) last = -last;
  if (stage + 1 == stages_) return last;
  std::int32_t rest = offset - last;
  std::int32_t unit = 1;
  for (std::uint32_t r = 0;; ++r, unit *= base) {
    const std::int32_t digit = (rest % base + base + base / 2) % base - base / 2;  // balanced
    if (r == stage) return digit * unit;
    rest = (rest - digit) / base;
  }
}

Travel AggregationSchedule::tuning_way(std::int32_t move, std::uint32_t stage) const noexcept {
  const bool near = halves() || std::abs(move) == nearest(stage);
  const Travel way = near ? Travel::down : Travel::right;
  return move > 0 ? way : opposite(way);
}

std::int32_t AggregationSchedule::tuning_offset(std::uint64_t rank, std::uint64_t total,
                                                std::uint32_t k) const noexcept {
  const auto h = static_cast<std::int64_t>(shape_.h);
  const std::int64_t least = -((h - 1) / 2);
  const std::uint64_t ddn = shape_.near ? first_ranked_ + rank * shape_.h / total : rank;
  const std::int64_t away = static_cast<std::int64_t>(ddn % shape_.h) - k - least;
  return static_cast<std::int32_t>((away % h + h) % h + least);
}

}  // namespace lockstep
