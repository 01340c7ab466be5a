#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/limits.hpp"
#include "matrix/market_file.hpp"
#include "matrix/market_header.hpp"
#include "matrix/market_rows.hpp"
#include "quoin/error.hpp"
#include "quoin/matrix_market.hpp"

namespace quoin {
namespace {

// Rows without entries take memory, and no text in the file that would bound it.
void require_memory(const MarketHeader& header, const std::string& name) {
  const double mirrored = header.symmetry == MarketSymmetry::general ? 1 : 2;
  const double needed = 8 * static_cast<double>(header.rows) + 16 * mirrored * static_cast<double>(header.entries);
  require_host_memory(resident_memory() + needed, name);
}

// What a matrix is made of, for messages about it.
struct Body {
  const MarketHeader& header;
  MarketText& text;
  const char* first;  ///< where the first entry can be
  const MarketEntries& entries;
};

[[noreturn]] void fail_at_repeated(const Body& body, std::int64_t row, std::int64_t column, const char* what) {
  // What symmetry mirrors is in the file below the diagonal.
  if (body.header.symmetry != MarketSymmetry::general && column > row) std::swap(row, column);
  const Repeated found = find_repeated(body.text, body.first, body.entries, row, column);
  body.text.fail(
      fmt::format("row {}, column {} {} line {}", row + 1, column + 1, what, body.text.line_of(found.earlier)),
      found.later);
}

[[noreturn]] void refuse_duplicates(const Body& body, const SparseMatrix& matrix, std::int64_t row) {
  const auto twice = std::adjacent_find(matrix.column.begin() + matrix.at[row], matrix.column.end());
  fail_at_repeated(body, row, *twice, "comes a second time; the first is in");
}

void check_sums(const Body& body, const SparseMatrix& matrix) {
  const auto bad =
      std::find_if_not(matrix.value.begin(), matrix.value.end(), [](double x) { return std::isfinite(x); });
  if (bad == matrix.value.end()) return;
  const std::int64_t k = bad - matrix.value.begin();
  const std::int64_t row = std::upper_bound(matrix.at.begin(), matrix.at.end(), k) - matrix.at.begin() - 1;
  fail_at_repeated(body, row, matrix.column[k], "adds up to more than double precision holds, beginning in");
}

SparseMatrix parse_body(MarketText& text, const MarketHeader& header, Duplicates duplicates, const std::string& name) {
  const char* const first = text.place();
  const MarketEntries entries = parse_entries(text, header);
  require_memory(header, name);
  SparseMatrix matrix = collect_rows(header, entries);
  const std::int64_t repeated = sort_rows(matrix);
  if (repeated == matrix.rows) return matrix;
  const Body body{header, text, first, entries};
  if (duplicates == Duplicates::refuse) refuse_duplicates(body, matrix, repeated);
  sum_duplicates(matrix);
  check_sums(body, matrix);
  return matrix;
}

}  // namespace

SparseMatrix parse_matrix(std::string_view bytes, const std::string& name, const MarketOptions& options) {
  MarketText text(bytes, name);
  const MarketHeader header = parse_header(text, options.duplicates);
  return parse_body(text, header, options.duplicates, name);
}

std::vector<double> parse_vector(std::string_view bytes, const std::string& name) {
  MarketText text(bytes, name);
  const char* const begin = text.place();
  const MarketHeader header = parse_header(text, Duplicates::refuse);
  if (header.columns != 1) {
    text.go_to(begin);
    text.skip_line();
    text.find_line();
    text.fail(fmt::format("a vector has 1 column, not {}", header.columns));
  }
  const SparseMatrix matrix = parse_body(text, header, Duplicates::refuse, name);
  std::vector<double> values(matrix.rows);
  for (std::int64_t row = 0; row < matrix.rows; ++row)
    if (matrix.at[row] != matrix.at[row + 1]) values[row] = matrix.value[matrix.at[row]];
  return values;
}

MarketHeader parse_header(std::string_view bytes, const std::string& name) {
  MarketText text(bytes, name);
  return parse_header(text, Duplicates::sum);  // what is to become of duplicates is for who reads them to say
}

SparseMatrix read_matrix(const std::filesystem::path& file, const MarketOptions& options) {
  return parse_matrix(read_all(file).view(), file.string(), options);
}

std::vector<double> read_vector(const std::filesystem::path& file) {
  return parse_vector(read_all(file).view(), file.string());
}

MarketHeader read_header(const std::filesystem::path& file) { return parse_header(read_head(file), file.string()); }

void write_vector(std::span<const double> values, const std::function<void(std::string_view)>& write) {
  constexpr std::size_t piece = 1U << 16U;
  std::string text = fmt::format("%%MatrixMarket matrix array real general\n{} 1\n", values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k]))
      throw Error(ErrorKind::diverged,
                  fmt::format("value {} of the vector is {}; files hold finite ones", k + 1, values[k]));
    std::array<char, 32> number{};  // the longest have 24 characters
    const auto [end, error] = std::to_chars(number.data(), number.data() + number.size(), values[k]);
    text.append(number.data(), end).push_back('\n');
    if (text.size() < piece) continue;
    write(text);
    text.clear();
  }
  write(text);
}

}  // namespace quoin
