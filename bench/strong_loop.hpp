// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Strong loops: collective operations written for nothing but speed. They make the same hops as
/// the machine, by copies of constant size in one parallel loop per step. In a total exchange, the
/// payload is generated straight into the target of the first hop. The check is part of the copy
/// that delivers. They have no channels, port rules, record or descriptors, and keep a 64-bit sum
/// of the origins per destination where the machine has a ledger. The machine is measured against
/// them.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/machine/executor.hpp"
#include "lockstep/topology/network.hpp"
#include "topology/star_routing.hpp"

namespace lockstep::bench {

/// A block of a formula of its own, which costs two multiplications and one per further word.
template <std::size_t words>
struct StrongBlock {
  std::array<std::uint64_t, words> word;

  [[nodiscard]] static std::uint64_t mixed(std::uint64_t x) noexcept {
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111eb;
    return x ^ (x >> 31U);
  }
  [[nodiscard]] static std::uint64_t word_of(std::uint64_t key, std::size_t j) noexcept {
    return (key + j * 0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93;
  }
  /// The j-th block of an origin.
  void fill(std::uint32_t origin, std::uint64_t number) noexcept {
    const std::uint64_t key = mixed((std::uint64_t{origin} << 32U) | number);
    for (std::size_t j = 0; j < words; ++j) word[j] = word_of(key, j);
  }
  /// 0: it is that block.
  [[nodiscard]] std::uint64_t difference(std::uint32_t origin,
                                         std::uint64_t number) const noexcept {
    const std::uint64_t key = mixed((std::uint64_t{origin} << 32U) | number);
    std::uint64_t all = 0;
    for (std::size_t j = 0; j < words; ++j) all |= word[j] ^ word_of(key, j);
    return all;
  }
};

/// The arrivals of each node: differences from the formula, and a sum of origins.
class StrongProof {
 public:
  explicit StrongProof(std::size_t nodes) : differences_(nodes), sums_(nodes) {}

  template <class Block>
  void check(std::uint32_t node, const Block& block, std::uint32_t origin,
             std::uint64_t number) noexcept {
    differences_[node] |= block.difference(origin, number);
    sums_[node] += Block::mixed(origin);
  }
  /// Whether every node received every other node's block, with the right bytes.
  template <class Block>
  [[nodiscard]] bool complete() const {
    std::uint64_t all = 0;
    for (std::uint32_t u = 0; u < sums_.size(); ++u) all += Block::mixed(u);
    for (std::uint32_t u = 0; u < sums_.size(); ++u)
      if (differences_[u] != 0 || sums_[u] != all - Block::mixed(u)) return false;
    return true;
  }

 private:
  std::vector<std::uint64_t> differences_;
  std::vector<std::uint64_t> sums_;
};

/// The tables of neighbours, and a loop over all nodes.
class StrongNetwork {
 public:
  StrongNetwork(const Network& network, Executor& executor)
      : nodes_(static_cast<std::uint32_t>(network.node_count())), executor_(executor) {
    for (std::size_t p = 0; p < network.max_degree(); ++p)
      for (std::uint32_t u = 0; u < nodes_; ++u)
        neighbors_.push_back(
            static_cast<std::uint32_t>(index(network.neighbor(NodeId{u}, port(p)))));
  }

  [[nodiscard]] std::uint32_t nodes() const noexcept { return nodes_; }
  [[nodiscard]] const std::uint32_t* through(Port p) const noexcept {
    return neighbors_.data() + index(p) * nodes_;
  }
  template <class Work>
  void for_each_node(const Work& work) const {
    for_each_range(1, [&](std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t u = first; u < last; ++u) work(u);
    });
  }
  /// A range for each worker, of whole multiples of `unit` nodes.
  template <class Work>
  void for_each_range(std::uint32_t unit, const Work& work) const {
    const auto workers = static_cast<std::uint32_t>(executor_.worker_count());
    const std::uint32_t units = (nodes_ + unit - 1) / unit;
    executor_.for_each(workers, [&](std::size_t worker) {
      const auto bound = [&](std::uint64_t w) {
        return static_cast<std::uint32_t>(
            std::min<std::uint64_t>(units * w / workers * unit, nodes_));
      };
      work(bound(worker), bound(worker + 1));
    });
  }

 private:
  std::uint32_t nodes_;
  Executor& executor_;
  std::vector<std::uint32_t> neighbors_;
};

/// On the star graph S_n, by packing with factor k (algorithm/total_exchange/star_packing.hpp).
/// `blocked`: all steps inside substars of k symbols are run for some hundred nodes before the next
/// ones, with one barrier for all of them.
template <std::size_t k, std::size_t words, bool blocked>
class StrongStarExchange {
  static constexpr std::size_t packed = factorial(k);
  using Block = StrongBlock<words>;
  using Packet = std::array<Block, packed>;

