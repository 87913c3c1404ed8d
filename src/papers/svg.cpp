// SPDX-License-Identifier: Apache-2.0
#include "papers/svg.hpp"

#include <fmt/format.h>

namespace lockstep::papers::svg {
namespace {

constexpr const char* page =
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

std::string line(std::string_view kind, Point from, Point to, std::string_view more) {
  return fmt::format(
      "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"{}/>\n", kind,
      from.real(), from.imag(), to.real(), to.imag(), more);
}

std::string text_at(std::string_view kind, Point at, std::string_view text) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" dy=\"0.35em\">{}</text>\n", kind,
                     at.real(), at.imag(), text);
}

std::string circle(std::string_view kind, Point at, double r, std::string_view title) {
  return fmt::format(
      "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}</title></circle>\n",
      kind, at.real(), at.imag(), r, title);
}

std::string document(const Document& drawing) {
  return fmt::format(page, drawing.size.real(), drawing.size.imag(), drawing.corner.real(),
                     drawing.corner.imag(), drawing.title, drawing.style, drawing.definitions,
                     drawing.body);
}

}  // namespace lockstep::papers::svg
