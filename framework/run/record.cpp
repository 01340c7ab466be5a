#include "run/record.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "output/history.hpp"
#include "output/names.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorKind::checkpoint, "the checkpoint was not written by Quoin: " + what);
}

void require(bool sound, const char* what) {
  if (!sound) refuse(std::string("its record of ") + what + " makes no sense");
}

/// Whether it is a text that can be the name of a file in the folder.
bool is_name(const std::string& text) { return !text.empty() && text[0] != '.' && text.find('/') == std::string::npos; }
bool is_file(const Json& name) {
  return name.is_string() && is_name(name.get<std::string>()) && is_field_name(name.get<std::string>());
}

void require_about(const Json& about) {
  require(about.is_object() && about.contains("iterations") && about.contains("backend"), "the run");
  const Json& iterations = about["iterations"];
  require(iterations.is_number_integer() && iterations.get<std::int64_t>() >= 0, "the iterations");
  require(about["backend"].is_string(), "the backend");
}

void require_frames(const Json& frames) {
  require(frames.is_object(), "the frames");
  for (const auto& [level, files] : frames.items()) {
    require(is_name(level) && files.is_array(), "the frames");
    for (const Json& file : files)
      require(file.is_array() && file.size() == 2 && file[0].is_number() && is_file(file[1]), "the frames");
  }
}

/// As many columns as the table's first line has.
void require_series(const Json& series) {
  require(series.is_object(), "the tables");
  for (const auto& [name, table] : series.items()) {
    require(is_name(name) && table.is_array() && table.size() == 2 && table[0].is_number_unsigned(), "the tables");
    require(table[1].is_string(), "the tables");
    const std::string text = table[1].get<std::string>();
    const auto columns = 1 + std::ranges::count(text.substr(0, text.find('\n')), ',');
    require(table[0] == columns && text.ends_with('\n'), "the tables");
  }
}

void require_files(const Json& files) {
  for (const char* part : {"names", "frames", "series"})
    require(files.is_object() && files.contains(part), "the files");
  require(files["names"].is_array() && std::ranges::all_of(files["names"], is_file), "the files");
  require_frames(files["frames"]);
  require_series(files["series"]);
}

}  // namespace

void require_record(const Checkpoint& checkpoint, const KeyTable& keys) {
  const auto json = [&](const char* name) {
    return Json::parse(checkpoint.text(name), nullptr, /*allow_exceptions=*/false);
  };
  require_about(json("about"));
  require_files(json("files"));
  require(History::is_packed(checkpoint.text("history")), "the history");
  try {  // whose backend need not be here: another may be asked for
    const std::vector<Override> elsewhere{{"backend", "serial", "--backend"}};
    (void)Case::parse(checkpoint.text("case"), checkpoint.text("case file"), elsewhere, keys);
  } catch (const Error& error) {
    refuse(std::string("its case has mistakes:\n") + error.what());
  }
}

}  // namespace quoin
