// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/star_packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "topology/star_routing.hpp"

namespace lockstep {
namespace {

using Factors = std::vector<std::uint64_t>;

[[nodiscard]] std::vector<std::size_t> chain_of(std::size_t n, Factors factors) {
  if (factors.empty()) factors.push_back(std::min<std::size_t>(3, n - 1));
  std::vector<std::size_t> chain{n};
  for (const std::uint64_t k : factors) {
    const bool alone = factors.size() == 1;
    if (const bool small = k < (alone ? 1U : 2U); small || k >= chain.back())
      throw invalid(
          "k: {}; allowed for star:{}: 1{}{}",
          small               ? fmt::format("{} is too small{}", k, alone ? "" : " for a chain")
          : chain.size() == 1 ? fmt::format("{} is too large", k)
                              : fmt::format("chain '{}' is not decreasing", joined(factors, ",")),
          n, n > 2 ? fmt::format(" to {}", n - 1) : "",
          n > 3 ? fmt::format(", or a decreasing chain of factors between {} and 2", n - 1) : "");
    if (k > 1) chain.push_back(k);
  }
  chain.push_back(1);
  return chain;
}

/// All between the ends of a chain, or 1 where there is none.
[[nodiscard]] Factors factors_in(const std::vector<std::size_t>& chain) {
  if (chain.size() <= 2) return {1};
  return {chain.begin() + 1, chain.end() - 1};
}

/// Every decreasing chain of two factors or more between `largest` and 2: 4,3,2; 4,3; 4,2; 3,2.
[[nodiscard]] std::vector<Factors> chains_up_to(std::size_t largest) {
  std::vector<Factors> chains;
  const std::size_t subsets = std::size_t{1} << (largest < 2 ? 0 : largest - 1);
  for (std::size_t subset = subsets; subset-- > 0;) {
    Factors chain;  // bit k - 2: k is in it
    for (std::size_t k = largest; k >= 2; --k)
      if (((subset >> (k - 2)) & 1U) != 0) chain.push_back(k);
    if (chain.size() >= 2) chains.push_back(std::move(chain));
  }
  return chains;
}

/// The two places a message alternates between on its way: one is read by the next node while the
/// other is written.
class AlternatingRegions {
 public:
  AlternatingRegions(Schedule& schedule, std::uint32_t blocks)
      : regions_{schedule.add_region(blocks), schedule.add_region(blocks)} {}

  [[nodiscard]] Blocks next(std::uint32_t count) {
    turn_ = 1 - turn_;
    return {regions_[turn_], 0, count};
  }

 private:
  Region regions_[2];
  std::size_t turn_ = 0;
};

/// The packets of the packing algorithms: what is in them, in which order, and how they travel.
class StarPackets {
 public:
  /// Routes inside substars of m_t symbols, with packets of m_{t+1}! blocks.
  struct Level {
    std::vector<StarRoute> routes;
    std::uint32_t blocks;  ///< in a packet
    AlternatingRegions places;

    [[nodiscard]] Blocks next_place() { return places.next(blocks); }
  };

  StarPackets(const StarGraph& star, const std::vector<std::size_t>& chain)
      : star_(star), schedule_(star) {
    for (std::size_t t = 0; t + 1 < chain.size(); ++t) {
      const auto blocks = static_cast<std::uint32_t>(factorial(chain[t + 1]));
      levels_.push_back({star_routes(chain[t], chain[t + 1]), blocks, {schedule_, blocks}});
    }
    addresses_ = schedule_.add_elements(slot_addresses(1));
  }

  /// For i = 1 to N: step (2) of the paper.
  [[nodiscard]] Schedule exchange() && {
    for (const StarRoute& route : levels_[0].routes) {
      if (levels_[0].blocks == 1 && route.ports.empty()) continue;  // the own block
      const Permutation x = extended(route.end);
      const Blocks packet = load(x, levels_[0].next_place());  // (2i), (2ii)
      distribute(0, carry(0, packet, route, x), x);            // (2iii), (2iv)
    }
    return std::move(*this).schedule();
  }

  [[nodiscard]] Level& level(std::size_t t) { return levels_[t]; }
  [[nodiscard]] Permutation extended(Permutation x) const { return x.extended(star_.symbols()); }
  [[nodiscard]] Schedule& writing() { return schedule_; }
  [[nodiscard]] Schedule schedule() && {
    schedule_.close();
    return std::move(schedule_);
  }

