// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/other_processes.hpp"

#include <span>

#include "machine/combined_outcome.hpp"

namespace lockstep::detail {

OtherProcesses::OtherProcesses(Processes& processes, std::uint64_t nodes)
    : processes_(processes),
      nodes_(nodes),
      own_(nodes_of(processes, nodes)),
      out_(processes.count()),
      in_(processes.count()) {
  check_processes(processes.count(), nodes);
}

void OtherProcesses::exchange() {
  processes_.exchange(out_, in_);
  for (Processes::Bytes& bytes : out_) bytes.clear();
}

/// The outcomes and their length are behind the messages.
void OtherProcesses::exchange(std::span<TaskOutcome> outcomes) {
  Processes::Bytes own;
  WireWriter all(own);
  for (const TaskOutcome& outcome : outcomes) put_outcome(all, outcome);
  for (std::size_t p = 0; p < count(); ++p)
    if (p != rank()) WireWriter(out_[p]).put_bytes(own.data(), own.size()).put(own.size());
  exchange();
  for (TaskOutcome& outcome : outcomes) outcome = {};
  const auto add = [&](std::span<const std::byte> bytes) {
    WireReader part(bytes);
    for (TaskOutcome& outcome : outcomes) add_outcome(part, count(), outcome);
  };
  for (std::size_t p = 0; p < count(); ++p) {
    if (p == rank()) {
      add(own);
      continue;
    }
    const std::span<const std::byte> bytes(in_[p]);
    const std::size_t end = bytes.size() - sizeof(std::size_t);
    const auto size = WireReader(bytes.subspan(end)).take<std::size_t>();
    add(bytes.subspan(end - size, size));
    in_[p].resize(end - size);
  }
}

}  // namespace lockstep::detail
