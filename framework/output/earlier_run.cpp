#include "output/earlier_run.hpp"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "output/names.hpp"

namespace quoin {

EarlierRun earlier_run(const std::filesystem::path& folder) {
  EarlierRun run;
  std::error_code code;
  const std::filesystem::path file = folder / summary_name;
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(file, code))) return run;
  std::ifstream stream(file);
  run.text.assign(std::istreambuf_iterator<char>(stream), {});
  const auto summary = nlohmann::json::parse(run.text, nullptr, /*allow_exceptions=*/false);
  const auto text = [](const nlohmann::json& value) { return value.is_string() ? value.get<std::string>() : ""; };
  if (!summary.is_object()) return run;
  if (summary.contains("status")) run.status = text(summary["status"]);
  if (summary.contains("message")) run.message = text(summary["message"]);
  if (summary.contains("iterations") && summary["iterations"].is_number_integer())
    run.iterations = summary["iterations"].get<std::int64_t>();
  if (!summary.contains("fields") || !summary["fields"].is_array()) return run;
  for (const auto& field : summary["fields"]) {
    const std::string name = text(field);
    if (name.find('/') == std::string::npos && is_field_name(name)) run.fields.push_back(name);
  }
  return run;
}

}  // namespace quoin
