// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Packing with batched redistribution: the part of StarPacking with a batch of B > 1.
/// Model:   single-port, full-duplex.
/// Idea:    route B packets before opening any; then one message per processor of the substar
///          carries a block of each of them.
/// Cost:    (n!/k!) l(n,k) + ceil(n!/k!/B) k! l(k,1) start-ups; message times as without batches.
/// Source:  not in the paper; with B = k! no packet is larger than the paper's.
/// Differs: an improvement on step (2iv), for chains (n, k, 1).

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "algorithm/total_exchange/star_packets.hpp"

namespace lockstep {

class StarBatchedRedistribution {
 public:
  /// Precondition: chain = (n, k, 1), 1 <= batch <= n!/k!.
  StarBatchedRedistribution(const StarGraph& star, const std::vector<std::size_t>& chain,
                            std::uint64_t batch)
      : star_(star),
        packets_(star, chain),
        batch_(static_cast<std::size_t>(batch)),
        kept_{add_kept(), add_kept()},
        messages_(packets_.schedule(), static_cast<std::uint32_t>(batch)) {}

  [[nodiscard]] NodeInvariantSchedule schedule() && {
    const std::span<const StarRoute> routes = packets_.routes(0);
    std::size_t turn = 0;
    for (std::size_t begin = 0; begin < routes.size(); begin += batch_) {
      const auto group = routes.subspan(begin, std::min(batch_, routes.size() - begin));
      turn = 1 - turn;  // the last messages of the batch before are still read
      collect(group, kept_[turn]);
      redistribute(group, kept_[turn]);
    }
    return packets_.take_schedule();
  }

 private:
  Region add_kept() {
    return packets_.schedule().add_region(static_cast<std::uint32_t>(batch_) * packets_.blocks(0));
  }

  /// Steps (2i) to (2iii) for every packet of the batch; packet q stays in the q-th part of `kept`.
  void collect(std::span<const StarRoute> group, Region kept) {
    const std::uint32_t size = packets_.blocks(0);
    Blocks place{kept, 0, size};
    for (const StarRoute& route : group) {
      const Permutation x = packets_.extended(route.end);
      Blocks packet = route.ports.empty() ? packets_.load(x, place) : packets_.load(x);
      for (std::size_t hop = 0; hop < route.ports.size(); ++hop) {
        const bool last = hop + 1 == route.ports.size();
        const Blocks next = last ? place : packets_.next_place(0);
        packets_.schedule().move(route.ports[hop], packet, next);
        packet = next;
      }
      place.first += size;
    }
  }

  /// Step (2iv) for the whole batch: one message of group.size() blocks for each processor.
  void redistribute(std::span<const StarRoute> group, Region kept) {
    NodeInvariantSchedule& schedule = packets_.schedule();
    const auto size = static_cast<std::uint32_t>(group.size());
    for (std::uint32_t slot = 0; slot < packets_.routes(1).size(); ++slot) {
      const StarRoute& route = packets_.routes(1)[slot];
      const auto part = [&](std::uint32_t q) { return q * packets_.blocks(0) + slot; };
      std::vector<NodeId> sources;
      for (std::uint32_t q = 0; q < size; ++q) {
        const Permutation address =
            compose(packets_.extended(group[q].end), packets_.extended(route.end));
        sources.push_back(star_.node(address.inverse()));
        if (route.ports.empty()) packets_.deliver_here({kept, part(q), 1}, address);
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

  /// Block `slot` of each of `size` kept packets: one list for all batches of that size.
  [[nodiscard]] GatherList list_of(std::uint32_t slot, std::uint32_t size) {
    const auto [known, added] = lists_.try_emplace({slot, size});
    if (added) {
      std::vector<std::uint32_t> parts;
      for (std::uint32_t q = 0; q < size; ++q) parts.push_back(q * packets_.blocks(0) + slot);
      known->second = packets_.schedule().add_list(parts);
    }
    return known->second;
  }

  StarGraph star_;
  StarPackets packets_;
  std::size_t batch_;
  Region kept_[2];
  AlternatingRegions messages_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, GatherList> lists_;
};

}  // namespace lockstep
