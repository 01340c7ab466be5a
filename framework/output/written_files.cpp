#include "output/written_files.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "output/checkpoint_files.hpp"
#include "output/names.hpp"
#include "quoin/error.hpp"
#include "quoin/files.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

constexpr std::string_view part_ending = ".part";

/// Whether Quoin gives such a name to a file of a result folder: a list may hold anything.
bool is_given_name(std::string_view name) {
  if (name.starts_with('.') || name.find('/') != std::string_view::npos) return false;
  return std::ranges::find(result_names, name) != result_names.end() ||
         std::ranges::find(study_names, name) != study_names.end() || is_field_name(name) || is_checkpoint_name(name);
}

/// The names in the list, without a last one that is torn.
std::set<std::string> listed(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string line;
  if (!std::getline(stream, line) || line + "\n" != list_head)
    throw Error(ErrorKind::io, "is in the way: it is not the list of files that Quoin keeps under this name; move it",
                file.string());
  std::set<std::string> names;
  while (std::getline(stream, line) && !stream.eof())
    if (is_given_name(line)) names.insert(line);
  return names;
}

std::set<std::string> told_by_summary(const fs::path& folder, bool run_is_there) {
  require_file(folder / summary_name);
  std::ifstream stream(folder / summary_name);
  const auto summary = nlohmann::json::parse(stream, nullptr, /*allow_exceptions=*/false);
  const bool of_a_run = summary.is_object() && summary.contains("field_sha256") && summary.contains("versions") &&
                        summary["versions"].is_object() && summary["versions"].contains("quoin");
  std::set<std::string> names;
  if (!of_a_run && !run_is_there) return names;
  names.insert(result_names.begin(), result_names.end());
  if (of_a_run && summary.contains("fields") && summary["fields"].is_array()) {
    for (const auto& field : summary["fields"])
      if (field.is_string() && is_given_name(field.get<std::string>())) names.insert(field.get<std::string>());
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (const std::string name = entry.path().filename(); is_checkpoint_name(name)) names.insert(name);
  return names;
}

/// `cells-000012.vtu` without its step and its ending.
std::string_view without_step(std::string_view name) {
  if (is_field_name(name)) name = name.substr(0, name.rfind('.'));
  const std::size_t last = name.find_last_not_of("0123456789");
  const bool step = last != std::string_view::npos && name[last] == '-' && last + 1 < name.size();
  return step ? name.substr(0, last) : name;
}

bool is_to_be_written(std::string_view name, std::span<const std::string> names) {
  return is_checkpoint_name(name) || std::ranges::find(names, name) != names.end() ||
         (is_field_name(name) && std::ranges::find(names, without_step(name)) != names.end());
}

}  // namespace

std::set<std::string> written_files(const fs::path& folder, bool run_is_there) {
  const fs::path list = folder / list_name;
  require_file(list);
  return fs::exists(list) ? listed(list) : told_by_summary(folder, run_is_there);
}

void list_beside_run(const fs::path& folder, const std::string& name) {
  const fs::path list = folder / list_name;
  require_file(list);
  if (!fs::exists(list) || listed(list).contains(name)) return;
  if (fs::exists(fs::symlink_status(folder / name))) refuse_in_the_way(folder / name);
  std::ofstream stream(list, std::ios::binary | std::ios::app);
  stream << name + "\n" << std::flush;
  if (!stream) throw Error(ErrorKind::io, "the list of Quoin's files cannot be written", list.string());
}

std::string whole_name(const std::string& name) {
  const bool part = name.starts_with('.') && name.ends_with(part_ending) && name.size() > part_ending.size() + 1;
  return part ? name.substr(1, name.size() - part_ending.size() - 1) : name;
}

void require_room(const fs::path& folder, const std::set<std::string>& written, std::span<const std::string> names) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = whole_name(entry.path().filename());
    const bool ours = written.contains(name);
    if (!ours && !is_to_be_written(name, names)) continue;
    require_file(entry.path());
    if (!ours) refuse_in_the_way(entry.path());
  }
}

void refuse_in_the_way(const fs::path& file) {
  throw Error(
      ErrorKind::io,
      "is in the way: a file of that name is to be written, and no earlier run here wrote this one; move it, or "
      "choose another folder with --output",
      file.string());
}

}  // namespace quoin
