// SPDX-License-Identifier: Apache-2.0
#include "topology/graph_links.hpp"

#include <fmt/format.h>

#include <optional>

#include "lockstep/core/detail/counted.hpp"
#include "topology/graph_builder.hpp"

namespace lockstep {
namespace {

using Indices = std::vector<std::uint32_t>;

/// The links of the same two nodes, by kind and direction, in the order of the file.
struct SameEnds {
  Indices arcs_up{};  // from the lower number to the higher
  Indices arcs_down{};
  Indices up{};
  Indices down{};

  void add(const FileLink& link, std::uint32_t number) {
    const bool is_up = link.ends()[0] < link.ends()[1];
    if (link.is_arc())
      (is_up ? arcs_up : arcs_down).push_back(number);
    else
      (is_up ? up : down).push_back(number);
  }
  void clear() {
    for (Indices* list : {&arcs_up, &arcs_down, &up, &down}) list->clear();
  }
};

class Joiner {
 public:
  Joiner(GraphBuilder& graph, FileLinks& links, Repeats repeats, bool undirected)
      : graph_(graph), all_(links), repeats_(repeats), undirected_(undirected) {
    // Numbers of ports tell lanes apart.
    if (!links.ports.empty() && repeats == Repeats::both_ways) repeats_ = Repeats::lanes;
  }

  [[nodiscard]] JoinedLinks join() {
    if (all_.links.empty()) return {};
    has_arcs_ = std::ranges::any_of(all_.links, &FileLink::is_arc);
    sort();
    removed_.assign(all_.links.size(), false);
    const bool both_ways = is_listed_both_ways();
    for_each_group([&](SameEnds& group) { join_group(group, both_ways); });
    if (arc_alone_) fail_alone(*arc_alone_);
    add_notes(both_ways);
    remove();
    return {.parallel = parallel_, .pairs = both_ways_ + arcs_ - arc_links_};
  }

 private:
  struct Entry {
    std::uint32_t higher;
    std::uint32_t link;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  [[nodiscard]] const FileLink& link(std::uint32_t i) const { return all_.links[i]; }

  /// A counting sort by the lower end; of each, a sort by the higher end.
  void sort() {
    firsts_.assign(graph_.node_count() + 1, 0);
    const auto lower = [](const FileLink& l) { return std::min(l.ends()[0], l.ends()[1]); };
    for (const FileLink& l : all_.links) ++firsts_[lower(l) + 1];
    for (std::size_t u = 0; u + 1 < firsts_.size(); ++u) firsts_[u + 1] += firsts_[u];
    entries_.assign(all_.links.size(), {0, 0});
    std::vector<std::uint32_t> next(firsts_.begin(), firsts_.end() - 1);
    for (std::uint32_t i = 0; i < all_.links.size(); ++i) {
      const FileLink& l = link(i);
      entries_[next[lower(l)]++] = {std::max(l.ends()[0], l.ends()[1]), i};
    }
    for (std::size_t u = 0; u + 1 < firsts_.size(); ++u)
      std::sort(entries_.begin() + firsts_[u], entries_.begin() + firsts_[u + 1]);
  }

  /// Links without a second one of the same ends are left out, unless they are arcs.
  template <class Visit>
  void for_each_group(const Visit& visit) {
    SameEnds group;
    for (std::size_t u = 0; u + 1 < firsts_.size(); ++u)
      for (std::size_t begin = firsts_[u]; begin < firsts_[u + 1];) {
        std::size_t end = begin + 1;
        while (end < firsts_[u + 1] && entries_[end].higher == entries_[begin].higher) ++end;
        if (end - begin > 1 || (has_arcs_ && link(entries_[begin].link).is_arc())) {
          group.clear();
          for (std::size_t i = begin; i < end; ++i)
            group.add(link(entries_[i].link), entries_[i].link);
          visit(group);
        }
        begin = end;
      }
  }

