// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The searches made last, which several algorithms, numbers of parts and operations share.
///
///     static KnownSearches<Ports, std::vector<RunTree>> known;
///     known.of(network, ports, [&] { return searched_trees(network, ports); });

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// Memory of what a search has found: vectors, and types with a member bytes().
template <class T>
[[nodiscard]] std::size_t found_bytes(const T& found) {
  std::size_t bytes = 0;
  if constexpr (requires { found.bytes(); }) {
    bytes = found.bytes();
  } else if constexpr (!std::is_trivially_copyable_v<T>) {
    bytes = found.size() * sizeof(found[0]);
    for (const auto& one : found) bytes += found_bytes(one);
  }
  return bytes;
}

/// Appends the processors and all links of a network, by which equal networks are known.
inline void append_links(const ErasedTopology& network, std::vector<std::uint64_t>& key) {
  key.push_back(network.processor_count());
  for (std::uint64_t u = 0; u < network.node_count(); ++u) {
    key.push_back(network.degree(NodeId{u}));
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
      key.push_back(index(network.neighbor(NodeId{u}, port(p))));
  }
}

/// `Kind`: of search. Thread-safe; a search that is asked for while it runs is waited for. It keeps
/// at most 16 MB and forgets all when there is more. Every caller gets a copy. A search in a
/// network of more than 4,096 nodes is not kept.
template <class Kind, class Found>
class KnownSearches {
 public:
  /// Found in a network of the same processors and links, or by `search()`.
  template <class Search>
  [[nodiscard]] Found of(const ErasedTopology& network, Kind kind, Search search) {
    constexpr std::uint64_t most_nodes = 4'096;
    if (network.node_count() > most_nodes) return search();
    Key key{kind, {}};
    append_links(network, key.second);
    const std::scoped_lock lock(mutex_);
    if (const auto known = found_.find(key); known != found_.end()) return known->second;
    Found found = search();
    constexpr std::size_t most_bytes = std::size_t{16} << 20U;
    const std::size_t bytes = found_bytes(key.second) + found_bytes(found);
    if (bytes > most_bytes) return found;
    if (bytes_ + bytes > most_bytes) {
      found_.clear();
      bytes_ = 0;
    }
    bytes_ += bytes;
    return found_.emplace(std::move(key), std::move(found)).first->second;
  }

 private:
  using Key = std::pair<Kind, std::vector<std::uint64_t>>;  // processors and links

  std::mutex mutex_;
  std::map<Key, Found> found_;
  std::size_t bytes_ = 0;
};

}  // namespace lockstep