 public:
  StrongStarExchange(std::size_t n, const Network& star, Executor& executor)
      : network_(star, executor),
        outer_(star_routes(n, k)),
        inner_(star_routes(k, 1)),
        proof_(network_.nodes()),
        packets_{std::vector<Packet>(network_.nodes()), std::vector<Packet>(network_.nodes())},
        blocks_{std::vector<Block>(network_.nodes()), std::vector<Block>(network_.nodes())},
        origins_(network_.nodes()),
        before_(network_.nodes()) {}

  /// Whether everything arrived.
  [[nodiscard]] bool run(Executor& executor) {
    executor.run([this] {
      for (std::size_t i = 0; i < outer_.size(); ++i) {
        carry_packets(outer_[i].ports, i * packed);
        deliver(i * packed);
      }
    });
    return proof_.template complete<Block>();
  }

 private:
  /// The place of the node's block for itself has nothing to deliver.
  void check(std::uint32_t node, const Block& block, std::uint32_t from, std::uint64_t number) {
    if (origins_[from] != node) proof_.check(node, block, origins_[from], number);
  }

  /// Leaves them in packets_[0], with their makers in origins_.
  void carry_packets(std::span<const Port> ports, std::uint64_t number) {
    std::iota(origins_.begin(), origins_.end(), 0U);
    for (const Port port : ports) {
      const std::uint32_t* const from = network_.through(port);
      for (std::uint32_t u = 0; u < network_.nodes(); ++u) before_[u] = origins_[from[u]];
      std::swap(origins_, before_);
    }
    const auto fill = [&](std::uint32_t u, std::uint32_t origin) {
      for (std::size_t j = 0; j < packed; ++j) packets_[0][u][j].fill(origin, number + j);
    };
    if (ports.empty()) return network_.for_each_node([&](std::uint32_t u) { fill(u, u); });
    const std::uint32_t* const first = network_.through(ports.front());
    network_.for_each_node([&](std::uint32_t u) { fill(u, first[u]); });
    for (const Port port : ports.subspan(1)) {
      const std::uint32_t* const from = network_.through(port);
      network_.for_each_node([&](std::uint32_t u) { packets_[1][u] = packets_[0][from[u]]; });
      std::swap(packets_[0], packets_[1]);
    }
  }

  void deliver(std::uint64_t number) {
    if constexpr (!blocked) {
      for (std::size_t j = 0; j < packed; ++j)
        carry_block(inner_[j].ports, j, number + j,
                    [&](const auto& work) { network_.for_each_node(work); });
    } else {
      constexpr std::uint32_t unit = 720 / packed * packed;  // that fits the nearest cache
      network_.for_each_range(unit, [&](std::uint32_t first, std::uint32_t last) {
        for (std::uint32_t at = first; at < last; at += unit)
          for (std::size_t j = 0; j < packed; ++j)
            carry_block(inner_[j].ports, j, number + j, [&](const auto& work) {
              for (std::uint32_t u = at; u < std::min(at + unit, last); ++u) work(u);
            });
      });
    }
  }

  /// The j-th block of each packet to its destination in the same substar.
  template <class ForEachNode>
  void carry_block(std::span<const Port> ports, std::size_t j, std::uint64_t number,
                   const ForEachNode& for_each_node) {
    if (ports.empty())
      return for_each_node([&](std::uint32_t u) { check(u, packets_[0][u][j], u, number); });
    const auto maker_of = [&](std::uint32_t u) {
      for (std::size_t hop = ports.size(); hop-- > 0;) u = network_.through(ports[hop])[u];
      return u;
    };
    const std::uint32_t* from = network_.through(ports[0]);
    if (ports.size() == 1)
      return for_each_node([&](std::uint32_t u) {
        const Block block = packets_[0][from[u]][j];
        check(u, block, from[u], number);
      });
    std::size_t at = 0;
    for_each_node([&](std::uint32_t u) { blocks_[0][u] = packets_[0][from[u]][j]; });
    for (std::size_t hop = 1; hop + 1 < ports.size(); ++hop, at = 1 - at) {
      from = network_.through(ports[hop]);
      for_each_node([&](std::uint32_t u) { blocks_[1 - at][u] = blocks_[at][from[u]]; });
    }
    from = network_.through(ports.back());
    for_each_node([&](std::uint32_t u) {
      const Block block = blocks_[at][from[u]];
      check(u, block, maker_of(u), number);
    });
  }

