// SPDX-License-Identifier: Apache-2.0
#include "papers/svg.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lockstep::papers::svg {
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

}  // namespace

void Picture::line(Layer layer, std::string_view kind, Point from, Point to,
                   std::string_view more) {
  of(layer) += fmt::format(
      "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"{}/>\n", kind,
      from.real(), from.imag(), to.real(), to.imag(), more);
}

void Picture::text(Layer layer, std::string_view kind, Point at, std::string_view text) {
  of(layer) += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" dy=\"0.35em\">{}</text>\n",
                           kind, at.real(), at.imag(), text);
}

void Picture::circle(Layer layer, std::string_view kind, Point at, double radius,
                     std::string_view title, std::string_view label, std::string_view label_kind) {
  of(layer) += fmt::format(
      "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}</title></circle>\n",
      kind, at.real(), at.imag(), radius, title);
  text(layer, label_kind, at, label);
}

void Picture::square(Layer layer, std::string_view kind, Point corner, double side,
                     std::string_view title) {
  of(layer) += fmt::format(
      "<rect class=\"{0}\" x=\"{1:.1f}\" y=\"{2:.1f}\" width=\"{3:.1f}\" height=\"{3:.1f}\" "
      "rx=\"10\"><title>{4}</title></rect>\n",
      kind, corner.real(), corner.imag(), side, title);
}

void Picture::make_room(Point at, double around) {
  least_ = {std::min(least_.real(), at.real() - around),
            std::min(least_.imag(), at.imag() - around)};
  most_ = {std::max(most_.real(), at.real() + around), std::max(most_.imag(), at.imag() + around)};
}

std::string Picture::svg(const Page& page) const {
  const Point corner = least_ - Point{margin_, margin_};
  const Point size = most_ + Point{margin_, margin_} - corner;
  return fmt::format(document, std::max(size.real(), page.legend.real()),
                     size.imag() + page.legend.imag(), corner.real(), corner.imag(), title_,
                     page.style, page.definitions, fmt::join(layers_, ""));
}

}  // namespace lockstep::papers::svg
