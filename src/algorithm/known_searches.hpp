// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The searches made last, which several algorithms, numbers of parts and operations share.
///
///     static KnownSearches<Ports, ScanTrees> known;
///     known.of(network, ports, [&] { return searched_trees(network, ports); });

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// `Kind`: of search. Thread-safe; a search that is asked for while it runs is waited for.
template <class Kind, class Found>
class KnownSearches {
 public:
  /// Found in a network of the same processors and links, or by `search()`.
  template <class Search>
  [[nodiscard]] Found of(const ErasedTopology& network, Kind kind, Search search) {
    Key key{kind, {network.processor_count()}};
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      key.second.push_back(network.degree(NodeId{u}));
      for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
        key.second.push_back(index(network.neighbor(NodeId{u}, port(p))));
    }
    const std::scoped_lock lock(mutex_);
    if (const auto known = found_.find(key); known != found_.end()) return known->second;
    constexpr std::size_t most_kept = 4;  // at most 2 MB
    if (found_.size() >= most_kept) found_.clear();
    return found_.emplace(std::move(key), search()).first->second;
  }

 private:
  using Key = std::pair<Kind, std::vector<std::uint64_t>>;  // processors and links

  std::mutex mutex_;
  std::map<Key, Found> found_;
};

}  // namespace lockstep
