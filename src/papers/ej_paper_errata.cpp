// SPDX-License-Identifier: Apache-2.0
#include "papers/ej_paper.hpp"

namespace lockstep::ej_paper {

const std::vector<Erratum>& errata() {
  static const std::vector<Erratum> list{
      {2,
       "Not planar: a simple planar graph has a node of degree 5 or less, and these have degree 6 "
       "throughout (1+2rho is the complete graph of 7 nodes). They are drawn on a torus."},
      {3,
       "Six distinct neighbours need a norm of 7 or more; the others have loops or parallel "
       "links."},
      {4,
       "M stands for (a+2b)/3 and for the diameter, which is its integral part: for b = a + 1 the "
       "fraction is never integral, and the diameter is a."},
      {5,
       "Eq. (3) needs the case s = T, printed last, before the others: for a = b, where T = M, the "
       "case s = M hides it, and the counts do not sum up to the norm."},
      {8, "The node forwards through its minor port -rho^2 to 1-2rho^2; node 1 is its parent."},
      {10,
       "The fourth packet of algorithm 1 must have the major -rho, as in algorithm 3: as printed, "
       "nodes are missed and others reached twice for all networks but 1+2rho."},
      {15, "The improved algorithm has no rounds; only the number of steps, nM, is the same."},
      {16, "In eq. (5) and (6) r runs from 1 to n; with r from 0 the first factor is 1/N."},
      {17, "For d = 1 eq. (6) must be N^(r-1), the roots of the round, instead of 0."},
      {18,
       "True within a round only: at the start of a round all nodes informed so far send, whenever "
       "they were informed."},
      {19,
       "Eq. (5) and (6) hold for b = a + 1. For any alpha the receivers are W(d) N^(r-1), the "
       "senders "
       "those of weight d - 1 that are not leaves of the tree."},
      {20,
       "Eq. (7) and (8) hold no numbers: they are rewriting rules. All S terms are expanded once "
       "per "
       "step, an O2A in the same step; the S terms that arise are the receivers."},
      {21, "The last case of eq. (8) has a term S(n,-1,0) too many."},
      {23, "Table 1 has nine steps; the 12 in its last line is none of its sums."},
      {26,
       "Not for all dimensions: nothing for n = 1, 2.63% for n = 2, and then towards 1/N = 1/37, "
       "which is a property of 3+4rho: 14.3% for 1+2rho, 0.79% for 6+7rho."},
      {27,
       "In both algorithms the same nodes send, and the same N^n - 1 messages: what is less is the "
       "number of steps in which a node sends, summed over the nodes."},
      {29,
       "Averages over 1+2rho n = 12, 2+3rho n = 6, 3+4rho n = 4, 4+5rho n = 3, 6+7rho n = 2: over "
       "99.6% of all nodes are those of the first, which has 13,841,287,201."},
      {31,
       "Equal for n = 1, where the algorithms are the same; for n >= 2 it is true, and each node "
       "receives in the step that is its distance, the earliest possible."},
      {33,
       "All nodes at once do use links in both directions, but phases are not needed: each step in "
       "two halves, ports 0, 1, 5, then 2, 3, 4, takes 2nM steps, not 3nM, for every n."},
      {35,
       "True for n = 1 only. A message reaches a node only if its nonzero coordinates lie in "
       "sectors "
       "of one phase: 3 (((N+2)/3)^n - 1) messages of N^n - 1. See three-phase-complete."},
      {36,
       "Steps and messages are not counted in the paper. 3nM steps need all messages that want a "
       "link in a step combined; one by one a single dimension takes 3M(M+1)/2."},
      {37,
       "Within a phase the open ports carry M(M-1)/2, M(M+1)/2 and M messages; over the three "
       "phases all ports carry the same."}};
  return list;
}

}  // namespace lockstep::ej_paper
