#include "sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "quoin/words.hpp"
#include "sweep/members.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

Case load(const Sweep& sweep, const std::vector<Override>& changes, const std::string& folder) {
  CaseArguments of_member = sweep.arguments.of_case;
  of_member.output = folder;
  std::vector<Override> overrides = of_member.overrides();
  overrides.insert(overrides.end(), changes.begin(), changes.end());
  return Case::load(of_member.file, overrides, sweep.table);
}

Json values_of(const std::vector<Override>& changes) {
  Json values = Json::object();
  for (const Override& change : changes) {
    const Json value = Json::parse(change.value, nullptr, /*allow_exceptions=*/false);
    values[change.path] = value.is_number() ? value : Json(change.value);
  }
  return values;
}

constexpr const char* advice = "; choose another folder with --output, or replace what is in it with --force";

}  // namespace

std::string text_of(const std::vector<Override>& changes) {
  std::string text;
  for (const Override& change : changes) text += (text.empty() ? "" : " ") + change.path + "=" + change.value;
  return printable(text, true);
}

Sweep sweep_of(const Context& context, const SweepArguments& arguments) {
  std::vector<Candidate> plugins = candidates(context);
  KeyTable table = key_table(plugins);
  Sweep sweep{context, arguments, std::move(plugins), std::move(table), variations_of(arguments.vary), {}, {}};
  const std::vector<Setting> settings = settings_of(sweep.variations, arguments.zip);
  const std::vector<std::string> names = folder_names(sweep.variations, settings);
  for (std::size_t k = 0; k < settings.size(); ++k) {
    std::vector<Override> changes;
    for (std::size_t j = 0; j < settings[k].size(); ++j)
      changes.push_back({sweep.variations[j].key, settings[k][j], "--vary"});
    for_member(changes, [&] {
      if (k == 0)
        sweep.folder = arguments.of_case.study_folder(load(sweep, changes, arguments.of_case.output), "-sweep");
      const fs::path folder = sweep.folder / names[k];
      Case the_case = load(sweep, changes, folder.string());
      if (the_case.text("output.directory") != folder)
        throw Error(ErrorKind::usage,
                    "every member has a folder of its own: give that of the sweep by --output, and "
                    "keys of 'output' one by one");
      sweep.members.push_back({changes, folder, std::move(the_case)});
    });
  }
  require_other_place(sweep.members.front().the_case, sweep.folder);
  return sweep;
}

Json study_of(const Sweep& sweep) {
  Json study = new_study(sweep.context, sweep.arguments.of_case);
  study.update({{"complete", false}, {"exit_code", nullptr}, {"vary", Json::object()}, {"zip", sweep.arguments.zip}});
  for (const Variation& each : sweep.variations) study["vary"][each.key] = each.values;
  study["members"] = Json::array();
  for (const SweepMember& member : sweep.members)
    study["members"].push_back({{"member", study["members"].size()},
                                {"values", values_of(member.changes)},
                                {"directory", member.folder.string()},
                                {"status", "waiting"},
                                {"exit_code", nullptr},
                                {"figures", Json::object()}});
  return study;
}

void require_same_case(const Sweep& sweep, const SweepMember& member) {
  const fs::path file = member.folder / "case.yaml";
  if (!fs::exists(file)) return;
  const std::vector<Override> elsewhere{{"backend", "serial", "--backend"}};  // its own need not be here any more
  const Case earlier = Case::load(file, elsewhere, sweep.table, sweep.arguments.of_case.file);
  if (earlier.sha256() == member.the_case.sha256()) return;
  std::string what = "holds a run of another case";
  for (const std::string& path : earlier.differing(member.the_case)) {
    const auto shown = [&](const Case& one) { return one.has(path) ? one.written(path) : "not given"; };
    if (!path.starts_with("output."))
      what += fmt::format("; {} is {} there, and {} here", path, shown(earlier), shown(member.the_case));
  }
  throw Error(ErrorKind::usage, what + advice, member.folder.string());
}

void require_same_sweep(const Sweep& sweep, const Json& study) {
  if (std::ifstream stream(sweep.folder / sweep_table); stream) {
    const Json earlier = Json::parse(stream, nullptr, /*allow_exceptions=*/false);
    const bool same = earlier.is_object() && earlier.contains("vary") && earlier["vary"] == study["vary"] &&
                      earlier.contains("zip") && earlier["zip"] == study["zip"];
    if (!same)
      throw Error(ErrorKind::usage, std::string("holds a sweep over other values") + advice, sweep.folder.string());
  } else if (std::ranges::none_of(sweep.members, [](const SweepMember& each) { return fs::exists(each.folder); })) {
    throw Error(ErrorKind::usage, std::string("holds no sweep to go on with") + advice, sweep.folder.string());
  }
  for (const SweepMember& member : sweep.members) require_same_case(sweep, member);
}

std::vector<std::string> command_of(const Sweep& sweep, const SweepMember& member) {
  const CaseArguments& given = sweep.arguments.of_case;
  const Left left = sweep.arguments.force ? Left::nothing : left_in(member.folder);
  if (left == Left::all) return {};
  std::vector<std::string> words;
  if (left == Left::part) {
    words = {"resume", member.folder.string()};
  } else {
    words = {"run", given.file};
    if (!given.backend.empty()) words.insert(words.end(), {"--backend", given.backend});
    if (!given.threads.empty()) words.insert(words.end(), {"--threads", given.threads});
    for (const std::string& each : given.set) words.push_back("--set=" + each);
    for (const Override& change : member.changes) words.push_back("--set=" + change.path + "=" + change.value);
    words.insert(words.end(), {"--output", member.folder.string()});
    if (fs::exists(member.folder)) words.emplace_back("--force");
  }
  for (const std::string& folder : sweep.context.folders) words.insert(words.end(), {"--plugin-dir", folder});
  return words;
}

}  // namespace quoin
