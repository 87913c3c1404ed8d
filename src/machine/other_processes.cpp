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

/// The outcome and its length are behind the messages.
void OtherProcesses::exchange(TaskOutcome& outcome) {
  Processes::Bytes own;
  WireWriter all(own);
  put_outcome(all, outcome);
  for (std::size_t p = 0; p < count(); ++p)
    if (p != rank()) WireWriter(out_[p]).put_bytes(own.data(), own.size()).put(own.size());
  exchange();
  outcome = {};
  for (std::size_t p = 0; p < count(); ++p) {
    if (p == rank()) {
      add_outcome(WireReader(own), count(), outcome);
      continue;
    }
    const std::span<const std::byte> bytes(in_[p]);
    const std::size_t end = bytes.size() - sizeof(std::size_t);
    const auto size = WireReader(bytes.subspan(end)).take<std::size_t>();
    add_outcome(WireReader(bytes.subspan(end - size, size)), count(), outcome);
    in_[p].resize(end - size);
  }
}

}  // namespace lockstep::detail
