#include "report/table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "quoin/files.hpp"

namespace quoin {
namespace {

constexpr std::size_t max_stretches = 1000;

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t end = line.find(','); end != std::string_view::npos; end = line.find(',')) {
    cells.push_back(line.substr(0, end));
    line.remove_prefix(end + 1);
  }
  cells.push_back(line);
  return cells;
}

/// Empty where the line is not so many numbers.
std::vector<double> numbers_of(std::string_view line, std::size_t count) {
  std::vector<double> numbers;
  for (const std::string_view cell : cells_of(line)) {
    double number = 0.0;
    const auto [end, fault] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    if (fault != std::errc() || end != cell.data() + cell.size()) return {};
    numbers.push_back(number);
  }
  if (numbers.size() != count) numbers.clear();
  return numbers;
}

/// The next line; false at the end, and for a last line without its end.
bool whole_line(std::istream& stream, std::string& line) { return std::getline(stream, line) && !stream.eof(); }

}  // namespace

void Curve::add(double x, double y) {
  if (!std::isfinite(x) || !std::isfinite(y)) {
    ++not_finite_;
    return;
  }
  if (stretches_.empty() || rows_of_last_ == rows_of_stretch_) {
    if (stretches_.size() == max_stretches) merge_pairs();
    stretches_.push_back({{x, y}, {x, y}});
    rows_of_last_ = 0;
  }
  ++rows_of_last_;
  Stretch& last = stretches_.back();
  if (y < last.least.y) last.least = {x, y};
  if (y > last.greatest.y) last.greatest = {x, y};
}

void Curve::merge_pairs() {
  for (std::size_t k = 0; k < stretches_.size() / 2; ++k) {
    const Stretch& a = stretches_[2 * k];
    const Stretch& b = stretches_[2 * k + 1];
    stretches_[k] = {a.least.y <= b.least.y ? a.least : b.least,
                     a.greatest.y >= b.greatest.y ? a.greatest : b.greatest};
  }
  stretches_.resize(stretches_.size() / 2);
  rows_of_stretch_ *= 2;
}

std::vector<Sample> Curve::samples() const {
  std::vector<Sample> all;
  for (const Stretch& stretch : stretches_) {
    const bool falls = stretch.greatest.x < stretch.least.x;
    all.push_back(falls ? stretch.greatest : stretch.least);
    if (stretch.least.x != stretch.greatest.x) all.push_back(falls ? stretch.least : stretch.greatest);
  }
  return all;
}

CsvRows::CsvRows(const std::filesystem::path& file) : stream_(file, std::ios::binary) {
  std::string line;
  if (!stream_ || !whole_line(stream_, line)) return;
  for (const std::string_view name : cells_of(line)) columns_.emplace_back(name);
}

std::optional<std::size_t> CsvRows::column(const std::string& name) const {
  const auto found = std::ranges::find(columns_, name);
  if (found == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns_.begin());
}

bool CsvRows::next(std::vector<double>& row) {
  for (std::string line; whole_line(stream_, line);) {
    row = numbers_of(line, columns_.size());
    if (!row.empty()) return true;
    ++unreadable_;
  }
  return false;
}

std::optional<CsvCurves> read_curves(const std::filesystem::path& file) {
  require_file(file);
  CsvRows rows(file);
  if (rows.columns().empty()) return std::nullopt;
  CsvCurves table;
  table.columns = rows.columns();
  table.along = rows.column("time").value_or(0);
  table.curves.resize(table.columns.size() - table.along - 1);
  std::vector<double> row;
  while (rows.next(row)) {
    for (std::size_t k = 0; k < table.curves.size(); ++k)
      table.curves[k].add(row[table.along], row[table.along + 1 + k]);
    if (table.rows++ == 0) table.first = row;
    table.last = row;
  }
  table.unreadable = rows.unreadable();
  return table;
}

}  // namespace quoin
