// SPDX-License-Identifier: Apache-2.0
#include "fuzz/command_grammar.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "fuzz/network_names.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/program/port_model.hpp"
#include "report/quantities.hpp"

namespace lockstep::test {
namespace {

using Kind = Parameter::Kind;

constexpr std::array odd_values{
    "0",   "-1", "1.5", "x", "", "all", "auto", "18446744073709551615", "18446744073709551616",
    "1e9", "00", "+3",  " 3"};

constexpr std::array tables{
    "startable 1\nn 3\nkind total\ncolumns 5\nrows 2\nrow 121 12\nrow 2 1 . 21\nend\n",
    "startable 1\nn 4\nkind base-odd\ncolumns 0\nrows 3\nrow\nrow\nrow\nend\n"};

}  // namespace

std::string CommandGrammar::operation() {
  const auto& all = operation_catalog();
  return std::string(name_of(random_.one_of(all).operation));
}

/// One that some algorithm carries out there, mostly.
std::string CommandGrammar::operation_for(const std::string& network) {
  for (int tries = 0; tries < 20; ++tries) {
    const std::string name = operation();
    try {
      if (random_.happens(5) || !algorithms_for(network, parse_operation(name)).empty())
        return name;
    } catch (const InvalidParameter&) {
      return name;
    } catch (const ResourceExhausted&) {
      return name;
    }
  }
  return "broadcast";
}

std::string CommandGrammar::odd_value() { return random_.one_of(odd_values); }

std::string CommandGrammar::file(std::string content) {
  if (random_.happens(70))
    for (std::uint64_t i = number(1, 4); i > 0; --i) content = spoiled(std::move(content));
  const std::string name = "f" + std::to_string(made_.files.size());
  made_.files.emplace_back(name, std::move(content));
  return name;
}

std::string CommandGrammar::file_for(const Parameter& parameter) {
  if (random_.happens(10)) return random_.happens(50) ? "none" : ".";
  if (parameter.name == "placement") {
    if (random_.happens(30)) return "random:" + text(0, 99);
    return file(joined(number(1, 12), "\n", [this] { return text(0, 20); }) + "\n");
  }
  if (parameter.name == "schedule")
    return file(
        "lockstep-schedule 1\ntopology ring:5\noperation total-exchange\n0: 1\n0: 2\n0: 2\n"
        "1: 4\n1: /1/1\n1: 3\n");
  return file(random_.one_of(tables));
}

std::string CommandGrammar::value_of(const Parameter& parameter) {
  if (random_.happens(3)) return odd_value();
  if (!parameter.words.empty() && random_.happens(parameter.kind == Kind::count ? 30 : 70))
    return std::string(random_.one_of(parameter.words));
  switch (parameter.kind) {
    case Kind::count:
      return text(parameter.least, random_.happens(80) ? 6 : 60);
    case Kind::numbers: {
      std::string falling;
      for (std::uint64_t k = 5; k >= 1; --k)
        if (random_.happens(35)) falling += (falling.empty() ? "" : ",") + std::to_string(k);
      return falling.empty() ? "3" : falling;
    }
    case Kind::word:
      return odd_value();
    case Kind::file:
      return file_for(parameter);
    case Kind::node:
      return text(0, random_.happens(80) ? 5 : 100);
  }
  return {};
}

void CommandGrammar::add(Words& words, const std::string& option, std::string value) {
  if (random_.happens(20)) {
    words.push_back("--" + option + "=" + value);
    return;
  }
  words.push_back("--" + option);
  words.push_back(std::move(value));
}

/// Settings that the algorithm has, mostly.
void CommandGrammar::add_parameters(Words& words, std::span<const Parameter> taken,
                                    std::uint64_t most_values) {
  for (const Parameter& parameter : parameter_catalog()) {
    const bool fits = std::any_of(taken.begin(), taken.end(),
                                  [&](const Parameter& own) { return own.name == parameter.name; });
    if (random_.number(1, 1000) > (fits ? 350 : 4)) continue;
    const char* const between =
        parameter.kind == Kind::numbers || parameter.kind == Kind::node ? ";" : ",";
    add(words, std::string(parameter.name),
        joined(number(1, most_values), between, [&] { return value_of(parameter); }));
  }
}

/// An algorithm that runs there, or any; none where nothing does.
AlgorithmInfo CommandGrammar::algorithm_for(const std::string& network,
                                            const std::string& operation) {
  std::vector<AlgorithmInfo> fitting;
  try {
    fitting = algorithms_for(network, parse_operation(operation));
  } catch (const std::exception&) {  // the command has to say so, too
    fitting.clear();
  }
  if (!fitting.empty() && !random_.happens(3)) return random_.one_of(fitting);
  return random_.one_of(algorithm_catalog()).info;
}

void CommandGrammar::add_machine(Words& words) {
  constexpr std::array verify{"auto", "exact", "exact", "digest", "digest", "off", "none"};
  if (random_.happens(20)) {
    const PortModel& model = random_.one_of(port_models::all);
    add(words, "port-model", random_.happens(95) ? std::string(model.name) : odd_value());
  }
  if (random_.happens(15)) add(words, "verify", random_.one_of(verify));
  if (random_.happens(15)) add(words, "seed", random_.happens(90) ? text(0, 999) : odd_value());
  constexpr std::array costs{"0", "1", "0.1", "3", "100", "1e4", "1e300", "1e-300", "inf", "-1"};
  if (random_.happens(10)) add(words, "ts", random_.one_of(costs));
  if (random_.happens(10)) add(words, "tm", random_.one_of(costs));
  for (const char* const option : {"threads", "channel", "executor", "block"})
    if (random_.happens(1)) add(words, option, odd_value());
}

/// Limits of a case: less time and memory than a test may take.
void CommandGrammar::add_limits(Words& words) {
  constexpr std::array bytes{"0", "1", "2", "7", "8", "9", "64", "65", "200", "1K", "2KiB", "auto"};
  constexpr std::array odd_bytes{"1T", "18446744073709551615", "16777216T", "8.", "K", "-1"};
  if (random_.happens(50))
    add(words, "bytes", random_.happens(93) ? random_.one_of(bytes) : random_.one_of(odd_bytes));
  add(words, "memory-limit", random_.happens(99) ? "512MiB" : odd_value());
  add(words, "max-hours", random_.happens(99) ? "0.01" : odd_value());
}

void CommandGrammar::add_format(Words& words) {
  constexpr std::array formats{"json", "json", "json", "text", "csv"};
  if (random_.happens(90))
    add(words, "format", random_.happens(99) ? random_.one_of(formats) : odd_value());
}

void CommandGrammar::run(Words& words) {
  const std::string where = network_name(random_);
  const std::string what = operation_for(where);
  words.insert(words.end(), {where, what});
  const AlgorithmInfo algorithm = algorithm_for(where, what);
  if (random_.happens(70)) add(words, "algorithm", std::string(algorithm.name));
  add_parameters(words, algorithm.parameters, 1);
  add_machine(words);
  add_limits(words);
  made_.repeatable = true;
  if (random_.happens(5)) add(words, "repeat", random_.happens(80) ? text(1, 3) : "0");
  if (random_.happens(8)) words.emplace_back("--dry-run");
  if (random_.happens(15)) words.emplace_back("--series");
  if (random_.happens(5)) add(words, "trace", random_.happens(80) ? "trace.csv" : "none/trace");
  if (random_.happens(10)) words.emplace_back("--quiet");
  add_format(words);
}

void CommandGrammar::sweep(Words& words) {
  constexpr std::array ranges{"star:3..4",  "ring:3..6",      "linear:1..5", "hypercube:0..3",
                              "ej:1..2+3",  "star:4..3",      "ring:3...5",  "torus:3x3..5",
                              "complete:4", "fat-tree:2^1..3"};
  const std::string where = random_.happens(60) ? random_.one_of(ranges) : network_name(random_);
  words.push_back(where);
  if (random_.happens(30)) words.push_back(network_name(random_));
  const std::string what = operation_for(where);
  words.push_back(what);
  if (random_.happens(30)) add(words, "algorithm", "all");
  add_parameters(words, algorithm_for(where, what).parameters, 2);
  add_machine(words);
  add_limits(words);
  if (random_.happens(10)) add(words, "threads", "1,3");
  if (random_.happens(10)) add(words, "channel", "slot,spsc");
  if (random_.happens(10)) add(words, "output", "rows.csv");
  if (random_.happens(5)) words.emplace_back("--resume");
  add_format(words);
}

void CommandGrammar::compare(Words& words) {
  const std::string where = network_name(random_);
  const std::string what = operation_for(where);
  words.insert(words.end(), {where, what});
  std::vector<Parameter> defines_problem;
  for (const Parameter& parameter : algorithm_for(where, what).parameters)
    if (parameter.defines_problem) defines_problem.push_back(parameter);
  add_parameters(words, defines_problem, 1);
  add_machine(words);
  add_limits(words);
  add_format(words);
}

void CommandGrammar::show(Words& words) {
  constexpr std::array formats{"json", "text", "dot", "svg", "csv"};
  words.push_back(network_name(random_));
  if (random_.happens(40)) words.push_back(random_.happens(70) ? text(0, 30) : odd_value());
  if (random_.happens(15)) add(words, "partition", random_.happens(80) ? "h=" + text(0, 5) : "h");
  if (random_.happens(80)) add(words, "format", random_.one_of(formats));
}

void CommandGrammar::list(Words& words) {
  constexpr std::array subjects{"topologies", "operations", "algorithms", "parameters", "ports",
                                "channels",   "papers",     "columns",    "terms",      "subjects"};
  if (random_.happens(95)) words.emplace_back(random_.one_of(subjects));
  if (random_.happens(60)) words.push_back(network_name(random_));
  if (random_.happens(40)) words.push_back(operation());
  add_format(words);
}

void CommandGrammar::table(Words& words) {
  constexpr std::array actions{"build", "search", "check", "show"};
  constexpr std::array kinds{"total", "odd", "total", "odd", "base-odd", "even"};
  constexpr Parameter own{.name = "table",
                          .kind = Kind::file,
                          .placeholder = "",
                          .meaning = "",
                          .noun = "",
                          .phrase = ""};
  const std::string action = random_.one_of(actions);
  words.push_back(action);
  if (action == "check") {
    for (std::uint64_t i = number(1, 2); i > 0; --i) words.push_back(file_for(own));
    if (random_.happens(30)) words.emplace_back("--optimal");
    return add_format(words);
  }
  const bool of_file = action == "show" && random_.happens(50);
  words.push_back(of_file ? file_for(own) : "star:" + text(2, 5));
  words.emplace_back(random_.one_of(kinds));
  if (action == "search")
    words.insert(words.end(), {"--seconds", "1", "--threads", text(1, 2), "--quiet"});
  if (action != "show" && random_.happens(30)) words.emplace_back("--base");
}

void CommandGrammar::stress(Words& words) {
  words.insert(words.end(), {"--cases", random_.happens(90) ? text(1, 3) : "0"});
  add(words, "seed", random_.happens(90) ? text(0, 1'000'000) : odd_value());
  if (random_.happens(30))
    add(words, "executor", std::string(report::executor_name(random_.one_of(executor_kinds))));
}

std::string CommandGrammar::spoiled(std::string text) {
  if (text.empty()) return "x";
  const std::size_t at = number(0, text.size() - 1);
  constexpr std::string_view bytes = "0123456789,;:x^+-./ ()\n\r\t#";
  switch (number(0, 3)) {
    case 0:
      text.erase(at, number(1, 4));
      break;
    case 1:
      text.insert(at, 1, bytes[number(0, bytes.size() - 1)]);
      break;
    case 2:
      text[at] = bytes[number(0, bytes.size() - 1)];
      break;
    default:
      text.insert(at, text.substr(at, number(1, 12)));
  }
  return text;
}

void CommandGrammar::spoil(Words& words) {
  const std::size_t at = number(0, words.size() - 1);
  switch (number(0, 3)) {
    case 0:
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), words[at]);
      break;
    default:
      words[at] = spoiled(words[at]);
  }
}

FuzzedCommand CommandGrammar::command() {
  using Rule = void (CommandGrammar::*)(Words&);
  struct Choice {
    const char* name;
    Rule rule;
    std::uint64_t weight;
  };
  constexpr std::array choices{
      Choice{"run", &CommandGrammar::run, 62},        Choice{"sweep", &CommandGrammar::sweep, 8},
      Choice{"compare", &CommandGrammar::compare, 6}, Choice{"show", &CommandGrammar::show, 8},
      Choice{"list", &CommandGrammar::list, 6},       Choice{"table", &CommandGrammar::table, 7},
      Choice{"stress", &CommandGrammar::stress, 3}};
  made_ = {};
  std::uint64_t drawn = number(1, 100);
  const Choice* choice = choices.data();
  while (drawn > choice->weight) drawn -= (choice++)->weight;
  Words words{choice->name};
  (this->*choice->rule)(words);
  if (random_.happens(4)) {
    spoil(words);
    made_.repeatable = false;
  }
  made_.words = std::move(words);
  return std::move(made_);
}

}  // namespace lockstep::test
