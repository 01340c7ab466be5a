// `quoin diff`: two runs side by side.

#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "differences.hpp"
#include "quoin/error.hpp"
#include "quoin/words.hpp"

namespace quoin {
namespace {

struct DiffArguments {
  std::string a;
  std::string b;
  bool json = false;
};

constexpr int differs_code = static_cast<int>(ErrorKind::not_converged);

Json differences(const StoredRun& a, const StoredRun& b) {
  Json found{{"version", 1}, {"a", a.folder.string()}, {"b", b.folder.string()}, {"same", false}};
  for (const StoredRun* run : {&a, &b})
    if (!run->the_case) found["case_errors"].push_back(run->case_fault);
  found["case"] = a.the_case && b.the_case ? case_differences(*a.the_case, *b.the_case) : Json();
  found["figures"] = figure_differences(a.summary, b.summary);
  found["times"] = time_differences(a.summary, b.summary);
  found["fields"] = field_differences(a.folder, b.folder);
  const auto hash = [](const StoredRun& run) { return run.summary.value("field_sha256", Json()); };
  found["same_hash"] = hash(a).is_null() || hash(b).is_null() ? Json() : Json(hash(a) == hash(b));
  return found;
}

bool same_solution(const Json& found) {
  const auto of_case = [](const Json& row) { return of_the_solution(row["key"].get<std::string>()); };
  const auto equal = [](const Json& row) { return row.value("equal_bits", false); };
  const Json& fields = found["fields"];
  return found["case"].is_array() && std::ranges::none_of(found["case"], of_case) &&
         std::ranges::all_of(fields, equal) && (!fields.empty() || found["same_hash"] == true);
}

std::string shown(const Json& value) {
  if (value.is_null()) return "-";
  return value.is_string() ? printable(value.get<std::string>(), true) : value.dump();
}

std::string number(const Json& value, const char* format) {
  return value.is_number() ? fmt::format(fmt::runtime(format), value.get<double>()) : "nan";
}

std::string case_text(const Json& found) {
  if (found["case"].is_null()) {
    std::string text = "case: cannot be compared\n";
    for (const Json& fault : found["case_errors"]) text += "  " + shown(fault) + "\n";
    return text;
  }
  if (found["case"].empty()) return "case: equal\n";
  std::string text = "case\n";
  for (const Json& row : found["case"])
    text += fmt::format("  {}: {} -> {}\n", shown(row["key"]), shown(row["a"]), shown(row["b"]));
  return text;
}

std::string figures_text(const Json& figures) {
  if (figures.empty()) return "figures: equal\n";
  std::vector<std::vector<std::string>> rows{{"figures", "A", "B"}};
  for (const Json& row : figures) rows.push_back({"  " + shown(row["name"]), shown(row["a"]), shown(row["b"])});
  return in_columns(rows, "lrr");
}

std::string times_text(const Json& times) {
  if (times.empty()) return "";
  std::vector<std::vector<std::string>> rows{{"seconds", "A", "B", "B / A"}};
  for (const Json& row : times) {
    std::string name = row["name"].get<std::string>();
    if (name.ends_with("_seconds")) name.resize(name.size() - std::string_view("_seconds").size());
    rows.push_back({"  " + name, number(row["a"], "{:.4f}"), number(row["b"], "{:.4f}"),
                    row["ratio"].is_null() ? "-" : number(row["ratio"], "{:.2f}")});
  }
  return in_columns(rows, "lrrr");
}

std::string fields_text(const Json& found) {
  const Json& fields = found["fields"];
  if (fields.empty()) {
    const Json& same = found["same_hash"];
    return std::string("fields: none were written by either run; their hashes ") +
           (same.is_null()     ? "are not known"
            : same.get<bool>() ? "are equal"
                               : "differ") +
           "\n";
  }
  std::vector<std::vector<std::string>> rows{{"fields", "", "nodes", "largest", "L2", "bits"}};
  std::string others;
  for (const Json& row : fields) {
    if (!row.contains("equal_bits")) {
      others += fmt::format("  {}: {}\n", shown(row["file"]), shown(row[row.contains("error") ? "error" : "differs"]));
      continue;
    }
    rows.push_back({"  " + shown(row["file"]), shown(row["field"]), shown(row["nodes"]),
                    number(row["largest_difference"], "{:.3e}"), number(row["l2_difference"], "{:.3e}"),
                    row["equal_bits"].get<bool>() ? "equal" : "differ"});
  }
  return (rows.size() > 1 ? in_columns(rows, "llrrrl") : "fields\n") + others;
}

std::string verdict(const Json& found) {
  if (found["same"].get<bool>()) return "the same problem and method, and fields that are equal to the bit\n";
  const bool known = !found["fields"].empty() || found["same_hash"].is_boolean();
  return known || !found["case"].empty() ? "the runs differ\n" : "there are no fields to compare\n";
}

int diff(const Context& context, const DiffArguments& arguments) {
  const KeyTable table = key_table(candidates(context));
  Json found = differences(stored_run(arguments.a, table), stored_run(arguments.b, table));
  const bool same = same_solution(found);
  found["same"] = same;
  if (arguments.json) {
    print(to_text(found));
  } else {
    print(fmt::format("A: {}\nB: {}\n", printable(arguments.a, true), printable(arguments.b, true)) + case_text(found) +
          figures_text(found["figures"]) + times_text(found["times"]) + fields_text(found) + verdict(found));
  }
  const auto unread = [](const Json& row) { return row.contains("error"); };
  if (std::ranges::any_of(found["fields"], unread))
    return fail("a file of the runs cannot be read", static_cast<int>(ErrorKind::io));
  return same ? 0 : differs_code;
}

}  // namespace

void add_diff(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand(
      "diff",
      "Tell how two runs differ: cases, figures, times and fields. Ends with 0 where problem and method "
      "are the same and all fields are equal to the bit, else with 4.");
  const auto arguments = std::make_shared<DiffArguments>();
  command.add_option("A", arguments->a, "The result folder of a run")->type_name("DIR")->required();
  command.add_option("B", arguments->b, "That of another")->type_name("DIR")->required();
  command.add_flag("--json", arguments->json, "For programs");
  add_plugin_dir(command, context);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return diff(context, *arguments); }; });
}

}  // namespace quoin
