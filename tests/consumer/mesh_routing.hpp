// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <lockstep/lockstep.hpp>
#include <vector>

/// Blocks from anywhere to anywhere on a mesh, each along dimension 1, then dimension 2, ..: its
/// label says whose block it is and for whom. Where several want through a port they queue.
struct MeshRouting {
  struct Memory {                                   // of one processor
    std::vector<std::deque<std::uint32_t>> queues;  // slots of blocks that wait, by port
    std::uint32_t used = 0;                         // slots: none is used twice
  };
  static constexpr auto activity = lockstep::Activity::dense;
  static constexpr lockstep::Traits traits = lockstep::Traits::labels;
  static constexpr lockstep::Region room{0};
  const lockstep::Mesh& mesh;
  const std::vector<lockstep::BlockPair>& pairs;  // what the processors have to send

  std::vector<std::uint32_t> regions() const { return {static_cast<std::uint32_t>(pairs.size())}; }

  void operator()(auto& here) const {
    const std::uint64_t nodes = mesh.node_count();
    auto& [queues, used] = here.memory();
    queues.resize(here.degree());
    for (std::size_t i = 0; here.step() == 0 && i < pairs.size(); ++i) {
      const auto& [origin, destination] = pairs[i];
      if (index(origin) != index(here.node()) || destination == here.node()) continue;
      here.load(room, used, destination);
      here.set_word(room, used, index(origin) * nodes + index(destination));
      queues[way(here.node(), destination)].push_back(used++);
    }
    while (const auto arrival = here.take_first()) {
      const lockstep::NodeId destination{arrival.word(0) % nodes};
      if (destination == here.node()) {
        here.deliver(arrival, 0, lockstep::Origin{arrival.word(0) / nodes});
      } else {
        here.store(arrival, {room, used, 1});
        queues[way(here.node(), destination)].push_back(used++);
      }
    }
    for (std::size_t p = 0; p < queues.size(); ++p) {
      if (queues[p].empty()) continue;
      here.send(lockstep::port(p), lockstep::Blocks{room, queues[p].front(), 1});
      queues[p].pop_front();
    }
  }
  /// The port that leads nearer in the lowest dimension in which the two differ.
  std::size_t way(lockstep::NodeId from, lockstep::NodeId to) const {
    std::size_t d = 0;
    while (mesh.coordinate(from, d) == mesh.coordinate(to, d)) ++d;
    const bool up = mesh.coordinate(from, d) < mesh.coordinate(to, d);
    for (std::size_t p = 0;; ++p)
      if (const auto next = mesh.coordinate(mesh.neighbor(from, lockstep::port(p)), d);
          up ? next > mesh.coordinate(from, d) : next < mesh.coordinate(from, d))
        return p;
  }
};
