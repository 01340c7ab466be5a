// Any bytes as a Matrix Market file: a matrix in order, a vector that comes back from its text, or an error of the
// case.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>

#include "quoin/error.hpp"
#include "quoin/matrix_market.hpp"

namespace {

void require(bool sound) {
  if (!sound) std::abort();
}

void attempt(const std::function<void()>& action) {
  try {
    action();
  } catch (const quoin::Error& error) {
    require(error.kind() == quoin::ErrorKind::case_file && error.where().starts_with("a.mtx:"));
  }
}

// No error may come from here, hence noexcept.
void check(const quoin::SparseMatrix& matrix) noexcept {
  require(matrix.at.front() == 0 && matrix.at.back() == static_cast<std::int64_t>(matrix.column.size()));
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    const auto begin = matrix.column.begin() + matrix.at[row], end = matrix.column.begin() + matrix.at[row + 1];
    require(begin <= end && std::adjacent_find(begin, end, std::greater_equal<>()) == end);
    require(begin == end || (*begin >= 0 && *(end - 1) < matrix.columns));
  }
  for (const double value : matrix.value) require(std::isfinite(value));
}

void check(const std::vector<double>& values) noexcept {
  std::string text;
  quoin::write_vector(values, [&](std::string_view piece) { text += piece; });
  const std::vector<double> again = quoin::parse_vector(text, "a.mtx");
  require(std::equal(values.begin(), values.end(), again.begin(), again.end(), [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  attempt([&] {
    // Rows without entries take memory that no text in the file bounds.
    if (quoin::parse_header(bytes, "a.mtx").rows > 10000) return;
    attempt([&] { check(quoin::parse_matrix(bytes, "a.mtx")); });
    attempt([&] { check(quoin::parse_matrix(bytes, "a.mtx", {quoin::Duplicates::sum})); });
    attempt([&] { check(quoin::parse_vector(bytes, "a.mtx")); });
  });
  return 0;
}
