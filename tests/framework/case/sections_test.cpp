// Sections with a short form, with names of the user's choice and with keys that hold on a condition.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "fixture.hpp"

namespace quoin {
namespace {

using quoin::testing::count_mistakes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A problem in the manner of conservation laws, beside one that calls some of its keys the same.
KeyTable flow_table() {
  const std::vector<Key> flow{
      {.path = "problem.equation.type",
       .type = KeyType::choice,
       .required = true,
       .meaning = "The law.",
       .choices = {"advection", "burgers", "shallow_water"},
       .shorthand = true},
      {.path = "problem.equation.velocity",
       .type = KeyType::reals,
       .required = true,
       .meaning = "Velocity.",
       .count = 2,
       .when = {"problem.equation.type", {"advection"}}},
      {.path = "problem.equation.gravity",
       .type = KeyType::real,
       .fallback = "9.81",
       .minimum = 0.0,
       .when = {"problem.equation.type", {"shallow_water"}}},
      {.path = "problem.boundary.*.type",
       .type = KeyType::choice,
       .required = true,
       .meaning = "What happens there.",
       .choices = {"periodic", "dirichlet", "wall"},
       .shorthand = true},
      {.path = "problem.boundary.*.value",
       .type = KeyType::expression,
       .required = true,
       .meaning = "The state.",
       .when = {"problem.boundary.*.type", {"dirichlet"}}},
      {.path = "problem.patches.*.type",
       .type = KeyType::choice,
       .required = true,
       .meaning = "Of a mesh.",
       .choices = {"wall", "open"},
       .shorthand = true,
       .name_type = NameType::text,
       .hints = {{"neumann", "there is no given flux"}}},
      {.path = "problem.patches.*.value",
       .type = KeyType::expression,
       .required = true,
       .meaning = "The state.",
       .when = {"problem.patches.*.type", {"open"}}},
      {.path = "problem.boundary.*.order", .type = KeyType::integer, .fallback = "2", .meaning = "Its order."},
      {.path = "problem.initial.u",
       .type = KeyType::expression,
       .meaning = "The state.",
       .shorthand = true,
       .when = {"problem.equation.type", {"advection", "burgers"}}},
      {.path = "problem.initial.h",
       .type = KeyType::expression,
       .meaning = "The depth.",
       .when = {"problem.equation.type", {"shallow_water"}}},
      {.path = "problem.probes.*", .type = KeyType::points, .meaning = "Where to look.", .minimum = 0.0, .count = 2},
      {.path = "problem.corners", .type = KeyType::points, .meaning = "Of a box.", .coordinates = 3},
      {.path = "problem.limiter.type", .type = KeyType::choice, .fallback = "none", .choices = {"none", "tvb"}},
      {.path = "problem.limiter.bound", .type = KeyType::real, .when = {"problem.limiter.type", {"tvb"}}},
      {.path = "output.fields.every", .type = KeyType::real, .meaning = "Time between two.", .unit = "s"}};
  return KeyTable({{"flow", "conservation laws", flow}, {"jacobi", "Poisson's equation", jacobi_keys()}});
}

Case parse(const std::string& keys, const std::vector<Override>& overrides = {}) {
  return Case::parse("problem:\n  type: flow\n" + keys, "case.yaml", overrides, flow_table());
}

std::string flow_mistakes(const std::string& keys, const std::vector<Override>& overrides = {}) {
  try {
    parse(keys, overrides);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::case_file ? error.what() : "another kind of error: " + std::string(error.what());
  }
  return "";
}

const std::string advection = "  equation: {type: advection, velocity: [1, 0.5]}\n";
const std::string burgers = "  equation: burgers\n";

TEST(CaseShorthand, APlainValueStandsForAKeyOfTheSection) {
  const Case c = parse(burgers + "  initial: \"sin(pi*x)\"\noutput: {fields: false}\n");
  EXPECT_EQ(c.text("problem.equation.type"), "burgers");
  EXPECT_EQ(c.expression("problem.initial.u", {}).text(), "sin(pi*x)");
  EXPECT_EQ(c.place("problem.initial.u").line, 4);
  EXPECT_FALSE(c.boolean("output.fields.write"));
}

TEST(CaseShorthand, TheSectionMayBeWrittenOut) {
  const Case c =
      parse("  equation: {type: burgers}\n  initial: {u: x}\noutput: {fields: {write: false, every: 0.5}}\n");
  EXPECT_EQ(c.text("problem.equation.type"), "burgers");
  EXPECT_EQ(c.expression("problem.initial.u", {}).text(), "x");
  EXPECT_FALSE(c.boolean("output.fields.write"));
  EXPECT_EQ(c.real("output.fields.every"), 0.5);
}

TEST(CaseShorthand, MistakesNameWhatWasWritten) {
  EXPECT_EQ(flow_mistakes("  equation: burger\n"),
            "case.yaml:3:13: error: 'problem.equation' cannot be 'burger'; did you mean 'burgers'?\n"
            "3 |   equation: burger\n"
            "                ^~~~~~");
  EXPECT_THAT(flow_mistakes("  equation: [burgers]\n"),
              HasSubstr("'problem.equation' expects advection, burgers or shallow"));
  EXPECT_THAT(flow_mistakes("  equation:\n"), HasSubstr("'problem.equation' has no value"));
  EXPECT_THAT(flow_mistakes("  equation: {typ: burgers}\n"),
              HasSubstr("unknown key 'typ' in 'problem.equation'; did you mean "
                        "'type'?"));
  EXPECT_THAT(flow_mistakes("  equation: {type: burger}\n"), HasSubstr("'problem.equation.type' cannot be 'burger'"));
  EXPECT_THAT(flow_mistakes(burgers + "  initial: \"sim(x)\"\n"),
              HasSubstr("case.yaml:4:13: error: 'problem.initial': "));
  EXPECT_THAT(flow_mistakes(burgers + "output: {fields: 1}\n"),
              HasSubstr("'output.fields': '1' is neither true nor false"));
  EXPECT_THAT(flow_mistakes(""), HasSubstr("missing key 'equation.type' in 'problem'"));
  EXPECT_THAT(flow_mistakes("  equation: {}\n"), HasSubstr("missing key 'type' in 'problem.equation'"));
  for (const char* equation : {"burger", "[burgers]", "{typ: burgers}", "{type: [burgers]}", "{}"})
    EXPECT_EQ(count_mistakes(flow_mistakes("  equation: " + std::string(equation) + "\n  initial: x\n")), 1U)
        << equation;
}

TEST(CaseShorthand, WorksInOverrides) {
  EXPECT_EQ(parse(advection, {{"problem.equation", "burgers"}}).text("problem.equation.type"), "burgers");
  EXPECT_FALSE(parse(burgers, {{"output.fields", "false"}}).boolean("output.fields.write"));
  EXPECT_THAT(flow_mistakes(burgers, {{"output.fields", "no"}}),
              HasSubstr("--set output.fields:1:15: error: 'output.fields'"));
  EXPECT_EQ(parse(burgers, {{"problem.initial", "y", "--initial"}}).expression("problem.initial.u", {}).text(), "y");
}

TEST(CaseShorthand, KeysCanBeSetBesideIt) {
  const Case faster = parse("  equation: advection\n", {{"problem.equation.velocity", "[2, 3]"}});
  EXPECT_EQ(faster.text("problem.equation.type"), "advection");
  EXPECT_THAT(faster.reals("problem.equation.velocity"), ElementsAre(2.0, 3.0));
  const Case other = parse("  equation: advection\n", {{"problem.equation.type", "burgers"}});
  EXPECT_EQ(other.text("problem.equation.type"), "burgers");
  const Case both = parse(burgers + "output: {fields: false}\n", {{"output.fields.every", "1"}});
  EXPECT_FALSE(both.boolean("output.fields.write"));
  EXPECT_EQ(both.real("output.fields.every"), 1.0);
  EXPECT_THAT(
      flow_mistakes(burgers, {{"problem.equation.typo", "burgers"}}),
      HasSubstr("--set problem.equation.typo:1:18: error: unknown key 'typo' in 'problem.equation'; did you mean "));
  EXPECT_THAT(flow_mistakes("  equation: burger\n", {{"problem.initial.u", "x"}}),
              HasSubstr("'problem.equation' cannot be"));
  EXPECT_THAT(flow_mistakes(burgers + "  limiter: tvb\n", {{"problem.limiter.bound", "1"}}),
              HasSubstr("'problem.limiter' has no keys here that could be set"));
}

TEST(CaseNames, AreThoseOfTheUser) {
  const Case c = parse(burgers +
                       "  boundary: {wall_1: wall, in-let: {type: dirichlet, value: \"x\", order: 3}, wall-1: wall, "
                       "null_: wall, 7: periodic}\n");
  EXPECT_THAT(c.names("problem.boundary"), ElementsAre("7", "in-let", "null_", "wall-1", "wall_1"));
  EXPECT_EQ(c.text("problem.boundary.wall_1.type"), "wall");
  EXPECT_EQ(c.text("problem.boundary.in-let.type"), "dirichlet");
  EXPECT_EQ(c.expression("problem.boundary.in-let.value", {}).text(), "x");
  EXPECT_EQ(c.integer("problem.boundary.in-let.order"), 3);
  EXPECT_EQ(c.integer("problem.boundary.wall-1.order"), 2);  // the default holds for each
  EXPECT_FALSE(c.has("problem.boundary.wall-1.value"));
  EXPECT_THAT(parse(burgers).names("problem.boundary"), ElementsAre());
}

TEST(CaseNames, AreSortedWhateverTheyBeginWith) {
  const Case c = parse(burgers + "  boundary: {a-b: wall, a: wall, a_b: wall}\n");
  EXPECT_THAT(c.names("problem.boundary"), ElementsAre("a", "a-b", "a_b"));
}

TEST(CaseNames, HaveTheirMistakesNamed) {
  const auto boundary = [](const std::string& text) { return flow_mistakes(burgers + "  boundary: " + text + "\n"); };
  EXPECT_EQ(boundary("{left: {tpye: wall}}"),
            "case.yaml:4:21: error: unknown key 'tpye' in 'problem.boundary.left'; did you mean 'type'?\n"
            "4 |   boundary: {left: {tpye: wall}}\n"
            "                        ^~~~");
  EXPECT_THAT(boundary("{left: wal}"), HasSubstr("'problem.boundary.left' cannot be 'wal'; did you mean 'wall'?"));
  EXPECT_THAT(boundary("{left: {order: 1}}"), HasSubstr("missing key 'type' in 'problem.boundary.left'"));
  EXPECT_THAT(boundary("{left: {}}"), HasSubstr("missing key 'type' in 'problem.boundary.left'"));
  EXPECT_THAT(boundary("{left: {type: wall, order: 1.5}}"), HasSubstr("'problem.boundary.left.order': "));
  EXPECT_THAT(boundary("{'the wall': wall}"), HasSubstr("'the wall' in 'problem.boundary' is no name"));
  EXPECT_THAT(boundary("{'*': wall}"), HasSubstr("'*' in 'problem.boundary' is no name"));
  EXPECT_THAT(boundary("{a.b: wall}"), HasSubstr("is no name: it takes letters, digits, _ and -"));
  EXPECT_THAT(boundary("wall"), HasSubstr("'problem.boundary' is a section of names"));
  for (const char* text : {"{left: {tpye: wall}}", "{left: wal}", "{left: {}}", "{'*': wall}", "{left: [wall]}"})
    EXPECT_EQ(count_mistakes(boundary(text)), 1U) << text;
  EXPECT_THAT(flow_mistakes(burgers + "  boundary: {left: wall}\n", {{"problem.boundary.l ft.type", "wall"}}),
              HasSubstr("'l ft' in 'problem.boundary' is no name"));
}

TEST(CaseNames, CanBeSetAndAdded) {
  const Case c = parse(burgers + "  boundary: {left: wall}\n", {{"problem.boundary.left.type", "dirichlet"},
                                                                {"problem.boundary.left.value", "1"},
                                                                {"problem.boundary.right", "periodic"}});
  EXPECT_THAT(c.names("problem.boundary"), ElementsAre("left", "right"));
  EXPECT_EQ(c.text("problem.boundary.left.type"), "dirichlet");
  EXPECT_EQ(c.text("problem.boundary.right.type"), "periodic");
}

const char* const odd_names =
    "{the wall: wall, \"a.b\": wall, \"\u00fc \\\"q\\\" \\\\\": {type: open, value: x}, '*': wall}";

TEST(CaseNames, MayBeAnyTextWhereAMeshHasThem) {
  const Case c = parse(burgers + "  patches: " + odd_names + "\n");
  EXPECT_THAT(c.names("problem.patches"), ElementsAre("*", "a.b", "the wall", "\u00fc \"q\" \\"));
  for (const std::string& name : c.names("problem.patches"))
    EXPECT_EQ(c.text("problem.patches." + path_part(name) + ".type"), name[0] == '\xC3' ? "open" : "wall");
  EXPECT_EQ(c.text("problem.patches.\"\u00fc \\\"q\\\" \\\\\".value"), "x");
  const Case again = Case::parse(c.resolved(), "again.yaml", {}, flow_table());
  EXPECT_EQ(again.resolved(), c.resolved());
  EXPECT_EQ(again.names("problem.patches"), c.names("problem.patches"));
}

TEST(CaseNames, OfAnyTextCanBeSetInQuotes) {
  const Case c =
      parse(burgers + "  patches: " + odd_names + "\n", {{"problem.patches.\"a.b\"", "open"},
                                                         {"problem.patches.\"a.b\".value", "y"},
                                                         {"problem.patches.the wall", "{type: open, value: t}"},
                                                         {"problem.patches.\"q\\\"r\".type", "wall"}});
  EXPECT_EQ(c.text("problem.patches.\"a.b\".type"), "open");
  EXPECT_EQ(c.text("problem.patches.\"a.b\".value"), "y");
  EXPECT_EQ(c.text("problem.patches.\"the wall\".value"), "t");
  EXPECT_THAT(c.names("problem.patches"), ElementsAre("*", "a.b", "q\"r", "the wall", "\u00fc \"q\" \\"));
  EXPECT_THAT(flow_mistakes(burgers, {{"problem.patches.\"a.b", "wall"}}),
              HasSubstr("--set problem.patches.\"a.b:1:17: error: a name in quotes ends with a quote"));
}

TEST(CaseNames, OfAnyTextHaveTheirMistakesNamed) {
  EXPECT_EQ(flow_mistakes(burgers + "  patches: {'the wall': wal}\n"),
            "case.yaml:4:25: error: 'problem.patches.\"the wall\"' cannot be 'wal'; did you mean 'wall'?\n"
            "4 |   patches: {'the wall': wal}\n"
            "                            ^~~");
  EXPECT_EQ(flow_mistakes(burgers + "  patches: {'a.b': wall, 'c.d': open}\n"),
            "case.yaml:4:26: error: missing key 'value' in 'problem.patches.\"c.d\"' (expression): The state.\n"
            "4 |   patches: {'a.b': wall, 'c.d': open}\n"
            "                             ^~~~~");
  EXPECT_THAT(flow_mistakes(burgers + "  patches: {'': wall}\n"), HasSubstr("is no name: it is empty"));
  EXPECT_THAT(flow_mistakes(burgers + "  patches: {\"a\\nb\": wall}\n"), HasSubstr("it has a control character"));
  EXPECT_THAT(flow_mistakes(burgers + "  patches: {a: Neumann}\n"),
              HasSubstr("cannot be 'Neumann'; there is no given flux"));
}

TEST(CaseCondition, AKeyHoldsOnlyWithAValueOfAnother) {
  const Case c = parse("  equation: shallow_water\n  initial: {h: \"1\"}\n");
  EXPECT_EQ(c.real("problem.equation.gravity"), 9.81);
  EXPECT_FALSE(c.has("problem.equation.velocity"));
  EXPECT_FALSE(parse(burgers).has("problem.equation.gravity"));
  EXPECT_THAT(flow_mistakes("  equation: advection\n"), HasSubstr("missing key 'velocity' in 'problem.equation'"));
}

TEST(CaseCondition, SaysWhatAKeyNeeds) {
  EXPECT_EQ(flow_mistakes("  equation: {type: burgers, velocity: [1, 0]}\n"),
            "case.yaml:3:29: error: 'problem.equation.velocity' needs 'problem.equation.type' to be advection, not "
            "'burgers'\n"
            "3 |   equation: {type: burgers, velocity: [1, 0]}\n"
            "                                ^~~~~~~~");
  EXPECT_THAT(flow_mistakes("  equation: shallow_water\n  initial: x\n"),
              HasSubstr("'problem.initial' stands for 'problem.initial.u', which needs 'problem.equation.type' to be "
                        "advection or burgers, not 'shallow_water'"));
  EXPECT_THAT(flow_mistakes(burgers + "  limiter: {bound: 1}\n"), HasSubstr("needs 'problem.limiter.type' to be tvb"));
  EXPECT_EQ(flow_mistakes(burgers + "  limiter: {bound: 1, type: tvb}\n"), "");
  // Where the other key has a mistake or is missing, that alone is told.
  EXPECT_EQ(count_mistakes(flow_mistakes("  equation: {type: burger, velocity: [1, 0]}\n")), 1U);
  EXPECT_EQ(count_mistakes(flow_mistakes("  equation: {velocity: [1, 0]}\n")), 1U);
}

TEST(CaseCondition, HoldsForEachNameByItself) {
  EXPECT_THAT(flow_mistakes(burgers + "  boundary: {left: dirichlet, right: wall}\n"),
              HasSubstr("missing key 'value' in 'problem.boundary.left'"));
  EXPECT_EQ(count_mistakes(flow_mistakes(burgers + "  boundary: {left: dirichlet, right: wall}\n")), 1U);
  EXPECT_THAT(
      flow_mistakes(burgers + "  boundary: {left: {type: dirichlet, value: 1}, right: {type: wall, value: 1}}\n"),
      HasSubstr("'problem.boundary.right.value' needs 'problem.boundary.right.type' to be dirichlet, not 'wall'"));
}

TEST(CasePoints, AreReadInPairs) {
  const Case c = parse(burgers + "  probes: {here: [[0, 1], [0.5, 2e-1], [3, 4]]}\n");
  EXPECT_THAT(c.points("problem.probes.here"),
              ElementsAre(ElementsAre(0.0, 1.0), ElementsAre(0.5, 0.2), ElementsAre(3.0, 4.0)));
  EXPECT_THAT(c.names("problem.probes"), ElementsAre("here"));
}

TEST(CasePoints, MayLieInSpace) {
  const Case c = parse(burgers + "  corners: [[0, 1, -2], [0.5, 2e-1, 3]]\n");
  EXPECT_THAT(c.points("problem.corners"), ElementsAre(ElementsAre(0.0, 1.0, -2.0), ElementsAre(0.5, 0.2, 3.0)));
  EXPECT_THAT(c.resolved(), HasSubstr("  corners: [[0, 1, -2], [0.5, 0.2, 3]]\n"));
  EXPECT_THAT(parse(burgers + "  corners: [[0, 1]]\n").points("problem.corners"), ElementsAre(ElementsAre(0.0, 1.0)));
  const auto mistakes = [](const std::string& list) { return flow_mistakes(burgers + "  corners: " + list + "\n"); };
  EXPECT_THAT(mistakes("[[0, 1, 2], [0, 1]]"), HasSubstr("one point has 2 coordinates, and the first 3"));
  EXPECT_THAT(mistakes("[[0, 1, 2, 3]]"),
              HasSubstr("a point is two or three real numbers in brackets: [x, y] or [x, y, z]"));
}

TEST(CasePoints, RefuseAnythingElse) {
  const auto probes = [](const std::string& list) {
    return flow_mistakes(burgers + "  probes: {here: " + list + "}\n");
  };
  EXPECT_THAT(probes("[[0, 1]]"), HasSubstr("'problem.probes.here' is a list of 2 or more points [x, y], not 1"));
  EXPECT_THAT(probes("0"), HasSubstr("in brackets: [[x, y], ..]"));
  EXPECT_THAT(probes("[0, 1]"), HasSubstr("a point is two real numbers in brackets: [x, y]"));
  EXPECT_THAT(probes("[[0, 1], [0, 1, 2]]"), HasSubstr("case.yaml:4:27: error: 'problem.probes.here': a point is"));
  EXPECT_THAT(probes("[[0, 1], [0, [1]]]"), HasSubstr("a point is"));
  EXPECT_THAT(probes("[[0, 1], [0, a]]"), HasSubstr("'a' is not a real number"));
  EXPECT_THAT(probes("[[0, 1], [0, '1']]"), HasSubstr("remove the quotes"));
  EXPECT_THAT(probes("[[0, 1], [0, -1]]"), HasSubstr("is '-1'; allowed: at least 0"));
  EXPECT_THAT(probes(""), HasSubstr("has no value"));
}

TEST(CaseSections, ReadBackFromTheResolvedCase) {
  const Case first = parse(advection +
                               "  initial: \"x\"\n"
                               "  boundary: {null_: wall, 'yes': wall, 7: periodic, a-b: wall, a: {type: dirichlet, "
                               "value: \"it's\"}}\n"
                               "  probes: {here: [[0, 1], [0.50, 2e-1]], n: [[1, 1], [2, 2]]}\n"
                               "output: {fields: false}\n",
                           {{"problem.boundary.a.value", "x"}});
  const Case second = Case::parse(first.resolved(), "again.yaml", {}, flow_table());
  EXPECT_EQ(second.resolved(), first.resolved());
  EXPECT_EQ(second.sha256(), first.sha256());
  EXPECT_EQ(second.names("problem.boundary"), first.names("problem.boundary"));
  EXPECT_EQ(second.points("problem.probes.here"), first.points("problem.probes.here"));
  EXPECT_FALSE(second.boolean("output.fields.write"));
  EXPECT_THAT(first.resolved(), HasSubstr("    here: [[0, 1], [0.5, 0.2]]\n"));
  // The short form is the same case.
  EXPECT_EQ(parse(burgers).sha256(), parse("  equation: {type: burgers}\n").sha256());
}

TEST(CaseSections, AnUnknownTypeIsTheOnlyMistake) {
  const auto report = [](const std::string& type) {
    try {
      Case::parse("problem: {type: " + type + ", initial: x, boundary: {left: wall, in: wall}, equation: burgers}\n",
                  "case.yaml", {}, flow_table());
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(count_mistakes(report("flaw")), 1U) << report("flaw");
  EXPECT_EQ(report("flow"), "");
}

TEST(CaseSections, AppearInTheSchema) {
  const nlohmann::json schema = nlohmann::json::parse(flow_table().json_schema());
  const nlohmann::json flow = schema["allOf"][0]["then"]["properties"];
  const nlohmann::json equation = flow["problem"]["properties"]["equation"]["anyOf"];
  EXPECT_EQ(equation[0]["enum"], nlohmann::json({"advection", "burgers", "shallow_water"}));
  EXPECT_EQ(equation[1]["required"], nlohmann::json({"type"}));  // velocity only with advection
  EXPECT_FALSE(equation[1]["additionalProperties"].get<bool>());
  EXPECT_THAT(equation[1]["properties"]["velocity"]["description"].get<std::string>(),
              HasSubstr("Only with 'problem.equation.type: advection'."));
  EXPECT_THAT(equation[0]["description"].get<std::string>(), HasSubstr("Also written 'problem.equation: VALUE'."));

  const nlohmann::json boundary = flow["problem"]["properties"]["boundary"];
  EXPECT_FALSE(boundary["additionalProperties"].get<bool>());
  EXPECT_EQ(boundary["properties"].size(), 0U);
  const nlohmann::json left = boundary["patternProperties"]["^[A-Za-z0-9_-]+$"]["anyOf"];
  EXPECT_EQ(left[0]["enum"], nlohmann::json({"periodic", "dirichlet", "wall"}));
  EXPECT_EQ(left[1]["required"], nlohmann::json({"type"}));
  EXPECT_EQ(flow["problem"]["required"], nlohmann::json({"type", "equation"}));  // boundaries need not be given

  const nlohmann::json probe = flow["problem"]["properties"]["probes"]["patternProperties"]["^[A-Za-z0-9_-]+$"];
  EXPECT_EQ(probe["minItems"], 2);
  EXPECT_EQ(probe["items"]["maxItems"], 2);

  // A problem's own key in a section of the framework: closed by the problem's part.
  const nlohmann::json fields = flow["output"]["properties"]["fields"]["anyOf"][1];
  EXPECT_TRUE(fields["properties"].contains("every") && fields["properties"].contains("write"));
  EXPECT_FALSE(fields["additionalProperties"].get<bool>());
  EXPECT_FALSE(schema["properties"]["output"].contains("additionalProperties"));
}

TEST(CaseSections, AppearInTheReference) {
  const std::string page = flow_table().markdown();
  EXPECT_THAT(page, HasSubstr("| `problem.boundary.*.value` | expression | required |  |  | The state. Only with "
                              "`problem.boundary.*.type: dirichlet`. |"));
  EXPECT_THAT(page, HasSubstr("Also written `output.fields: VALUE`."));
  EXPECT_THAT(page, HasSubstr("| `problem.probes.*` | 2 or more points [x, y] |  |  | at least 0 | Where to look. |"));
}

}  // namespace
}  // namespace quoin
