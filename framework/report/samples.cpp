#include "report/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace fs = std::filesystem;

namespace quoin {
namespace {

constexpr std::size_t max_curves = 6;  // in one chart, which people still tell apart

/// Where and when, and not what.
bool is_place(const std::string& column) {
  constexpr std::array names{"step", "iteration", "time", "probe", "distance", "x", "y", "z"};
  return std::ranges::find(names, column) != names.end();
}

using Curves = std::vector<std::pair<std::string, Curve>>;

Curves& curves_of(Samples& samples, const std::string& quantity) {
  auto found = std::ranges::find(samples.quantities, quantity, &Samples::Quantity::name);
  if (found == samples.quantities.end()) found = samples.quantities.insert(found, Samples::Quantity{quantity, {}});
  return found->curves;
}

Curve& curve_of(Curves& curves, const std::string& label) {
  auto found = std::ranges::find(curves, label, &Curves::value_type::first);
  if (found == curves.end()) found = curves.insert(found, {label, {}});
  return found->second;
}

/// NAME-STEP.csv, where STEP has six digits or more.
std::optional<std::pair<std::string, std::string>> name_and_step(const std::string& file) {
  const std::size_t at = file.rfind('-');
  if (at == std::string::npos || at == 0 || !file.ends_with(".csv")) return std::nullopt;
  const std::string step = file.substr(at + 1, file.size() - 4 - at - 1);
  if (step.size() < 6 || step.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return std::pair(file.substr(0, at), step);
}

/// What tells the moment of a profile: its time, or how far the run was.
std::string moment_of(const CsvRows& rows, const std::vector<double>& row) {
  if (const auto time = rows.column("time")) return fmt::format("t = {:.4g}", row[*time]);
  return fmt::format("{} {:.15g}", rows.columns().front(), row.front());
}

void add_profile(Samples& samples, const fs::path& file) {
  CsvRows rows(file);
  const auto distance = rows.column("distance");
  if (!distance) return;
  std::vector<Curve> curves(rows.columns().size());
  std::string moment;
  for (std::vector<double> row; rows.next(row);) {
    moment = moment_of(rows, row);
    for (std::size_t k = 0; k < row.size(); ++k) curves[k].add(row[*distance], row[k]);
  }
  for (std::size_t k = 0; k < curves.size(); ++k)  // rounded times may look the same
    if (!is_place(rows.columns()[k])) curves_of(samples, rows.columns()[k]).emplace_back(moment, curves[k]);
}

}  // namespace

std::vector<std::size_t> spread_over(std::size_t all, std::size_t count) {
  std::vector<std::size_t> chosen;
  const std::size_t parts = std::min(all, count);
  for (std::size_t k = 0; k < parts; ++k)
    chosen.push_back(parts < 2 ? all - 1 : (k * (all - 1) + (parts - 1) / 2) / (parts - 1));
  return chosen;
}

Samples probes_in(const fs::path& folder) {
  CsvRows rows(folder / "probes.csv");
  Samples samples;
  const auto probe = rows.column("probe");
  const auto x = rows.column("x");
  const auto y = rows.column("y");
  const auto z = rows.column("z");
  if (!probe || !x || !y) return samples;
  const std::size_t along = rows.column("time").value_or(0);
  samples.along = rows.columns()[along];
  std::set<double> beyond;
  std::vector<double> row;
  while (rows.next(row)) {
    if (row[*probe] > static_cast<double>(max_curves)) {
      beyond.insert(row[*probe]);
      continue;
    }
    const std::string behind = z ? fmt::format(", {:.6g}", row[*z]) : "";
    const std::string label = fmt::format("{:g}: ({:.6g}, {:.6g}{})", row[*probe], row[*x], row[*y], behind);
    for (std::size_t k = 0; k < row.size(); ++k)
      if (!is_place(rows.columns()[k])) curve_of(curves_of(samples, rows.columns()[k]), label).add(row[along], row[k]);
  }
  samples.left_out = beyond.size();
  return samples;
}

std::vector<LineFiles> lines_in(const fs::path& folder) {
  std::map<std::string, std::map<std::pair<std::size_t, std::string>, fs::path>> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const auto parts = name_and_step(entry.path().filename().string());
    if (parts && entry.is_regular_file()) found[parts->first][{parts->second.size(), parts->second}] = entry.path();
  }
  std::vector<LineFiles> lines;
  for (const auto& [name, files] : found) {
    LineFiles& line = lines.emplace_back(LineFiles{name, {}});
    for (const auto& [step, file] : files) line.files.push_back(file);
  }
  return lines;
}

Samples profiles_of(const LineFiles& line) {
  Samples samples;
  samples.along = "distance";
  const std::vector<std::size_t> chosen = spread_over(line.files.size(), max_curves);
  for (const std::size_t k : chosen) add_profile(samples, line.files[k]);
  samples.left_out = line.files.size() - chosen.size();
  return samples;
}

}  // namespace quoin
