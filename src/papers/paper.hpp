// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A paper: its figures beside ours, its errata, the runs that its promises are held against. To
/// add one: a folder with its data file and a constant, its lines in papers.cpp, its tests.
///
///     const Paper star_paper{.name = "star", .data = data_from<star_json, functions>};

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "papers/paper_data.hpp"
#include "study/exit.hpp"

namespace lockstep::papers {

using study::Exit;

/// One figure of a paper beside ours.
struct PaperRow {
  std::string where{};     ///< "Section III.2", or the name of its part
  std::string topology{};  ///< "star:5"; empty: none
  std::size_t n = 0;       ///< its size or dimensions, for plots; 0: none, or more than one
  std::size_t k = 0;       ///< packing factor; 0: none
  std::string ratio{};     ///< t_s/t_m as the paper gives it: "100"; empty: none
  std::string quantity{};  ///< "least t_s/t_m", "ETI"
  std::string printed{};   ///< as the paper prints it; empty: only in a picture, or not at all
  std::string ours{};      ///< in that form, with two digits more
  std::string exact{};     ///< "5/18"; empty: ours is exact
  std::optional<bool>
      same{};            ///< whether ours is what is printed; empty: if the texts are the same
  unsigned erratum = 0;  ///< explains a difference or how the figure is to be read; 0: none
  std::size_t step = 0;  ///< of a series over the steps, from 1; 0: of none
  std::string curve{};   ///< which of several series: "improved"; empty: k or ratio says it
  std::string beside{};  ///< of a point in a figure: the number printed for it elsewhere
  bool lost = false;     ///< stands in a picture that is not at hand: there is nothing to compare

  [[nodiscard]] bool agrees() const {
    return same.value_or(lost || printed.empty() || printed == ours);
  }
  /// Nothing printed by the paper differs from ours without an erratum.
  [[nodiscard]] bool explained() const { return agrees() || erratum != 0; }
};

/// A figure that the machine counted, in the form of the closed form that it is compared with.
struct CountedFigure {
  std::string quantity;
  std::string counted;
  std::string closed_form;
};

/// A run of the machine, and what the paper promises of it.
struct PaperRun {
  std::string topology;
  Operation operation;
  std::string algorithm;
  std::size_t n;
  std::size_t k = 0;    ///< packing factor; 0: the algorithm has none
  Settings settings{};  ///< all others
  std::optional<std::size_t> block_bytes{};
  std::string quantity;
  std::string closed_form{};
  std::function<std::string(const RunResult& result)> counted{};  ///< beside the closed form
  /// Further counted figures: the series is kept.
  std::function<std::vector<CountedFigure>(const RunResult& result)> of_steps{};
  std::vector<std::string> parts{};  ///< of the paper that it bears on: "Table 3"
  Exit expected = Exit::ok;          ///< an algorithm that the paper gets wrong ends otherwise
  bool long_run = false;             ///< of minutes, or of gigabytes: made where that is asked for
};

/// How a paper cuts a network in parts: behind what `show` says of the network, or as SVG.
struct Partition {
  std::string text;
  std::string svg;
};

struct Paper {
  std::string_view name;       ///< `lockstep reproduce NAME`
  const PaperData& (*data)();  ///< of its file
  /// The drawing of a network of the paper, as SVG; nothing for other networks.
  std::optional<std::string> (*drawing)(const AnyTopology& topology) = nullptr;
  /// The same, cut as `how` says, in the paper's words.
  std::optional<Partition> (*partition)(const AnyTopology& topology,
                                        std::string_view how) = nullptr;
};

/// Each in the folder of its name.
extern const Paper star_paper, tables_paper, ej_paper, torus_paper, thesis_paper,
    thesis_exchange_paper, fat_trees_paper, textbook_paper;

/// In the order of `lockstep reproduce all`.
[[nodiscard]] std::span<const Paper* const> all_papers();
/// The drawing of a network of switches that has levels, as SVG; nothing for other networks. Throws
/// InvalidParameter where it is too large.
[[nodiscard]] std::optional<std::string> drawing_of_levels(const AnyTopology& topology);
/// That of a paper, or by levels. Throws InvalidParameter where there is none.
[[nodiscard]] std::string drawing_of(const AnyTopology& topology);
[[nodiscard]] Partition partition_of(const AnyTopology& topology, std::string_view how);

}  // namespace lockstep::papers
