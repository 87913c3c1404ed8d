// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Parameters of algorithms as data: declared by the algorithm that has them, in its file and
/// nowhere else. Options of the command line, lists of a sweep, refusals, columns of reports and
/// shell completion are loops over the declarations.
///
///     static constexpr std::array parameters{Parameter{.name = "k", ...}};   // of an algorithm
///     Settings settings;                                                     // of a run
///     settings["k"] = Numbers{4, 3, 2};
///     settings.numbers("k").size() == 3;

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep {

class ErasedTopology;

using Numbers = std::vector<std::uint64_t>;
/// One value of a parameter.
using Setting = std::variant<std::uint64_t, Numbers, std::string>;

/// As a user writes it: "6", "4,3,2", "furthest-first".
[[nodiscard]] std::string text_of(const Setting& setting);

struct Parameter {
  enum class Kind : std::uint8_t {
    count,    ///< a whole number, or one of `words`
    numbers,  ///< whole numbers, commas between
    word,     ///< one of `words`
    file,     ///< the name of a file
    node      ///< a node's number; users may give its label
  };

  std::string_view name;         ///< such as "k": option --k, key in reports
  Kind kind;                     ///< syntax and type of the value
  std::string_view placeholder;  ///< for help: "K,..."
  std::string_view meaning;      ///< for help: one phrase
  std::string_view noun;         ///< for messages: "packing factors"
  std::string_view phrase;       ///< appended to a run's name, {} is the value: ", k = {}"; (s)
                                 ///< is an s, or nothing if the value is 1
  std::string_view form{};       ///< for messages: "a packing factor such as 3"
  std::uint64_t least = 0;       ///< smallest count
  /// Allowed words; alternatives to the number of a count or the name of a file.
  std::span<const std::string_view> words{};
  std::string_view open_word{};  ///< means the same as no value
  std::string_view fallback{};   ///< default value; empty: the algorithm selects one
  std::string_view usual{};      ///< for help: the default in words; empty: `fallback` says it
  bool always_reported = true;   ///< reported even if it has its default value
  bool required = false;         ///< a run needs it
  /// Selects the first algorithm that has it, unless an algorithm is named.
  bool selects_algorithm = false;
  /// Defines the problem, not the solution: all algorithms of an operation take it alike.
  bool defines_problem = false;
  std::string_view name_column{};  ///< column of the name of a node

  [[nodiscard]] constexpr std::string_view default_text() const noexcept {
    return usual.empty() ? fallback : usual;
  }
};

/// The root of broadcast, scatter, gather and reduce.
inline constexpr Parameter root_parameter{
    .name = "root",
    .kind = Parameter::Kind::node,
    .placeholder = "NODE",
    .meaning =
        "Source of a broadcast or scatter, destination of a gather or reduce: number or label of a "
        "node; in a network from a file, its name, or its number if no node has that name",
    .noun = "root",
    .phrase = ", root {}",
    .fallback = "0",
    .defines_problem = true,
    .name_column = "root_name"};

inline constexpr std::array root_parameters{root_parameter};

/// Values by name, in the order in which they were first set.
class Settings {
 public:
  using Entry = std::pair<std::string, Setting>;

  // Compiled once, as are copies of whatever holds settings.
  Settings();
  Settings(std::initializer_list<Entry> entries);
  Settings(const Settings& other);
  Settings(Settings&& other) noexcept;
  Settings& operator=(const Settings& other);
  Settings& operator=(Settings&& other) noexcept;
  ~Settings();

  /// Adds the name if it is missing.
  Setting& operator[](std::string_view name);
  /// Null if it is not set.
  [[nodiscard]] const Setting* find(std::string_view name) const noexcept;

  // The value as the requested type; `otherwise` if it is not set or has another type.
  [[nodiscard]] std::uint64_t number(std::string_view name, std::uint64_t otherwise = 0) const;
  [[nodiscard]] std::vector<std::uint64_t> numbers(std::string_view name) const;
  [[nodiscard]] std::string text(std::string_view name, std::string_view otherwise = {}) const;

  [[nodiscard]] bool empty() const noexcept { return begin() == end(); }
  [[nodiscard]] const Entry* begin() const noexcept { return entries_.data(); }
  [[nodiscard]] const Entry* end() const noexcept { return begin() + entries_.size(); }

  friend bool operator==(const Settings& a, const Settings& b);

 private:
  std::vector<Entry> entries_;
};

/// Without values that mean the same as none: "auto" of --parts.
[[nodiscard]] Settings without_open(std::span<const Parameter> parameters,
                                    const Settings& settings);

/// The settings of these parameters as text: ", k = 4,3,2, batch 6".
[[nodiscard]] std::string phrases_of(std::span<const Parameter> parameters,
                                     const Settings& settings);
/// The same, with the names of nodes if the network has names.
[[nodiscard]] std::string phrases_of(std::span<const Parameter> parameters,
                                     const Settings& settings, const ErasedTopology& network);

}  // namespace lockstep
