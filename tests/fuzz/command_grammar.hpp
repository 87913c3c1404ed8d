// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Random command lines of `lockstep`, drawn from what the catalogue declares: every family of
/// networks in small sizes, every operation, algorithm, parameter and option, with values that are
/// valid, at the edge of what is allowed, or wrong. Files they name lie in the working folder.
///
///     CommandGrammar grammar(random);
///     const FuzzedCommand command = grammar.command();
///     command.words;   // {"run", "star:4", "total-exchange", "--k", "3"}
///     command.files;   // to be written first

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/settings.hpp"
#include "reference/random.hpp"

namespace lockstep::test {

using Words = std::vector<std::string>;

struct FuzzedCommand {
  Words words;
  std::vector<std::pair<std::string, std::string>> files{};  ///< name, content
  bool repeatable = false;  ///< a run whose record may depend on nothing but its words
};

class CommandGrammar {
 public:
  explicit CommandGrammar(reference::Random& random) : random_(random) {}

  [[nodiscard]] FuzzedCommand command();

 private:
  [[nodiscard]] std::uint64_t number(std::uint64_t low, std::uint64_t high) {
    return random_.number(low, high);
  }
  [[nodiscard]] std::string text(std::uint64_t low, std::uint64_t high) {
    return std::to_string(number(low, high));
  }

  [[nodiscard]] std::string operation();
  [[nodiscard]] std::string operation_for(const std::string& network);
  [[nodiscard]] AlgorithmInfo algorithm_for(const std::string& network,
                                            const std::string& operation);
  [[nodiscard]] std::string value_of(const Parameter& parameter);
  [[nodiscard]] std::string odd_value();
  [[nodiscard]] std::string file(std::string content);
  [[nodiscard]] std::string file_for(const Parameter& parameter);

  void add(Words& words, const std::string& option, std::string value);
  void add_parameters(Words& words, std::span<const Parameter> taken, std::uint64_t most_values);
  void add_machine(Words& words);
  void add_limits(Words& words);
  void add_format(Words& words);

  void run(Words& words);
  void sweep(Words& words);
  void compare(Words& words);
  void show(Words& words);
  void list(Words& words);
  void table(Words& words);
  void stress(Words& words);
  void spoil(Words& words);
  [[nodiscard]] std::string spoiled(std::string text);

  reference::Random& random_;
  FuzzedCommand made_;
};

}  // namespace lockstep::test
