// SPDX-License-Identifier: Apache-2.0
#include "study/term_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "lockstep/machine/violation.hpp"
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
  fields.push_back({"series", {}, {}, "values of every step, with --series"});
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
    const std::string key = key_of(field, json);
    table.add({column, tables.empty() ? "json" : tables, key, std::string(name_of(field.unit)),
               key.starts_with("parameters.")
                   ? fmt::format("value of --{} (see `lockstep list parameters`)", field.name)
                   : std::string(field.meaning)});
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
    Term{"node", "a vertex of the network: a processor or a switch"},
    Term{"processor",
         "a node with data of its own, which executes an algorithm; a processor of the host is "
         "called a core"},
    Term{"switch",
         "a node of a fat tree, XGFT or k-ary n-tree that forwards messages, combines them in "
         "reductions, and holds no data of its own"},
    Term{"message",
         "one or more blocks that a node sends through one port in one step. In `delivered`: the "
         "block that one processor has for another one"},
    Term{"step",
         "a round in which all processors act on the data that they held at the end of the "
         "previous one"},
    Term{"start-up", "a step in which at least one message is sent; it costs t_s"},
    Term{"message time",
         "length in blocks of the longest message of each step, summed over steps; each costs t_m"},
    Term{"cost, time",
         "charged start-ups times t_s plus message times times t_m plus control words times t_w, "
         "in any unit of time"},
    Term{"charged start-ups",
         "the start-ups, or all steps if the algorithm charges every step, including idle ones"},
    Term{"t_s, t_m", "start-up time of a message and time per block of a message: --ts, --tm"},
    Term{"t_w",
         "time per control word: --tw (default: the time of 8 bytes of a block, 8 t_m / bytes)"},
    Term{"control word",
         "8 bytes that programs compute with, such as prefix sums. The largest number in one "
         "message "
         "of each step, summed over steps, is counted separately from blocks"},
    Term{"ETI", "execution time improvement: the share of the baseline's time that is saved"},
    Term{"lower bound",
         "start-ups, message times and time that every algorithm needs on this network under this "
         "port model, even if it divides blocks into parts"},
    Term{"lower bound for undivided blocks",
         "a larger lower bound that holds only for algorithms that do not divide blocks"},
    Term{"of bound", "time divided by the lower bound for all algorithms"},
    Term{"block",
         "the data that one processor has for another one or for all; its size is --bytes"},
    Term{"packet",
         "in packing: the blocks for the k! processors of a substar, sent together; on spanning "
         "trees: the blocks of one message (--packet)"},
    Term{"part",
         "one of the equal parts into which some algorithms divide a block; the last parts are "
         "padded, and a message time is the time of a padded block"},
    Term{"packing factor",
         "k: in star graphs, the blocks for k! destinations travel as one message"},
    Term{"representative",
         "the processor that receives the messages for all processors of its substar"},
    Term{"substar",
         "the nodes of a star graph that agree in their last symbols; they form a smaller star "
         "graph"},
    Term{"levelwise", "processing a permutation position by position, the last position first"},
    Term{"node-invariant", "every processor makes the same moves relative to its own address"},
    Term{"exchange table",
         "a set of words, one per destination, in which each port occurs once per step"},
    Term{
        "word",
        "the ports on the way to a destination, one letter per step; a blank is a step of waiting"},
    Term{"base", "the part of an exchange table from which the rest follows by symmetry"},
    Term{"orbit",
         "the words that turn into each other if all their letters rise by one, cyclically"},
    Term{"exceptional word", "a word that is longer than the distance to its destination"},
    Term{"queue", "blocks in a processor or switch that wait for a link"},
    Term{"active",
         "number of processors that send or receive, summed over steps; switches are counted "
         "separately"},
    Term{"active, free (of a step)",
         "the processors that send or receive in this step, and the others"},
    Term{"hop", "one message that crosses one link"},
    Term{"arc", "one of the two directions of a link"},
    Term{"port", "the end of a link at a node; ports are numbered from 0"},
    Term{"lane",
         "one of several parallel links between two nodes; each lane carries one message per step"},
    Term{"channel",
         "the queue or register that implements an arc: slot, spsc or mailbox; see list channels"},
    Term{"slot",
         "as a channel: one stamped register per arc; in programs and schedules: the place of one "
         "block in the memory of a processor"},
    Term{"machine", "the emulated multicomputer; the computer that runs it is the host"},
    Term{"reference machine",
         "a slow second implementation of the machine, against which tests compare the first"},
    Term{"worker", "a thread of the host that executes processors"},
    Term{"loop (of a calibration)",
         "how a worker executes the nodes of a step: nodes (one by one), active (only those with "
         "something to do), groups (consecutive nodes that make the same moves together; "
         "permutations: their addresses are composed), routes (messages over whole routes)"},
    Term{"task", "a range of consecutive processors that one worker executes in a step"},
    Term{"ledger",
         "the record of deliveries: exact (one bit per message) or digest (a checksum of origin "
         "ids)"},
    Term{"envelope", "the bytes of a message that are not blocks: the labels"},
    Term{"label", "an 8-byte word that travels with a block and that programs may read"},
    Term{"blind",
         "a blind program reads nothing of its messages; its deliveries prove more than those of a "
         "program that sorts messages by their labels"},
    Term{"oblivious", "an oblivious schedule does not depend on the contents of the blocks"},
    Term{"DDN, DCN",
         "data-distribution networks (h x h subtori that spread blocks) and data-collecting "
         "networks "
         "(blocks of h x h nodes that exchange them) of a torus"},
    Term{"costs (of an algorithm)", "start-ups; message times. One number stands for both"},
    Term{"N",
         "in costs: number of processors; of ej: nodes of one dimension, a^2 + ab + b^2; of "
         "aggregations: n/h"},
    Term{"n",
         "in costs: symbols of a star graph, nodes of a linear array, ring or factor, side of a "
         "torus, leaves of a tree of switches, dimensions of ej"},
    Term{"n_i", "in costs: nodes of factor i of a product, or side i of a torus"},
    Term{"T_i, T_A, T_B", "in costs of products: steps of the total exchange in a factor"},
    Term{"T(v)", "in costs of trees: steps in which node v informs all nodes below it"},
    Term{"d", "in costs: number of dimensions of a hypercube"},
    Term{"h", "in costs of trees: their height; in costs of aggregations: the parameter --h"},
    Term{"H", "in costs: height of the tree: breadth-first from node 0, or spanning (edst)"},
    Term{"H_n", "in costs: harmonic number 1 + 1/2 + .. + 1/n"},
    Term{"s", "in costs of a many-to-all: number of messages, --messages"},
    Term{"B", "in costs of edst: blocks per message, --packet"},
    Term{"l(a,b)",
         "in costs: mean distance from a node of the star graph of a symbols to its substars of b "
         "symbols"},
    Term{"D", "in costs: sum of the distances from a node to its destinations"},
    Term{"M", "in costs: floor((a + 2b)/3), the diameter of ej:a+b"},
    Term{"N_i", "in costs of trees: number of leaves below a node of level i"},
    Term{"k, k_i", "in costs of trees: number of children of a switch, of level i"},
    Term{"c", "in costs of trees: number of lanes of a branch"},
    Term{"e_l", "in costs of trees: lanes of level l that the lower levels can fill"},
    Term{"default algorithm",
         "the algorithm with the least predicted time at --ts, --tm, --tw under the port model. "
         "Without --ts and --tm, a total exchange prefers algorithms designed for the network "
         "family; a general algorithm is used only if none of them can run. An algorithm without "
         "a prediction is selected only if no other can run"},
    Term{"variant", "an algorithm with one value for each of its parameters"},
    Term{"phase", "consecutive steps of an algorithm that have a name of their own in reports"},
    Term{"formula, predicted cost",
         "the closed form of an algorithm's cost, checked against the counts of the machine"},
    Term{"violation",
         "a violated rule of the machine, reported with step, node and port or slot (exit code 3)"},
    Term{"fault",
         "a message that `stress` drops, alters, misroutes or sends twice to test the "
         "verification"}};

}  // namespace

Table term_list() {
  Table table({{"term"}, {"meaning"}});
  for (const Term& term : terms) table.add({std::string(term.term), std::string(term.meaning)});
  for (const RuleInfo& rule : rule_list)
    table.add({fmt::format("rule {}", rule.name), fmt::format("violated: {}", rule.violation)});
  return table;
}

}  // namespace lockstep::study
