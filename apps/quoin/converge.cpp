// Runs a case on successively refined meshes and tells at which order its errors fall.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "quoin/error.hpp"
#include "quoin/log.hpp"
#include "quoin/run.hpp"
#include "runs.hpp"

namespace quoin {
namespace {

constexpr std::array error_norms{"l1", "l2", "linf"};

struct ConvergeArguments {
  CaseArguments of_case;
  int levels = 0;
  std::optional<double> expected_order;
  bool json = false;
  bool force = false;
};

/// The case on one mesh.
struct Level {
  Case the_case;
  std::vector<Override> changes;    // for the mesh
  std::vector<Override> overrides;  // all of them
};

/// The cases of every level, checked before the first one runs.
std::vector<Level> refine(const ConvergeArguments& arguments, const std::vector<Candidate>& plugins, const Case& base) {
  const ProblemType& type = problem_type(base.text("problem.type"));
  if (type.refine == nullptr)
    throw base.error_at("problem.type", fmt::format("the meshes of '{}' cannot be refined", type.name));
  std::vector<Level> levels;
  for (int k = 0; k < arguments.levels; ++k) {
    const std::vector<Override> changes = type.refine(base, k);
    std::vector<Override> overrides = arguments.of_case.overrides();
    overrides.insert(overrides.end(), changes.begin(), changes.end());
    overrides.push_back({"output.directory", fmt::format("{}/level-{}", base.text("output.directory"), k), "--output"});
    levels.push_back({Case::load(arguments.of_case.file, overrides, key_table(plugins)), changes, overrides});
    check_case(levels.back().the_case, plugins, arguments.force);
  }
  return levels;
}

/// The order at which each norm fell from the coarser mesh to this one, twice as fine; null where there is none.
Json orders(const Json& coarse, const Json& fine) {
  Json result;
  for (const char* norm : error_norms) {
    const Json& before = coarse["errors"][norm];
    const Json& after = fine["errors"][norm];
    const bool numbers = before.is_number() && after.is_number();
    result[norm] = numbers ? std::log2(before.get<double>() / after.get<double>()) : NAN;
    if (!std::isfinite(result[norm].get<double>())) result[norm] = nullptr;
  }
  return result;
}

Json run_level(const Context& context, const ConvergeArguments& arguments, const std::vector<Candidate>& plugins,
               const Level& level, int number) {
  const Outcome outcome = run_case(level.the_case, plugins,
                                   {.quiet = true, .force = arguments.force, .command_line = context.command_line});
  const Json summary = Json::parse(outcome.summary);
  Json result{{"level", number}, {"changes", Json::object()}};
  for (const Override& change : level.changes) result["changes"][change.path] = change.value;
  result["directory"] = outcome.directory.string();
  for (const char* fact : {"status", "exit_code", "iterations", "wall_seconds"}) result[fact] = summary[fact];
  if (!summary.contains("errors"))
    throw Error(ErrorKind::case_file, "the run reports no errors; give the case an exact solution",
                level.the_case.name());
  result["errors"] = summary["errors"];
  if (summary.contains("algebraic_error")) result["algebraic_error"] = summary["algebraic_error"];
  return result;
}

/// How much smaller the tolerances must be for the error that the solver leaves to be no more than a twentieth of the
/// level's error; 1 where it may be no more than a tenth.
double missing_factor(const Json& run) {
  const Json& l2 = run["errors"]["l2"];
  if (!run.contains("algebraic_error") || !l2.is_number() || run["exit_code"] != 0) return 1.0;
  const double share = run["algebraic_error"].get<double>() / l2.get<double>();
  return share > 0.1 && std::isfinite(share) ? 0.05 / share : 1.0;
}

/// The level, and where its error may be the solver's rather than the mesh's, the level again with tolerances that rule
/// that out. Warns where they do not.
Json run_tight_enough(const Context& context, const ConvergeArguments& arguments, const std::vector<Candidate>& plugins,
                      const Level& level, int number, Json& warnings) {
  constexpr double least = 1e-9;  // of the case's tolerances
  Json run = run_level(context, arguments, plugins, level, number);
  const ProblemType& type = problem_type(level.the_case.text("problem.type"));
  if (type.scale_tolerances == nullptr) return run;
  Level tighter = level;
  const std::string directory = run["directory"].get<std::string>() + "-tighter";
  for (double times = missing_factor(run); missing_factor(run) < 1.0; times *= missing_factor(run)) {
    tighter.overrides = level.overrides;
    for (const Override& change : type.scale_tolerances(level.the_case, times)) tighter.overrides.push_back(change);
    tighter.overrides.push_back({"output.directory", directory, "--output"});
    tighter.the_case = Case::load(arguments.of_case.file, tighter.overrides, key_table(plugins));
    ConvergeArguments again_by = arguments;
    again_by.force = arguments.force || run.contains("tolerances_times");  // over what this loop has left
    Json again = run_level(context, again_by, plugins, tighter, number);
    const int code = again["exit_code"].get<int>();
    if (stopped_by_signal(code)) return again;
    if (code != 0 || times < least) {
      warnings.push_back(
          fmt::format("level {}: up to {:.2e} of its L2 error of {:.2e} may be the solver's, for with tolerances times "
                      "{:.2e} the run ended as {}; the orders may not be those of the scheme",
                      number, run["algebraic_error"].get<double>(), run["errors"]["l2"].get<double>(), times,
                      again["status"].get<std::string>()));
      return run;
    }
    again["tolerances_times"] = times;
    run = std::move(again);
  }
  return run;
}

/// Errors that fall faster than the scheme's order are more often a mistake than luck.
void warn_of_high_orders(const Case& the_case, const Json& levels, Json& warnings) {
  constexpr double max_above = 0.4;
  const ProblemType& type = problem_type(the_case.text("problem.type"));
  if (type.order == nullptr || levels.back()["orders"].is_null()) return;
  const Json& order = levels.back()["orders"]["l2"];
  if (!order.is_number() || order.get<double>() <= type.order(the_case) + max_above) return;
  warnings.push_back(
      fmt::format("level {}: L2 falls at order {:.2f}, where the scheme has {:g}: errors of two kinds may "
                  "cancel, or the coarser mesh is too coarse; add levels before you believe it",
                  levels.back()["level"].get<int>(), order.get<double>(), type.order(the_case)));
}

std::string orders_table(const Json& levels) {
  std::string text = fmt::format("{:<6}", "level");
  for (const char* name : {"L1", "L2", "Linf"}) text += fmt::format(" {:>12} {:>6}", name, "order");
  text += fmt::format(" {:>11}  status\n", "iterations");
  for (const Json& level : levels) {
    text += fmt::format("{:<6}", level["level"].get<int>());
    for (const char* norm : error_norms) {
      const Json& error = level["errors"][norm];
      const Json order = level["orders"].is_null() ? Json() : level["orders"][norm];
      text += error.is_null() ? fmt::format(" {:>12}", "nan") : fmt::format(" {:>12.4e}", error.get<double>());
      text += order.is_null() ? fmt::format(" {:>6}", "-") : fmt::format(" {:>6.2f}", order.get<double>());
    }
    text += fmt::format(" {:>11}  {}\n", level["iterations"].get<std::int64_t>(), level["status"].get<std::string>());
  }
  return text;
}

std::string csv(const Json& levels) {
  std::string text = "level,l1,l2,linf,l1_order,l2_order,linf_order,iterations,wall_seconds\n";
  // Empty where there is no number.
  const auto cell = [](const Json& number) { return "," + (number.is_null() ? std::string() : number.dump()); };
  for (const Json& level : levels) {
    text += level["level"].dump();
    for (const char* norm : error_norms) text += cell(level["errors"][norm]);
    for (const char* norm : error_norms) text += cell(level["orders"].is_null() ? Json() : level["orders"][norm]);
    text += cell(level["iterations"]) + cell(level["wall_seconds"]) + "\n";
  }
  return text;
}

/// What is wrong with the study, or nothing: a run that did not end well, or an order that is too low.
std::optional<Error> verdict(const ConvergeArguments& arguments, const Json& levels) {
  const Json& finest = levels.back();
  const std::string where = arguments.of_case.file;
  if (const int code = finest["exit_code"].get<int>(); code != 0) {
    const auto kind = code == static_cast<int>(ErrorKind::diverged) ? ErrorKind::diverged : ErrorKind::not_converged;
    return Error(
        kind,
        fmt::format("the run of level {} ended as {}, so its errors tell no order; see {}", finest["level"].get<int>(),
                    finest["status"].get<std::string>(), finest["directory"].get<std::string>()),
        where);
  }
  if (!arguments.expected_order) return std::nullopt;
  const Json& order = finest["orders"]["l2"];
  if (order.is_number() && order.get<double>() >= *arguments.expected_order) return std::nullopt;
  return Error(ErrorKind::not_converged,
               fmt::format("the order of L2 at the finest pair of meshes is {}, less than the {} expected",
                           order.is_null() ? "no number" : fmt::format("{:.3f}", order.get<double>()),
                           *arguments.expected_order),
               where);
}

int converge(const Context& context, const ConvergeArguments& arguments) {
  const std::vector<Candidate> plugins = candidates(context);
  const Case base = Case::load(arguments.of_case.file, arguments.of_case.overrides(), key_table(plugins));
  require_other_place(base, base.text("output.directory"));
  const std::vector<Level> cases = refine(arguments, plugins, base);
  StudyFolder folder(base.text("output.directory"), arguments.force);
  const Json order = arguments.expected_order ? Json(*arguments.expected_order) : Json();
  Json study = new_study(context, arguments.of_case);
  study.update({{"complete", false},
                {"exit_code", nullptr},
                {"expected_order", order},
                {"levels", Json::array()},
                {"warnings", Json::array()}});
  Json& levels = study["levels"];
  Json& warnings = study["warnings"];
  const auto keep = [&] {  // after each level: the next one may take hours, or be killed
    folder.write("converge.json", to_text(study));
    folder.write("converge.csv", csv(levels));
  };
  int code = 0;
  for (const Level& level : cases) {
    const int number = static_cast<int>(levels.size());
    Json run = run_tight_enough(context, arguments, plugins, level, number, warnings);
    run["orders"] = levels.empty() ? Json() : orders(levels.back(), run);
    levels.push_back(std::move(run));
    warn_of_high_orders(level.the_case, levels, warnings);
    code = levels.back()["exit_code"].get<int>();
    if (code != 0 || levels.size() == cases.size()) break;  // the finer ones would not do better
    keep();
  }
  const std::optional<Error> wrong = verdict(arguments, levels);
  if (code == 0 && wrong) code = wrong->exit_code();
  study["complete"] = !stopped_by_signal(code);
  study["exit_code"] = code;
  keep();
  print_study(arguments.json ? to_text(study) : orders_table(levels), arguments.json, base.text("output.directory"));
  for (const Json& warning : warnings) log().warn("{}", warning.get<std::string>());
  if (wrong && code == wrong->exit_code()) throw *wrong;  // says it
  return code;                                            // of a run that a signal ended, too
}

}  // namespace

void add_converge(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand(
      "converge",
      "Run a case on ever finer meshes and tell the order of its errors. The case needs an exact solution.");
  const auto arguments = std::make_shared<ConvergeArguments>();
  add_case_arguments(command, arguments->of_case);
  command
      .add_option("--levels", arguments->levels,
                  "How many meshes, each twice as fine as the one before; the first is that of the case")
      ->type_name("N")
      ->check(CLI::Range(2, 20).description(""))
      ->required();
  command
      .add_option("--expect-order", arguments->expected_order,
                  "End with exit code 4 when the order of L2 between the two finest meshes is below this")
      ->type_name("Q");
  command.add_flag("--json", arguments->json, "For programs");
  command.add_flag("--force", arguments->force, "Replace the results of an earlier study");
  add_plugin_dir(command, context);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return converge(context, *arguments); }; });
}

}  // namespace quoin
