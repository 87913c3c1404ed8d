// SPDX-License-Identifier: Apache-2.0
#pragma once

/// One figure of a paper beside ours: what `lockstep reproduce` prints and what the tests of the
/// papers hold against the typed tables.

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep {

/// What is wrong, or needs a reading, in a paper.
struct Erratum {
  unsigned number = 0;        ///< in the list of that paper
  std::string_view sentence;  ///< stands alone
};

struct PaperRow {
  std::string where;     ///< "Table 2", "Figure 3", "Section III.2"
  std::string topology;  ///< "star:5"; empty: for more than one
  std::size_t n = 0;     ///< its size or dimensions, for plots; 0: more than one
  std::size_t k = 0;     ///< packing factor; 0: none
  std::string ratio;     ///< t_s/t_m as the paper gives it: "100"; empty: none
  std::string quantity;  ///< "least t_s/t_m", "ETI"
  std::string printed;   ///< as the paper prints it; empty: only in a picture, or not at all
  std::string ours;      ///< in that form, with two digits more
  std::string exact;     ///< "5/18"; empty: ours is exact
  double value = 0;      ///< ours, for plots; 0 where it is not a number
  bool agrees = true;    ///< nothing printed, or printed and the same
  unsigned erratum = 0;  ///< explains a difference or how the figure is to be read; 0: none
  std::size_t step = 0;  ///< of a series over the steps, from 1; 0: of none
  std::string curve{};   ///< which of several series: "improved"; empty: k or ratio says it
};

}  // namespace lockstep