  StrongNetwork network_;
  std::vector<StarRoute> outer_;
  std::vector<StarRoute> inner_;
  StrongProof proof_;
  std::array<std::vector<Packet>, 2> packets_;
  std::array<std::vector<Block>, 2> blocks_;
  std::vector<std::uint32_t> origins_;  // of the packet that each node holds
  std::vector<std::uint32_t> before_;
};

/// On a hypercube, block by block along the bits of its relative address.
template <std::size_t words>
class StrongHypercubeExchange {
  using Block = StrongBlock<words>;

 public:
  StrongHypercubeExchange(const Network& cube, Executor& executor)
      : network_(cube, executor),
        proof_(network_.nodes()),
        blocks_{std::vector<Block>(network_.nodes()), std::vector<Block>(network_.nodes())} {}

  [[nodiscard]] bool run(Executor& executor) {
    executor.run([this] {
      for (std::uint32_t address = 1; address < network_.nodes(); ++address) exchange(address);
    });
    return proof_.template complete<Block>();
  }

 private:
  void exchange(std::uint32_t address) {
    const std::uint32_t* from = network_.through(lowest(address));
    std::uint32_t left = address & (address - 1);
    if (left == 0)
      return network_.for_each_node([&](std::uint32_t u) {
        Block block;
        block.fill(from[u], u);
        proof_.check(u, block, u ^ address, u);
      });
    network_.for_each_node(
        [&](std::uint32_t u) { blocks_[0][u].fill(from[u], from[u] ^ address); });
    for (; (left & (left - 1)) != 0; left &= left - 1) {
      from = network_.through(lowest(left));
      network_.for_each_node([&](std::uint32_t u) { blocks_[1][u] = blocks_[0][from[u]]; });
      std::swap(blocks_[0], blocks_[1]);
    }
    from = network_.through(lowest(left));
    network_.for_each_node([&](std::uint32_t u) {
      const Block block = blocks_[0][from[u]];
      proof_.check(u, block, u ^ address, u);
    });
  }
  [[nodiscard]] static Port lowest(std::uint32_t bits) {
    return port(static_cast<std::size_t>(std::countr_zero(bits)));
  }

  StrongNetwork network_;
  StrongProof proof_;
  std::array<std::vector<Block>, 2> blocks_;
};

/// All-gather on a ring: each block goes once around.
template <std::size_t words>
class StrongRingGather {
  using Block = StrongBlock<words>;

 public:
  StrongRingGather(const Network& ring, Executor& executor)
      : network_(ring, executor),
        proof_(network_.nodes()),
        blocks_{std::vector<Block>(network_.nodes()), std::vector<Block>(network_.nodes())} {}

  [[nodiscard]] bool run(Executor& executor) {
    executor.run([this] {
      const std::uint32_t nodes = network_.nodes();
      const std::uint32_t* const from = network_.through(port(0));
      network_.for_each_node([&](std::uint32_t u) { blocks_[0][u].fill(u, 0); });
      for (std::uint32_t step = 1; step < nodes; ++step) {
        const std::uint32_t distance = from[0] == 1 ? step : nodes - step;
        network_.for_each_node([&](std::uint32_t u) {
          const Block block = blocks_[0][from[u]];
          blocks_[1][u] = block;
          const std::uint32_t origin = u + distance;
          proof_.check(u, block, origin < nodes ? origin : origin - nodes, 0);
        });
        std::swap(blocks_[0], blocks_[1]);
      }
    });
    return proof_.template complete<Block>();
  }

 private:
  StrongNetwork network_;
  StrongProof proof_;
  std::array<std::vector<Block>, 2> blocks_;
};

/// All-gather on a hypercube by recursive doubling: in step t, neighbours across bit t exchange the
/// blocks of their subcubes of 2^t nodes.
template <std::size_t words>
class StrongHypercubeGather {
  using Block = StrongBlock<words>;

 public:
  StrongHypercubeGather(const Network& cube, Executor& executor)
      : network_(cube, executor),
        proof_(network_.nodes()),
        gathered_(network_.nodes(), std::vector<Block>(network_.nodes())) {}

  [[nodiscard]] bool run(Executor& executor) {
    executor.run([this] {
      network_.for_each_node([&](std::uint32_t u) { gathered_[u][u].fill(u, 0); });
      for (std::uint32_t size = 1, bit = 0; size < network_.nodes(); size *= 2, ++bit) {
        const std::uint32_t* const from = network_.through(port(bit));
        network_.for_each_node([&](std::uint32_t u) {
          const std::uint32_t first = from[u] & ~(size - 1);
          for (std::uint32_t origin = first; origin < first + size; ++origin) {
            const Block block = gathered_[from[u]][origin];
            gathered_[u][origin] = block;
            proof_.check(u, block, origin, 0);
          }
        });
      }
    });
    return proof_.template complete<Block>();
  }

 private:
  StrongNetwork network_;
  StrongProof proof_;
  std::vector<std::vector<Block>> gathered_;
};

}  // namespace lockstep::bench
