#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "fixture.hpp"

namespace quoin {
namespace {

using quoin::testing::case_table;
using ::testing::HasSubstr;

// The schema of one key, found from the object that `root` describes; null where there is none.
nlohmann::json find_key(const nlohmann::json& root, const std::string& path) {
  nlohmann::json at = root;
  for (std::size_t start = 0; start != std::string::npos;) {
    const std::size_t dot = path.find('.', start);
    const std::string name = path.substr(start, dot == std::string::npos ? dot : dot - start);
    if (at.contains("anyOf")) at = nlohmann::json(at["anyOf"].back());  // behind the short form of the section
    const bool any = name == "*";
    if (any ? !at.contains("patternProperties") : !at.contains("properties") || !at["properties"].contains(name))
      return nullptr;
    at = nlohmann::json(any ? at["patternProperties"].front() : at["properties"][name]);
    start = dot == std::string::npos ? dot : dot + 1;
  }
  return at;
}

// The `then` of the condition that `path` of the object equals `value`.
nlohmann::json branch(const nlohmann::json& object, const std::string& path, const std::string& value) {
  for (const nlohmann::json& rule : object["allOf"])
    if (find_key(rule["if"], path).value("const", "") == value) return rule["then"];
  return nullptr;
}

/// Whether the key holds with certain problems only, or beside what only certain problems have.
bool in_branches(const Key& key) {
  return !key.problem.empty() || (key.path.starts_with("problem.") && key.path != "problem.type");
}

TEST(CaseSchema, HoldsEveryKey) {
  const KeyTable table = case_table();
  const nlohmann::json schema = nlohmann::json::parse(table.json_schema());
  EXPECT_FALSE(schema["additionalProperties"].get<bool>());
  const nlohmann::json backend = schema["$defs"]["backend"];
  for (const Key& key : table.keys()) {
    nlohmann::json found;
    if (!key.backend.empty())
      found = find_key(branch(backend, "name", key.backend), key.path.substr(8));
    else if (key.path.starts_with("backend."))
      found = find_key(backend, key.path.substr(8));
    else
      found = find_key(
          in_branches(key) ? branch(schema, "problem.type", key.problem.empty() ? "jacobi" : key.problem) : schema,
          key.path);
    ASSERT_TRUE(found.is_object()) << key.path;
    EXPECT_THAT(found["description"].get<std::string>(), HasSubstr(key.meaning)) << key.path;
    EXPECT_EQ(found.contains("default"), !key.fallback.empty()) << key.path;
  }
}

TEST(CaseSchema, HoldsRangesChoicesAndDefaults) {
  const nlohmann::json schema = nlohmann::json::parse(case_table().json_schema());
  const nlohmann::json jacobi = branch(schema, "problem.type", "jacobi");
  const nlohmann::json nodes = find_key(jacobi, "problem.grid.nodes");
  EXPECT_EQ(nodes["items"]["anyOf"][0]["minimum"], 1);
  EXPECT_EQ(nodes["items"]["anyOf"][0]["maximum"], 2147483648);
  EXPECT_EQ(nodes["minItems"], 2);
  EXPECT_EQ(nodes["maxItems"], 3);
  EXPECT_EQ(find_key(jacobi, "method.tolerance")["anyOf"][0]["exclusiveMinimum"], 0.0);
  EXPECT_EQ(find_key(jacobi, "method.max_iterations")["default"], 1000);
  EXPECT_EQ(find_key(jacobi, "method.variant")["enum"], nlohmann::json({"auto", "classic", "fused", "blocked"}));
  EXPECT_FALSE(find_key(jacobi, "method")["additionalProperties"].get<bool>());
  EXPECT_FALSE(find_key(jacobi, "problem.boundary")["additionalProperties"].get<bool>());
  EXPECT_EQ(find_key(jacobi, "problem")["required"], nlohmann::json({"type", "grid"}));
}

TEST(CaseMarkdown, HasARowForEveryKey) {
  const KeyTable table = case_table();
  const std::string page = table.markdown();
  for (const Key& key : table.keys()) EXPECT_THAT(page, HasSubstr("| `" + key.path + "` | ")) << key.path;
  EXPECT_THAT(page, HasSubstr("| `method.max_iterations` | integer | `1000` | iterations | 1 to 1000000000000 | The"));
  EXPECT_THAT(page, HasSubstr("## `backend` of `tuned`"));
  EXPECT_THAT(page, HasSubstr("atan2"));
}

}  // namespace
}  // namespace quoin
