// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Drawings, read back.
///
///     const ptree tree = parsed(papers::ej::svg_of(network));
///     EXPECT_EQ(elements(tree, "circle", "node ").size(), network.node_count());

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::test {

using boost::property_tree::ptree;

[[nodiscard]] inline ptree parsed(const std::string& xml) {
  std::istringstream text(xml);
  ptree tree;
  boost::property_tree::read_xml(text, tree);
  return tree;
}

/// The elements of that name whose class begins with `kind`.
[[nodiscard]] inline std::vector<ptree> elements(const ptree& tree, const std::string& name,
                                                 const std::string& kind) {
  std::vector<ptree> found;
  for (const auto& [key, element] : tree.get_child("svg"))
    if (key == name && element.get<std::string>("<xmlattr>.class", "").rfind(kind, 0) == 0)
      found.push_back(element);
  return found;
}

[[nodiscard]] inline std::string attribute(const ptree& element, const std::string& name) {
  return element.get<std::string>("<xmlattr>." + name);
}

/// Whether every element is closed by its own name, attributes are quoted and only characters that
/// mean nothing stand in texts; parsed() forgives most of that.
[[nodiscard]] inline bool well_formed(std::string_view xml) {
  std::vector<std::string_view> open;
  std::size_t roots = 0;
  while (!xml.empty()) {
    const std::size_t tag = xml.find('<');
    const std::string_view text = xml.substr(0, tag);
    if (text.find_first_of(">&") != std::string_view::npos) return false;
    if (open.empty() && text.find_first_not_of('\n') != std::string_view::npos) return false;
    if (tag == std::string_view::npos) break;
    const std::size_t end = xml.find('>', tag);
    if (end == std::string_view::npos) return false;
    const std::string_view inner = xml.substr(tag + 1, end - tag - 1);
    const std::string_view name = inner.substr(0, inner.find(' '));
    xml.remove_prefix(end + 1);
    if (inner.find_first_of("<&") != std::string_view::npos) return false;
    if (std::count(inner.begin(), inner.end(), '"') % 2 != 0) return false;
    if (inner.front() == '?') continue;
    if (inner.front() == '/') {
      if (open.empty() || open.back() != inner.substr(1)) return false;
      open.pop_back();
      continue;
    }
    if (open.empty() && ++roots > 1) return false;
    if (inner.back() != '/') open.push_back(name);
  }
  return open.empty() && roots == 1;
}

}  // namespace lockstep::test
