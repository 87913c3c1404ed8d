// SPDX-License-Identifier: Apache-2.0
#include "report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/joined.hpp"

namespace lockstep::report::svg {
namespace {

constexpr const char* document =
    R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="{2:.1f} {3:.1f} {0:.1f} {1:.1f}">
<title>{4}</title>
<style>
{5}</style>
<defs>
{6}</defs>
<rect x="{2:.1f}" y="{3:.1f}" width="{0:.1f}" height="{1:.1f}" fill="#ffffff"/>
{7}</svg>
)";
/// The title would be shown wherever the pointer rests: the page has it as a caption.
constexpr const char* element =
    R"(<svg viewBox="{2:.1f} {3:.1f} {0:.1f} {1:.1f}" {8}>
{7}</svg>
)";

[[nodiscard]] std::string title_of(std::string_view title) {
  return title.empty() ? "" : fmt::format("<title>{}</title>", escaped(title));
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

void Picture::line(Layer layer, std::string_view kind, Point from, Point to,
                   std::string_view more) {
  of(layer) += fmt::format(
      "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"{}/>\n", kind,
      from.real(), from.imag(), to.real(), to.imag(), more);
}

void Picture::text(Layer layer, std::string_view kind, Point at, std::string_view text,
                   std::string_view more) {
  of(layer) +=
      fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" dy=\"0.35em\"{}>{}</text>\n", kind,
                  at.real(), at.imag(), more, escaped(text));
}

void Picture::circle(Layer layer, std::string_view kind, Point at, double radius,
                     std::string_view title, std::string_view label, std::string_view label_kind) {
  of(layer) +=
      fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\">{}</circle>\n", kind,
                  at.real(), at.imag(), radius, title_of(title));
  if (!label.empty()) text(layer, label_kind, at, label);
}

void Picture::rectangle(Layer layer, std::string_view kind, Point corner, Point size,
                        std::string_view title, std::string_view more) {
  of(layer) += fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"{}>{}"
      "</rect>\n",
      kind, corner.real(), corner.imag(), size.real(), size.imag(), more, title_of(title));
}

void Picture::path(Layer layer, std::string_view kind, std::string_view data,
                   std::string_view title) {
  of(layer) += fmt::format("<path class=\"{}\" d=\"{}\">{}</path>\n", kind, data, title_of(title));
}

void Picture::make_room(Point at, double around) {
  least_ = {std::min(least_.real(), at.real() - around),
            std::min(least_.imag(), at.imag() - around)};
  most_ = {std::max(most_.real(), at.real() + around), std::max(most_.imag(), at.imag() + around)};
}

std::string Picture::svg(const Page& page) const {
  const Point corner = least_ - Point{margin_, margin_};
  const Point size = most_ + Point{margin_, margin_} - corner;
  return fmt::format(fmt::runtime(page.attributes.empty() ? document : element),
                     std::max(size.real(), page.legend.real()), size.imag() + page.legend.imag(),
                     corner.real(), corner.imag(), escaped(title_), page.style, page.definitions,
                     joined(layers_, ""), page.attributes);
}

}  // namespace lockstep::report::svg
