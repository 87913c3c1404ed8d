// SPDX-License-Identifier: Apache-2.0

/// The registration of chapter 6 of V. V. Dimakopoulos, "Collective communication problems in
/// multiprocessors": its errata, and larger runs that closed forms are held against.

#include <fmt/format.h>

#include <array>

#include "papers/fat_trees/fat_trees.hpp"

namespace lockstep::papers {
namespace fat_trees {
namespace {

constexpr std::array parts{Part{"Table 6.1", table_6_1},
                           Part{"single port", single_port_claims},
                           Part{"arities", discussion_claims},
                           Part{"multinode broadcasting", gather_claims},
                           Part{"total exchange", exchange_claims},
                           Part{"Table 6.2", table_6_2},
                           Part{"small trees", small_trees},
                           Part{"by arity", arities}};

constexpr std::array errata{
    Erratum{1,
            "The bound looks at a child of the root only. The root sends n^2 (k-1)/k messages, the "
            "first in step h + 1, the last h - 1 steps before the end: n^2 (k-1)/k + 2h - 1 steps "
            "for k >= 3, more than is printed, and attained."},
    Erratum{2,
            "The root makes n^2 (k-1)/k sends whatever the arity: Theta(n^2). The factors are 5/8, "
            "2/3, 3/4, ..: binary trees are best for total exchange, too."},
    Erratum{3, "2 log_k n, as section 6.3.1 has it: so far away is the farthest leaf."},
    Erratum{4,
            "Branches that lower levels cannot fill do not count whole: e_i = min(c_i, k e_(i-1)) "
            "in place of c_i."},
    Erratum{5,
            "True for k >= 3 and exponential capacities; for k = 2, h >= 3 one step less is "
            "enough, and optimal. With constant capacities the lower bound is attained."},
    Erratum{6, "Yes: in n steps, n + 1 for k = 2, by phases in ascending order."},
    Erratum{7, "B_r(h-2) = k(h-2): a child of a level h-1 node has a subtree of that height."},
    Erratum{8, "For h = 1 the centre of the star makes k(k-1) sends behind step 1: k^2 - k + 1."},
    Erratum{9, "For k = 2, h = 1 it is n: there is no second level."},
    Erratum{10, "For k = 2 T_2 = T_3; the largest is the same."},
    Erratum{11, "(6.4) gives n - n/k + 2h - 1."},
    Erratum{12,
            "The formula holds from i = 2 on; on level 1 it is k - 2, at the root (k-2)k^(h-1). "
            "Counted is what cannot leave in the next step."},
    Erratum{13,
            "Omega(n/log n); with exponential capacities queues down reach Theta(n) on all levels "
            "below the root."},
    Erratum{14, "k c_(h-i), of each node of the level: c_(h-i) from each child's subtree."},
    Erratum{15, "One from each child's subtree, of every node of the level."},
    Erratum{18,
            "The root has no phase A: it sends from step h + 1 on, so that its children never "
            "pause up to step h - 1 + k^(h+1). The result stands."},
    Erratum{26,
            "Only where h is a power of k; for others the best whole number i gives a bound from "
            "(6.6) and (6.7)."},
    Erratum{27, "Only for h > 2 log_k h + 1."},
    Erratum{28,
            "Counting the crossings of the leaves' links gives n + 2h - 2 for k >= 3, n + 2h - 3 "
            "for k = 2, h >= 3."},
    Erratum{29, "A lower bound, and not attained with exponential capacities."},
    Erratum{30, "Of trees of many leaves; k^h = n has few solutions."}};

[[nodiscard]] PaperRun run_of(const Tree& tree, std::string_view capacities, Operation operation,
                              std::string algorithm, std::uint64_t steps) {
  return {.topology = tree.name(capacities),
          .operation = operation,
          .algorithm = algorithm,
          .n = tree.n(),
          .block_bytes = 8,
          .quantity = fmt::format("{} by {}", name_of(operation), algorithm),
          .closed_form = fmt::format("{} steps", steps),
          .counted = [](const RunResult& result) {
            return fmt::format("{} steps", result.record.steps);
          }};
}

[[nodiscard]] std::vector<PaperRun> runs() {
  constexpr Operation exchange = Operation::total_exchange;
  constexpr Operation all_gather = Operation::all_gather;
  std::vector<PaperRun> all{run_of({2, 12}, "", Operation::broadcast, "parent-first", 35),
                            run_of({2, 10}, "", Operation::scatter, "furthest-first", 1025),
                            run_of({8, 3}, "", all_gather, "in-turn", 8 * 512 + 9 + 1),
                            run_of({2, 10}, "", all_gather, "ascending", 1025),
                            run_of({4, 5}, "", all_gather, "descending", 1024 + 8),
                            run_of({2, 7}, "", exchange, "up-first", 5 * 128 * 16 + 11),
                            run_of({3, 4}, "", exchange, "up-first", 81 * 27 * 2 + 7),
                            run_of({2, 6}, "", exchange, "phases", 1376),
                            run_of({2, 6}, "", exchange, "first-fit", 1035),
                            run_of({3, 4}, "", exchange, "first-fit", 1465),
                            run_of({2, 7}, "exponential", exchange, "class-sequence", 139),
                            run_of({4, 4}, "exponential", exchange, "digitwise", 256 + 6)};
  all.push_back(all.back());
  all.back().topology = "kary-tree:4^4";
  all.push_back(run_of({4, 6}, "", exchange, "phases", (4096 * 4096 - 1) / 5 + 11));
  all.back().long_run = true;
  return all;
}

}  // namespace
}  // namespace fat_trees

extern const Paper fat_trees_paper;
const Paper fat_trees_paper{
    .name = "fat-trees",
    .title =
        "Dimakopoulos: Collective communication problems in multiprocessors, chapter 6 (fat trees)",
    .network = [](std::size_t n) { return fmt::format("{} leaves", n); },
    .parts = fat_trees::parts,
    .errata = fat_trees::errata,
    .runs = fat_trees::runs};

}  // namespace lockstep::papers
