// SPDX-License-Identifier: Apache-2.0
#include "report/fields.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace lockstep::report {
namespace {

using testing::ElementsAre;

const Fields row{{"topology", "star:5"},
                 {"predicted/startups", std::uint64_t{1'229}, Unit::count},
                 {"predicted/message_times", {}, Unit::blocks},
                 {"least/startups", {}},
                 {"time", 23'374.5, Unit::time, "modelled", "model/time"},
                 {"k", std::vector<std::uint64_t>{4, 3, 2}},
                 {"parts", Fraction(7, 2), Unit::blocks},
                 {"ok", true}};

TEST(Fields, AreARowOfCsv) {
  EXPECT_EQ(csv_heading(row),
            "topology,predicted_startups,predicted_message_times,least_startups,time,k,parts,ok\n");
  EXPECT_EQ(csv_row(row), "star:5,1229,,,23374.5,\"4,3,2\",3.5,true\n");
}

TEST(Fields, AreAnObjectOfJsonByName) {
  const auto json = json_of(row);
  EXPECT_EQ(json["predicted_startups"], 1'229);
  EXPECT_TRUE(json["predicted_message_times"].is_null());
  EXPECT_EQ(json["k"], (std::vector{4, 3, 2}));
  EXPECT_EQ(json_of(std::vector<Fields>{{{"a", "b"}}, {{"a", {}}}}).dump(),
            R"([{"a":"b"},{"a":null}])");
}

TEST(Fields, AWholeFractionIsANumber) {
  const Fraction three(6, 2);
  for (const Value& value : {Value(three), Value(Fraction(3)), Value(std::optional(three))}) {
    EXPECT_EQ(cell_of(value), "3");
    EXPECT_EQ(json_of(Fields{{"blocks", value}}).dump(), R"({"blocks":3})");
  }
  EXPECT_EQ(json_of(Fields{{"blocks", Fraction(7, 2)}}).dump(), R"({"blocks":3.5})");
}

TEST(Fields, AreATreeByKey) {
  Fields fields = row;
  append(fields, {{"waits/blocks", std::uint64_t{0}, Unit::count},
                  {"waits/first/step", {}},
                  {"waits/first/node", {}},
                  {"predicted/more/time", 1.5}});
  const auto tree = json_tree(fields);
  EXPECT_EQ(tree["predicted"]["startups"], 1'229);
  EXPECT_TRUE(tree["predicted"]["message_times"].is_null());
  EXPECT_TRUE(tree["least"].is_null()) << "nothing of it is known";
  EXPECT_EQ(tree["model"]["time"], 23'374.5);
  EXPECT_EQ(tree["waits"].dump(), R"({"blocks":0,"first":null})");
  EXPECT_EQ(tree["predicted"]["more"]["time"], 1.5);
}

TEST(Fields, AreFoundByTheirColumn) {
  EXPECT_EQ(cell_of(value_of(row, "predicted_startups")), "1229");
  EXPECT_EQ(cell_of(value_of(row, "predicted/startups")), "1229");
  EXPECT_THAT(names_of(pick(row, "ok,unheard_of,predicted_startups")),
              ElementsAre("ok", "unheard_of", "predicted_startups"));
  EXPECT_FALSE(known(value_of(pick(row, "unheard_of"), "unheard_of")));
  Fields changed = row;
  set(changed, "predicted_startups", std::uint64_t{1});
  set(changed, "new", 0.5);
  EXPECT_EQ(number_of(value_of(changed, "predicted/startups")), 1);
  EXPECT_EQ(number_of(value_of(changed, "new")), 0.5);
  EXPECT_EQ(number_of(value_of(changed, "parts")), 3.5);
  EXPECT_EQ(number_of(value_of(changed, "topology")), std::nullopt);
}

TEST(Fill, SaysWhatIsKnown) {
  EXPECT_EQ(fill("{topology}: {predicted_startups} start-ups", row), "star:5: 1,229 start-ups");
  EXPECT_EQ(fill("{k}; {parts}; {predicted/message_times}", row), "4,3,2; 3.5; -");
  EXPECT_EQ(fill("[{topology} a|b]", row), "star:5 a");
  EXPECT_EQ(fill("[{least_startups} {topology}|{topology}]", row), "star:5");
  EXPECT_EQ(fill("a[, {least_startups}]", row), "a");
  EXPECT_EQ(fill("{predicted_startups} start-up(s), {one} step(s)",
                 {{"predicted_startups", std::uint64_t{2}, Unit::count},
                  {"one", std::uint64_t{1}, Unit::count}}),
            "2 start-ups, 1 step");
  EXPECT_EQ(fill("", row), "");
}

TEST(TextOf, GoesByTheUnit) {
  const auto text = [](const Value& value, Unit unit) { return text_of(Field{"", value, unit}); };
  EXPECT_EQ(text(std::uint64_t{2'048}, Unit::count), "2,048");
  EXPECT_EQ(text(std::uint64_t{2'048}, Unit::number), "2048");
  EXPECT_EQ(text(std::uint64_t{2'048}, Unit::bytes), "2.0 KiB");
  EXPECT_EQ(text(2'048.0, Unit::bytes_per_second), "2.0 KiB");
  EXPECT_EQ(text(0.25, Unit::seconds), "250.0 ms");
  EXPECT_EQ(text(1'500.0, Unit::per_second), "1.5 k");
  EXPECT_EQ(text(0.25, Unit::share), "0.2500");
  EXPECT_EQ(text(1.125, Unit::ratio), "1.12");
  EXPECT_EQ(text({}, Unit::count), "-");
}

TEST(FieldTable, HeadsAndAlignsAsItsFieldsSay) {
  Fields fields{{"name", "a"},
                {"message_times", std::uint64_t{1'000}, Unit::blocks},
                {"startups", std::uint64_t{7}, Unit::count, "", "", "start-ups"},
                {"bytes", std::uint64_t{4'096}, Unit::bytes}};
  FieldTable table(fields);
  table.add(fields);
  set(fields, "bytes", {});
  table.add(fields);
  EXPECT_EQ(table.text(),
            "name  message times  start-ups  bytes\n"
            "a             1,000          7  4,096\n"
            "a             1,000          7      -\n");
  Fields wide = fields;
  set(wide, "name", "abcdefg");
  EXPECT_EQ(FieldTable(pick(fields, "name,startups"), {wide}).heading(), "name     start-ups\n");
}

}  // namespace
}  // namespace lockstep::report
