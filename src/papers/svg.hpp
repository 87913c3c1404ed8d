// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Pieces of drawings as SVG. Coordinates are pixels of the page: y counts downwards.

#include <complex>
#include <string>
#include <string_view>

namespace lockstep::papers::svg {

using Point = std::complex<double>;

/// `more`: further attributes.
[[nodiscard]] std::string line(std::string_view kind, Point from, Point to,
                               std::string_view more = {});
/// In the middle of its line.
[[nodiscard]] std::string text_at(std::string_view kind, Point at, std::string_view text);
/// `title` is what a viewer shows where the pointer rests.
[[nodiscard]] std::string circle(std::string_view kind, Point at, double r, std::string_view title);

struct Document {
  std::string title;
  Point corner;  ///< top left
  Point size;
  std::string style;        ///< of the kinds, a line each
  std::string definitions;  ///< that its body refers to
  std::string body;
};
/// The page is white.
[[nodiscard]] std::string document(const Document& drawing);

}  // namespace lockstep::papers::svg
