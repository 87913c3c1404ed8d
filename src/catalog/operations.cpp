// SPDX-License-Identifier: Apache-2.0

/// The names of the collective operations: ours, the papers' and MPI's.

#include <algorithm>

#include "core/suggest.hpp"
#include "core/words.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep {

const std::vector<OperationInfo>& operation_catalog() {
  static const std::vector<OperationInfo> all{
      {Operation::broadcast, "sends the block of the root to every processor",
       "bcast single-node-broadcast one-to-all"},
      {Operation::scatter, "sends a different block of the root to each processor",
       "single-node-scatter"},
      {Operation::gather, "collects the blocks of all processors at the root",
       "single-node-gather"},
      {Operation::all_gather, "sends the block of each processor to every processor",
       "allgather multinode-broadcast gossip nonpersonalized-broadcast"},
      {Operation::total_exchange,
       "sends a different block from each processor to each other processor",
       "alltoall all-to-all personalized-broadcast multinode-scatter"},
      {Operation::odd_distance_exchange,
       "total exchange between processors at odd distance, on bipartite networks", "odd-exchange"},
      {Operation::many_to_all, "sends s blocks, any number from each processor, to every processor",
       "many-to-all-broadcast multinode-broadcast-of-some"},
      {Operation::reduce, "combines the contributions of all processors at the root",
       "single-node-accumulation all-to-one"},
      {Operation::all_reduce, "combines the contributions of all processors at every processor",
       "allreduce"},
      {Operation::reduce_scatter,
       "combines, at each processor, the contributions of all processors to it",
       "reduce_scatter reduce_scatter_block multinode-accumulation"},
      {Operation::scan,
       "combines, at each processor, its contribution and those of all processors before it",
       "prefix inclusive-scan"},
  };
  return all;
}

Operation parse_operation(const std::string& text) {
  std::vector<std::string_view> names;
  for (const OperationInfo& info : operation_catalog()) {
    names.push_back(name_of(info.operation));
    if (names.back() == text) return info.operation;
  }
  const std::vector<std::string_view> own = names;
  for (const OperationInfo& info : operation_catalog()) {
    std::vector<std::string_view> others;
    append_words(info.other_names, others);
    if (std::ranges::find(others, text) != others.end()) return info.operation;
    names.insert(names.end(), others.begin(), others.end());
  }
  // A guess may be a synonym; the list of what is allowed stays short.
  const std::string_view meant = nearest(text, names);
  throw InvalidParameter(unknown("operation", text, own, meant));
}

}  // namespace lockstep
