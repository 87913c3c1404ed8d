// SPDX-License-Identifier: Apache-2.0
#include "study/term_list.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "report/run_fields.hpp"
#include "study/comparison.hpp"
#include "study/sweep.hpp"

namespace lockstep::study {

namespace {

using report::column_of;
using report::Field;
using report::Fields;

[[nodiscard]] bool has(const Fields& fields, const std::string& column) {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const Field& field) { return column_of(field) == column; });
}

/// Those that are not there yet.
void add(Fields& all, const Fields& more) {
  for (const Field& field : more)
    if (!has(all, column_of(field))) all.push_back(field);
}

/// In the object of a run: all but what is a column alone.
[[nodiscard]] Fields json_fields() {
  Fields fields = report::dry_run_fields({});
  add(fields, report::provenance_fields({}));
  fields.push_back({"series", {}, {}, "figures of every step, with --series"});
  return fields;
}

[[nodiscard]] std::string key_of(const Field& field, const Fields& json) {
  if (has(json, column_of(field))) {
    std::string key(field.key.empty() ? field.name : field.key);
    std::replace(key.begin(), key.end(), '/', '.');
    return key;
  }
  for (const Parameter& parameter : parameter_catalog())
    if (parameter.name == field.name) return "parameters." + std::string(field.name);
  return "";
}

}  // namespace

Table column_list() {
  RunSeries none({}, {});
  const Fields json = json_fields();
  const Fields run = report::table_fields({{}, {}, {}, parameter_catalog()});
  const Fields sweep = Sweep::columns(Sweep(none, {}).row({}, {}));
  const Fields compare = comparison_columns(comparison_row({}, {}, {}));
  Fields all = json;
  for (const Fields& more : {run, sweep, compare}) add(all, more);

  Table table({{"column"}, {"tables"}, {"json"}, {"unit"}, {"meaning"}});
  for (const Field& field : all) {
    const std::string column = column_of(field);
    std::string tables;
    for (const auto& [name, fields] :
         {std::pair{"run", &run}, {"sweep", &sweep}, {"compare", &compare}})
      if (has(*fields, column)) tables += (tables.empty() ? "" : " ") + std::string(name);
    table.add({column, tables.empty() ? "json" : tables, key_of(field, json),
               std::string(name_of(field.unit)), std::string(field.meaning)});
  }
  for (const Field& field : report::step_fields({}, {}))
    table.add({column_of(field), "series", "series." + std::string(field.name),
               std::string(name_of(field.unit)), std::string(field.meaning)});
  return table;
}

namespace {

struct Term {
  std::string_view term;
  std::string_view meaning;
};

constexpr std::array terms{
    Term{"step", "all processors act at once on what they held at the end of the step before"},
    Term{"start-up", "a step in which something was sent; each costs t_s"},
    Term{"message time", "blocks of the largest message of every step, added up; each costs t_m"},
    Term{"time",
         "charged start-ups times t_s plus message times times t_m plus control words times t_w, "
         "in any unit of time"},
    Term{"charged start-ups",
         "the start-ups, or all steps of an algorithm that cannot tell which steps stay idle"},
    Term{"t_s, t_m", "cost of starting a message, and of one block of it: --ts, --tm"},
    Term{"t_w",
         "cost of one control word: --tw; default: what t_m charges for 8 bytes, 8 t_m/bytes"},
    Term{"control word",
         "a word of 8 bytes that programs compute with, counted apart from blocks: the most in one "
         "message of every step, added up"},
    Term{"ETI", "execution time improved: the part of the baseline's time that is saved"},
    Term{"lower bound",
         "start-ups, message times and time that no algorithm can beat on this network under this "
         "port model, even if it divides blocks into parts"},
    Term{"undivided blocks",
         "a larger lower bound, which holds only for algorithms that keep blocks whole"},
    Term{"of bound", "time over the lower bound of all algorithms"},
    Term{"block", "what one processor has for another, or for all: --bytes"},
    Term{"part",
         "where an algorithm sends blocks in equal parts, one of them; the last ones are filled up "
         "with padding, and a message time is the time of a padded block"},
    Term{"packing factor", "k: in star graphs, blocks of k! destinations travel as one message"},
    Term{"representative", "the processor of a substar that takes what is for all of it"},
    Term{"substar", "the nodes of a star graph that agree in their last symbols: a smaller star"},
    Term{"levelwise", "position by position of a permutation, the last one first"},
    Term{"node-invariant", "all processors do the same, seen from where they are"},
    Term{"exchange table", "words, one per destination; in a step every letter stands once"},
    Term{"word", "the links that lead to a destination, letter by letter; blanks wait"},
    Term{"base", "the part of a table from which the rest follows by symmetry"},
    Term{"exceptional word", "one that is longer than the distance to its destination"},
    Term{"queue", "blocks that wait in a processor or switch for a link"},
    Term{"busy", "processors that send, and that receive, summed over the steps; switches apart"},
    Term{"active, free",
         "processors that send or receive in a step, and the others; switches apart"},
    Term{"hop", "a message over one link"},
    Term{"arc", "a link in one of its two directions"},
    Term{"port", "where a link leaves a node: numbered from 0"},
    Term{"lane", "one of the parallel links of a connection: it carries a message of its own"},
    Term{"channel", "what stands between two processors: slot, spsc or mailbox (list channels)"},
    Term{"slot", "a channel that is one stamped register per arc"},
    Term{"ledger", "who has received what: exact, a mark per message, or digest, sums of names"},
    Term{"envelope", "bytes of a message beside its blocks: their labels"},
    Term{"label", "a word that a block carries, which programs may read"},
    Term{"blind", "of a program that reads nothing of what it carries: the stronger proof"},
    Term{"oblivious", "of a schedule that nobody's blocks change: all its steps are paid for"},
    Term{"DDN, DCN", "data-distribution and data-collecting networks: parts of a torus"},
    Term{"N, n, d, h, H",
         "in costs: processors, symbols or sides, dimensions, height of a tree, of "
         "the breadth-first tree of node 0"},
    Term{"l(a,b)", "in costs: mean distance from a node of S_a to its substars of b symbols"},
    Term{"D", "in costs: sum of the distances from a node to its destinations"},
    Term{"M", "in costs: floor((a + 2b)/3), the diameter of ej:a+b"},
    Term{"N_i, k_i, c, e_l",
         "in costs of trees: leaves below level i, children, lanes, lanes that "
         "lower levels can fill"},
    Term{
        "default algorithm",
        "the one with the least predicted time at --ts, --tm among all that the port model admits; "
        "one without a prediction only where no other can run; of equals the first in the list"},
    Term{"prediction", "what an algorithm promises, held against what the machine counts"},
    Term{"violation", "a broken rule of the machine, with step, node, port or slot: exit code 3"},
    Term{"fault", "a message dropped, altered, misrouted or sent twice on purpose, to be found"}};

}  // namespace

Table term_list() {
  Table table({{"term"}, {"meaning"}});
  for (const Term& term : terms) table.add({std::string(term.term), std::string(term.meaning)});
  return table;
}

}  // namespace lockstep::study