  /// Refuses a file in which this holds for some links only.
  [[nodiscard]] bool is_listed_both_ways() {
    if (repeats_ != Repeats::both_ways) return false;
    std::size_t in_pairs = 0;
    std::optional<std::array<std::uint32_t, 2>> pair;
    std::optional<std::array<std::uint32_t, 2>> unequal;
    for_each_group([&](const SameEnds& group) {
      if (group.up.empty() || group.down.empty()) return;
      const std::array one{group.up.front(), group.down.front()};
      if (!pair) pair = one;
      if (group.up.size() != group.down.size() && !unequal) unequal = one;
      in_pairs += group.up.size() + group.down.size();
    });
    if (!pair) return false;
    const auto arcs =
        static_cast<std::size_t>(std::ranges::count_if(all_.links, &FileLink::is_arc));
    const bool mixed = unequal || in_pairs + arcs < all_.links.size();
    if (mixed && undirected_) {  // arcs of a file that does not say so
      for (FileLink& link : all_.links) link.make_arc();
      has_arcs_ = true;
      return false;
    }
    if (unequal) fail_mixed(*unequal, "more often in one direction than in the other");
    if (mixed) fail_mixed(*pair, fmt::format("in both directions, but {}", one_way()));
    return true;
  }

  /// "that of 'b' and 'c' (line 3) in one only"
  [[nodiscard]] std::string one_way() {
    std::vector<bool> both(all_.links.size(), false);
    for_each_group([&](const SameEnds& group) {
      if (group.up.empty() || group.down.empty()) return;
      for (const Indices* list : {&group.up, &group.down})
        for (const std::uint32_t i : *list) both[i] = true;
    });
    std::uint32_t i = 0;
    while (both[i] || link(i).is_arc()) ++i;
    return fmt::format("the link of '{}' and '{}' only in one (line {})",
                       graph_.shown_name(link(i).ends()[0]), graph_.shown_name(link(i).ends()[1]),
                       link(i).line());
  }

  [[noreturn]] void fail_mixed(std::array<std::uint32_t, 2> pair, const std::string& how) {
    const auto& [u, v] = link(std::min(pair[0], pair[1])).ends();
    const std::size_t second = link(std::max(pair[0], pair[1])).line();
    graph_.fail(second,
                "the link of '{}' and '{}' (line {}) is listed {}; allowed: every link "
                "in one direction, or every link in both; --undirected joins the two directions",
                graph_.shown_name(u), graph_.shown_name(v), link(std::min(pair[0], pair[1])).line(),
                how);
  }

  void join_group(SameEnds& group, bool both_ways) {
    const std::size_t arcs = join_arcs(group);
    std::size_t links = group.up.size() + group.down.size();
    if (repeats_ == Repeats::once && links > 1) links = join_repeated(group);
    if (both_ways && links > 0) {
      for (std::size_t i = 0; i < group.up.size(); ++i) remove_later(group.up[i], group.down[i]);
      both_ways_ += group.up.size();
      links = group.up.size();
    }
    if (arcs + links > 1) {
      parallel_ += arcs + links - 1;
      note_lane(group);
    }
  }

  /// The number of links that they become.
  std::size_t join_arcs(SameEnds& group) {
    if (repeats_ == Repeats::once)
      for (Indices* list : {&group.arcs_up, &group.arcs_down}) keep_first(*list);
    const auto [least, most] = std::minmax({group.arcs_up.size(), group.arcs_down.size()});
    const Indices& more = group.arcs_up.size() > least ? group.arcs_up : group.arcs_down;
    arcs_ += least + most;
    arc_links_ += most;
    for (std::size_t i = 0; i < least; ++i) {
      check_ports(group.arcs_up[i], group.arcs_down[i]);
      remove_later(group.arcs_up[i], group.arcs_down[i]);
    }
    if (least < most && !undirected_)
      arc_alone_ = std::min(arc_alone_.value_or(more[least]), more[least]);
    return most;
  }

