// SPDX-License-Identifier: Apache-2.0
#include "lockstep/program/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "core/joined.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "topology/node_names.hpp"

namespace lockstep {
namespace {

template <class Entries>
[[nodiscard]] auto entry_of(Entries& entries, std::string_view name) noexcept {
  return std::ranges::find_if(entries,
                              [&](const Settings::Entry& entry) { return entry.first == name; });
}

template <class Type>
[[nodiscard]] Type value_of(const Setting* setting, Type otherwise) {
  const auto* const value = setting == nullptr ? nullptr : std::get_if<Type>(setting);
  return value == nullptr ? std::move(otherwise) : *value;
}

}  // namespace

Settings::Settings() = default;
Settings::Settings(std::initializer_list<Entry> entries) : entries_(entries) {}
Settings::Settings(const Settings& other) = default;
Settings::Settings(Settings&& other) noexcept = default;
Settings& Settings::operator=(const Settings& other) = default;
Settings& Settings::operator=(Settings&& other) noexcept = default;
Settings::~Settings() = default;
bool operator==(const Settings& a, const Settings& b) { return a.entries_ == b.entries_; }

std::string text_of(const Setting& setting) {
  return std::visit(
      [](const auto& value) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::vector<std::uint64_t>>)
          return joined(value, ",");
        else
          return fmt::format("{}", value);
      },
      setting);
}

Setting& Settings::operator[](std::string_view name) {
  const auto entry = entry_of(entries_, name);
  return entry != entries_.end() ? entry->second : entries_.emplace_back(name, 0U).second;
}

const Setting* Settings::find(std::string_view name) const noexcept {
  const auto entry = entry_of(entries_, name);
  return entry == entries_.end() ? nullptr : &entry->second;
}

std::uint64_t Settings::number(std::string_view name, std::uint64_t otherwise) const {
  return value_of(find(name), otherwise);
}

std::vector<std::uint64_t> Settings::numbers(std::string_view name) const {
  return value_of(find(name), std::vector<std::uint64_t>{});
}

std::string Settings::text(std::string_view name, std::string_view otherwise) const {
  return value_of(find(name), std::string(otherwise));
}

/// "{} part(s)": "{} part" if the value is 1.
[[nodiscard]] static std::string with_ending(std::string_view phrase, std::string_view value) {
  constexpr std::string_view ending = "(s)";
  std::string text(phrase);
  if (const std::size_t at = text.find(ending); at != std::string::npos)
    text.replace(at, ending.size(), value == "1" ? "" : "s");
  return text;
}

Settings without_open(std::span<const Parameter> parameters, const Settings& settings) {
  Settings given;
  for (const auto& [name, value] : settings) {
    const auto known = std::ranges::find(parameters, name, &Parameter::name);
    const auto* const word = std::get_if<std::string>(&value);
    const bool is_open = known != parameters.end() && !known->open_word.empty() &&
                         word != nullptr && *word == known->open_word;
    if (!is_open) given[name] = value;
  }
  return given;
}

std::string phrases_of(std::span<const Parameter> parameters, const Settings& settings) {
  return phrases_of(parameters, settings, ErasedTopology());
}

std::string phrases_of(std::span<const Parameter> parameters, const Settings& settings,
                       const ErasedTopology& network) {
  std::string text;
  for (const Parameter& parameter : parameters) {
    const Setting* const setting = settings.find(parameter.name);
    if (setting == nullptr) continue;
    const std::string value = text_of(*setting);
    const auto* const node = std::get_if<std::uint64_t>(setting);
    const bool is_node = parameter.kind == Parameter::Kind::node && node != nullptr;
    if (parameter.always_reported || value != parameter.fallback)
      text += fmt::format(fmt::runtime(with_ending(parameter.phrase, value)),
                          is_node ? node_text(network, NodeId{*node}) : value);
  }
  return text;
}

}  // namespace lockstep