  /// The own blocks for the substar around u x, as one packet.
  Blocks load(Permutation x, Blocks into) {
    schedule_.load(into, element(x), addresses_);
    return into;
  }

  /// The representative is the destination. Its own block never left it.
  void deliver_here(Blocks block, Permutation address) {
    if (address == Permutation::identity(star_.symbols())) return;
    schedule_.deliver(block, element(address.inverse()));
  }

 private:
  /// Step (2iii): the packet along the route to u `address`; a single block is delivered there.
  Blocks carry(std::size_t t, Blocks packet, const StarRoute& route, Permutation address) {
    for (std::size_t hop = 0; hop < route.ports.size(); ++hop) {
      if (packet.count == 1 && hop + 1 == route.ports.size()) {
        schedule_.move_and_deliver(route.ports[hop], packet, element(address.inverse()));
      } else {
        const Blocks next = levels_[t].next_place();
        schedule_.move(route.ports[hop], packet, next);
        packet = next;
      }
    }
    return packet;
  }

  /// Step (2iv): inside the substar, the blocks of `packet`, whose representative is u `x`.
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the chain is long
  void distribute(std::size_t t, Blocks packet, Permutation x) {
    if (packet.count == 1) return;
    const Level& inner = levels_[t + 1];
    Blocks part{packet.region, packet.first, inner.blocks};
    for (const StarRoute& route : inner.routes) {
      const Permutation address = compose(x, extended(route.end));
      if (inner.blocks == 1 && route.ports.empty())
        deliver_here(part, address);
      else
        distribute(t + 1, carry(t + 1, part, route, address), address);
      part.first += inner.blocks;
    }
  }

  /// Relative address of each slot of a packet of m_t! blocks: the packets of the next level lie
  /// one behind the other, in the order of their routes.
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the chain is long
  [[nodiscard]] std::vector<NodeId> slot_addresses(std::size_t t) const {
    if (t == levels_.size()) return {star_.identity()};
    const std::vector<NodeId> inner = slot_addresses(t + 1);
    std::vector<NodeId> addresses;
    for (const StarRoute& route : levels_[t].routes)
      for (const NodeId slot : inner)
        addresses.push_back(star_.product(star_.node(extended(route.end)), slot));
    return addresses;
  }

  [[nodiscard]] Elements element(Permutation x) {
    const NodeId node = star_.node(x);
    return schedule_.add_elements({&node, 1});
  }

  const StarGraph& star_;
  Schedule schedule_;
  std::vector<Level> levels_;
  Elements addresses_;
};

/// Packing in batches of B > 1 packets. Precondition: the chain is (n, k, 1), B <= n!/k!.
class BatchedRedistribution {
 public:
  BatchedRedistribution(const StarGraph& star, const std::vector<std::size_t>& chain,
                        std::size_t batch)
      : star_(star),
        packets_(star, chain),
        batch_(batch),
        kept_(packets_.writing(), static_cast<std::uint32_t>(batch) * packets_.level(0).blocks),
        messages_(packets_.writing(), static_cast<std::uint32_t>(batch)) {}

  [[nodiscard]] Schedule exchange() && {
    const std::span<const StarRoute> routes = packets_.level(0).routes;
    for (std::size_t begin = 0; begin < routes.size(); begin += batch_) {
      const auto group = routes.subspan(begin, std::min(batch_, routes.size() - begin));
      // The last messages of the batch before are still read.
      const Blocks first = kept_.next(packets_.level(0).blocks);
      collect(group, first);
      redistribute(group, first.region);
    }
    return std::move(packets_).schedule();
  }

 private:
  /// Steps (2i) to (2iii) for every packet of the batch; packet q stays in the q-th place.
  void collect(std::span<const StarRoute> group, Blocks place) {
    for (const StarRoute& route : group) {
      const Permutation x = packets_.extended(route.end);
      Blocks packet =
          packets_.load(x, route.ports.empty() ? place : packets_.level(0).next_place());
      for (std::size_t hop = 0; hop < route.ports.size(); ++hop) {
        const bool last = hop + 1 == route.ports.size();
        const Blocks next = last ? place : packets_.level(0).next_place();
        packets_.writing().move(route.ports[hop], packet, next);
        packet = next;
      }
      place.first += place.count;
    }
  }