  std::size_t join_repeated(SameEnds& group) {
    keep_first(group.up);
    keep_first(group.down);
    if (group.up.empty() || group.down.empty()) return 1;
    remove_later(group.up.front(), group.down.front());
    ++both_ways_;
    return 1;
  }

  void keep_first(Indices& list) {
    for (std::size_t i = 1; i < list.size(); ++i) {
      removed_[list[i]] = true;
      ++repeated_;
      first_repeated_ = std::min(first_repeated_, list[i]);
    }
    if (!list.empty()) list.resize(1);
  }

  void remove_later(std::uint32_t one, std::uint32_t other) {
    removed_[std::max(one, other)] = true;
  }

  void note_lane(const SameEnds& group) {
    Indices kept;
    for (const Indices* list : {&group.arcs_up, &group.arcs_down, &group.up, &group.down})
      for (const std::uint32_t i : *list)
        if (!removed_[i]) kept.push_back(i);
    std::ranges::sort(kept);
    first_lane_ = std::min(first_lane_, kept[1]);
  }

  void check_ports(std::uint32_t one, std::uint32_t other) const {
    if (all_.ports.empty()) return;
    const auto& [low, high] = all_.ports[one];
    if (all_.ports[other] == std::array{high, low}) return;
    graph_.fail(link(std::max(one, other)).line(), "an arc and its reverse use different ports");
  }

  [[noreturn]] void fail_alone(std::uint32_t arc) const {
    const auto& [u, v] = link(arc).ends();
    graph_.fail(link(arc).line(),
                "no arc back from '{}' to '{}': directed graphs are not supported; "
                "--undirected makes each arc a link",
                graph_.shown_name(v), graph_.shown_name(u));
  }

  void add_notes(bool both_ways) {
    if (repeated_ > 0)
      graph_.note("ignored {} (first in line {})", counted(repeated_, "repeated link"),
                  link(first_repeated_).line());
    if (both_ways || both_ways_ > 0)
      graph_.note("joined the two directions of {}", counted(both_ways_, "link"));
    if (arcs_ > 0)
      graph_.note(
          "made {} of {}{}", counted(arc_links_, "link"), counted(arcs_, "arc"),
          2 * arc_links_ == arcs_ ? ", because every arc has its reverse" : " (--undirected)");
    if (parallel_ > 0 && all_.ports.empty())
      graph_.note("read {} as further lanes (first in line {})",
                  counted(parallel_, "repeated link"), link(first_lane_).line());
  }

  void remove() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < all_.links.size(); ++i) {
      if (removed_[i]) continue;
      all_.links[kept] = all_.links[i];
      if (!all_.ports.empty()) all_.ports[kept] = all_.ports[i];
      ++kept;
    }
    all_.links.erase(all_.links.begin() + static_cast<std::ptrdiff_t>(kept), all_.links.end());
    if (!all_.ports.empty()) all_.ports.resize(kept);
  }

  GraphBuilder& graph_;
  FileLinks& all_;
  Repeats repeats_;
  bool undirected_;
  std::vector<std::uint32_t> firsts_;  // of entries_, by the lower end
  std::vector<Entry> entries_;
  std::vector<bool> removed_;
  bool has_arcs_ = false;
  std::optional<std::uint32_t> arc_alone_;
  std::uint64_t arcs_ = 0;
  std::uint64_t arc_links_ = 0;  // that they become
  std::uint64_t both_ways_ = 0;
  std::uint64_t repeated_ = 0;
  std::uint64_t parallel_ = 0;
  std::uint32_t first_repeated_ = 0xFFFF'FFFF;
  std::uint32_t first_lane_ = 0xFFFF'FFFF;
};

}  // namespace

JoinedLinks join_links(GraphBuilder& graph, FileLinks& links, Repeats repeats, bool undirected) {
  return Joiner(graph, links, repeats, undirected).join();
}

}  // namespace lockstep
