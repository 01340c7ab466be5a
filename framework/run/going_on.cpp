#include "run/going_on.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>

#include "case/path.hpp"
#include "output/earlier_run.hpp"
#include "output/names.hpp"
#include "quoin/error.hpp"
#include "quoin/log.hpp"
#include "run/runner.hpp"

namespace quoin {
namespace {

bool changeable(const std::string& path, const Case& the_case, const KeyTable& keys) {
  if (path.starts_with("output.")) return path != "output.directory";
  return std::ranges::any_of(keys.keys(), [&](const Key& key) {
    const bool of_case = key.problem.empty() || key.problem == the_case.text("problem.type");
    return key.changeable && of_case && match_path(key.path, path);
  });
}

/// The keys on which what is done depends and that the cases do not share.
std::vector<std::string> broken(const Case& first, const Case& second, const KeyTable& keys) {
  std::vector<std::string> paths = first.differing(second);
  std::erase_if(paths, [&](const std::string& path) { return changeable(path, first, keys); });
  return paths;
}

void refuse_another_case(const Case& past, const Case& beside, const std::filesystem::path& folder,
                         const KeyTable& keys) {
  const std::vector<std::string> paths = broken(past, beside, keys);
  if (paths.empty()) return;
  std::string what = "the checkpoint is of another case than case.yaml beside it:";
  for (const std::string& path : paths)
    for (const auto& [sign, its] : {std::pair{'-', &past}, std::pair{'+', &beside}})
      if (const std::string value = its->written(path); !value.empty())
        what += fmt::format("\n  {}{}: {}", sign, path, value);
  throw Error(ErrorKind::checkpoint, what, folder.string());
}

void refuse_changes(const Case& beside, const Case& wanted, const KeyTable& keys) {
  std::vector<std::string> paths = broken(beside, wanted, keys);
  // What another key has brought with it is not what the user has changed.
  const auto of_other = [&](const std::string& path) { return wanted.place(path).line == 0; };
  std::erase_if(paths, [&](const std::string& path) { return path == "output.directory" && of_other(path); });
  if (!std::ranges::all_of(paths, of_other)) std::erase_if(paths, of_other);
  std::string mistakes;
  for (const std::string& path : paths) {
    if (!mistakes.empty()) mistakes += "\n";
    mistakes += wanted
                    .error_at(path, path == "output.directory"
                                        ? "a run goes on in the folder that is given; copy that folder to go on "
                                          "elsewhere"
                                        : fmt::format("a run that goes on keeps its '{}', on which what is done "
                                                      "depends; start another run for it with `quoin run`",
                                                      path))
                    .what();
  }
  if (!mistakes.empty()) throw Error(ErrorKind::case_file, mistakes);
}

}  // namespace

Case case_to_go_on(const FoundCheckpoint& found, const std::filesystem::path& folder,
                   const std::vector<Override>& changes, const KeyTable& keys) {
  const std::string& kept = found.checkpoint.text("case");
  const std::string& name = found.checkpoint.text("case file");  // beside which its mesh file is sought
  const Override here{"output.directory", folder.string(), "DIR"};
  std::vector<Override> overrides{here};
  const Case past = Case::parse(kept, name, overrides, keys);
  const std::filesystem::path file = folder / case_name;
  // It may know more than the checkpoint: of a run that was to go farther and has not written another one yet.
  const bool is_there = std::filesystem::exists(file);
  const auto load = [&] {
    return is_there ? Case::load(file, overrides, keys, name) : Case::parse(kept, name, overrides, keys);
  };
  const Case beside = load();
  refuse_another_case(past, beside, folder, keys);
  overrides.insert(overrides.end(), changes.begin(), changes.end());
  refuse_changes(beside, load(), keys);
  overrides.push_back(here);  // again, for a change of all of `output` takes it back
  return load();
}

std::optional<Outcome> ended_before(const FoundCheckpoint& found, const std::filesystem::path& folder) {
  const EarlierRun earlier = earlier_run(folder);
  constexpr std::array ended{Status::converged, Status::completed, Status::not_converged, Status::stagnated,
                             Status::max_steps};
  const auto status = std::ranges::find(ended, earlier.status, [](Status each) { return to_string(each); });
  const auto about = nlohmann::json::parse(found.checkpoint.text("about"));
  const auto is_there = [&](const std::string& name) { return std::filesystem::exists(folder / name); };
  if (status == ended.end() || about.at("iterations") != earlier.iterations ||
      !std::ranges::all_of(earlier.fields, is_there))
    return std::nullopt;
  log().info("nothing is left to do: the run has ended after {} iterations or steps; `--set` lets it go farther",
             earlier.iterations);
  if (!earlier.message.empty()) log().error("{}", earlier.message);
  return Outcome{*status, exit_code(*status, 0), folder, {}, earlier.text};
}

}  // namespace quoin
