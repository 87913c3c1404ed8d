// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A network that was read from a file, with what the reader says about it.
///
///     const FileNetwork network = read_graph_file("file:net.txt", {"net.txt"});
///     network.reading().notes;          // {"ignored 12 weights (first in line 3)"}

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/topology/network.hpp"

namespace lockstep {

struct FileReading {
  std::string file;
  /// Phrases that begin with a verb: the reader ignored, joined or dropped something.
  std::vector<std::string> notes{};
  /// Links beyond the first one between the same two nodes.
  std::uint64_t parallel_links = 0;
};

class FileNetwork : public Network {
 public:
  FileNetwork(Network network, FileReading reading)
      : Network(std::move(network)),
        reading_(std::make_shared<const FileReading>(std::move(reading))) {}

  [[nodiscard]] const FileReading& reading() const noexcept { return *reading_; }

 private:
  std::shared_ptr<const FileReading> reading_;
};

template <>
inline constexpr bool laws_are_proven<FileNetwork> = true;

}  // namespace lockstep