  /// Step (2iv) for the whole batch: one message of group.size() blocks for each processor.
  void redistribute(std::span<const StarRoute> group, Region kept) {
    Schedule& schedule = packets_.writing();
    const auto size = static_cast<std::uint32_t>(group.size());
    const std::vector<StarRoute>& inner = packets_.level(1).routes;
    for (std::uint32_t slot = 0; slot < inner.size(); ++slot) {
      const StarRoute& route = inner[slot];
      std::vector<NodeId> sources;
      for (std::uint32_t q = 0; q < size; ++q) {
        const Permutation address =
            compose(packets_.extended(group[q].end), packets_.extended(route.end));
        sources.push_back(star_.node(address.inverse()));
        if (route.ports.empty()) packets_.deliver_here({kept, part(q, slot), 1}, address);
      }
      if (route.ports.empty()) continue;
      schedule.send(route.ports[0], kept, list_of(slot, size));
      schedule.next_step();
      for (std::size_t hop = 1; hop < route.ports.size(); ++hop) {
        const Blocks message = messages_.next(size);
        schedule.take_store(route.ports[hop - 1], message);
        schedule.send(route.ports[hop], message);
        schedule.next_step();
      }
      schedule.take_deliver(route.ports.back(), schedule.add_elements(sources));
    }
  }

  /// Block `slot` of packet q.
  [[nodiscard]] std::uint32_t part(std::uint32_t q, std::uint32_t slot) {
    return q * packets_.level(0).blocks + slot;
  }
  /// Block `slot` of each of `size` kept packets: one list for all batches of that size.
  [[nodiscard]] GatherList list_of(std::uint32_t slot, std::uint32_t size) {
    const auto [known, added] = lists_.try_emplace({slot, size});
    if (added) {
      std::vector<std::uint32_t> parts;
      for (std::uint32_t q = 0; q < size; ++q) parts.push_back(part(q, slot));
      known->second = packets_.writing().add_list(parts);
    }
    return known->second;
  }

  const StarGraph& star_;
  StarPackets packets_;
  std::size_t batch_;
  AlternatingRegions kept_;
  AlternatingRegions messages_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, GatherList> lists_;
};

}  // namespace

StarPacking::StarPacking(const StarGraph& star, const Settings& settings)
    : star_(star), chain_(chain_of(star.symbols(), settings.numbers("k"))) {
  const bool automatically = settings.text("batch") == automatic;
  batch_ = settings.number("batch", 1);
  if (batch_ == 1 && !automatically) return;
  const std::string given = automatically ? std::string(automatic) : fmt::format("{}", batch_);
  if (chain_.size() != 3)
    throw invalid("batch: {} is possible only with a single packing factor of at least 2", given);
  const std::uint64_t blocks = factorial(chain_[1]);
  const std::uint64_t packets = factorial(chain_[0]) / blocks;
  if (automatically) batch_ = std::min(blocks, packets);
  const std::uint64_t most = std::min(packets, max_region_blocks / blocks);
  if (batch_ < 1 || batch_ > most)
    throw invalid("batch: {} is not valid; expected 1..{}", batch_, most);
}

Schedule StarPacking::schedule() const {
  if (batch_ > 1) return BatchedRedistribution(star_, chain_, batch_).exchange();
  return StarPackets(star_, chain_).exchange();
}

Settings StarPacking::chosen() const { return {{"k", factors_in(chain_)}, {"batch", batch_}}; }

std::optional<Variants> StarPacking::variants() const {
  Variants variants;
  std::vector<Settings> batched;
  const std::size_t n = star_.symbols();
  for (std::uint64_t k = 1; k < n; ++k) {
    variants.all.push_back({{"k", Factors{k}}});
    if (k > 1) batched.push_back({{"k", Factors{k}}, {"batch", std::string(automatic)}});
  }
  std::vector<Settings> chains;
  for (Factors& chain : chains_up_to(n - 1)) chains.push_back({{"k", std::move(chain)}});
  variants.cheapest_of = {std::move(chains), std::move(batched)};
  return variants;
}

}  // namespace lockstep
