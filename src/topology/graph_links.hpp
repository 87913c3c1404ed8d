// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The links of a graph file, and which of its lines are the same link: an arc and its reverse, a
/// link that is listed in both directions, a repeated link.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep {

class GraphBuilder;

/// The meaning of a second line of the same two nodes.
enum class Repeats : std::uint8_t {
  lanes,      ///< another lane
  both_ways,  ///< another lane; but if every link is listed in both directions, each is one link.
              ///< If only some are, the file is refused: it has no clear meaning
  once        ///< the same link
};

/// Two ends and a line of the file, in 12 bytes.
class FileLink {
 public:
  using Ends = std::array<std::uint32_t, 2>;
  FileLink(Ends ends, std::size_t line, bool is_arc)
      : ends_(ends),
        line_and_arc_(static_cast<std::uint32_t>(std::min<std::size_t>(line, most_lines) << 1U |
                                                 std::size_t{is_arc})) {}

  [[nodiscard]] const Ends& ends() const noexcept { return ends_; }
  [[nodiscard]] std::size_t line() const noexcept { return line_and_arc_ >> 1U; }
  [[nodiscard]] bool is_arc() const noexcept { return (line_and_arc_ & 1U) != 0; }
  void make_arc() noexcept { line_and_arc_ |= 1U; }

 private:
  static constexpr std::size_t most_lines = 0x7FFF'FFFF;
  Ends ends_;
  std::uint32_t line_and_arc_;
};

struct FileLinks {
  std::vector<FileLink> links{};
  /// At either end of a link; empty: in the order of the links.
  std::vector<std::array<std::uint32_t, 2>> ports{};
};

struct JoinedLinks {
  std::uint64_t parallel = 0;  ///< beyond the first one between the same two nodes
  std::uint64_t pairs = 0;     ///< two directions of a link
};

/// Joins lines that are the same link; notes in the builder what was joined. `undirected`: an arc
/// without its reverse becomes a link, where it is refused otherwise. O(links log degree).
[[nodiscard]] JoinedLinks join_links(GraphBuilder& graph, FileLinks& links, Repeats repeats,
                                     bool undirected);

}  // namespace lockstep
