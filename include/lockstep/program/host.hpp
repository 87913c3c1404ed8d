// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The host behind a processor: where its blocks come from and where they go. The machine calls it
/// on the program's behalf; what it does with a delivered block (prove it, store it) is its affair.

#include <concepts>
#include <cstddef>
#include <span>

#include "lockstep/core/ids.hpp"

namespace lockstep {

/// A block handed to the host of `destination`, claimed to be `source`'s block for it. The bytes
/// are where they arrived, and stay unaltered while the host looks at them.
struct Delivery {
  const std::byte* bytes;
  NodeId source;
  NodeId destination;
};

/// `load` and `accept` are called by many workers at once, never by two for one processor.
template <class H>
concept Host = requires(H& host, std::byte* bytes, NodeId node, std::span<const Delivery> batch,
                        typename H::Tally& tally) {
  typename H::Tally;
  host.load(bytes, node, node);  // own address, destination
  host.accept(batch, tally);
};

}  // namespace lockstep
