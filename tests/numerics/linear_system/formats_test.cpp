// Every format of a matrix: the product has the bits of its definition, whatever is in the matrix and in x.

#include <gmock/gmock.h>

#include <limits>
#include <random>

#include "numerics/device.hpp"
#include "numerics/linear_system/reference.hpp"
#include "problems/linear_system/scheme/device_matrix.hpp"
#include "problems/linear_system/setup/generators.hpp"

namespace quoin::test {
namespace {

/// Rows of these lengths in turn, their entries at places of no order, of any magnitude.
SparseMatrix with_lengths(const std::vector<std::int64_t>& cycle, std::int64_t rows) {
  const std::int64_t columns = std::max(rows, *std::ranges::max_element(cycle));
  std::mt19937_64 random(11);
  SparseMatrix matrix{rows, columns, {0}, {}, {}};
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t length = cycle[static_cast<std::size_t>(row) % cycle.size()];
    for (std::int64_t k = 0; k < length; ++k) {
      const std::int64_t first = k * columns / length;
      const auto width = static_cast<std::uint64_t>((k + 1) * columns / length - first);
      matrix.column.push_back(first + static_cast<std::int64_t>(random() % width));
      matrix.value.push_back(std::ldexp(static_cast<double>(random()) * 0x1p-63 - 1.0, static_cast<int>(random() % 9)));
    }
    matrix.at.push_back(static_cast<std::int64_t>(matrix.column.size()));
  }
  return matrix;
}

/// Few long rows, many short ones.
SparseMatrix power_law(std::int64_t rows) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t row = 0; row < rows; ++row) lengths.push_back(std::min(rows, rows / (1 + row * 7 % rows)));
  return with_lengths(lengths, rows);
}

std::vector<double> numbers(std::int64_t count) {
  std::mt19937_64 random(5);
  std::vector<double> x;
  for (std::int64_t k = 0; k < count; ++k) x.push_back(static_cast<double>(random()) * 0x1p-63 - 1.0);
  return x;
}

template <class T>
std::vector<T> in(const std::vector<double>& values) {
  std::vector<T> narrow;
  for (const double value : values) narrow.push_back(static_cast<T>(value));
  return narrow;
}

/// A NaN is a NaN; of all else each bit counts, and so does the sign of a zero.
template <class T>
std::vector<std::uint64_t> bits_of(const std::vector<T>& values) {
  std::vector<std::uint64_t> bits;
  for (const T value : values)
    bits.push_back(std::isnan(value) ? 0x7ff8 : std::bit_cast<std::uint64_t>(static_cast<double>(value)));
  return bits;
}

constexpr Format all_formats[] = {Format::csr, Format::sell,   Format::ell,
                                  Format::coo, Format::hybrid, Format::automatic};

/// Twice, the second time over what the first has left.
template <class T>
void expect_product(const SparseMatrix& matrix, const std::vector<double>& given) {
  constexpr Precision precision = sizeof(T) == 4 ? Precision::float32 : Precision::float64;
  const List<T> expected = multiply(matrix, in<T>(given));
  const std::unique_ptr<Queue> queue = executor()->queue();
  for (const Format format : all_formats) {
    SCOPED_TRACE(fmt::format("format {}, {}", static_cast<int>(format), sizeof(T) == 4 ? "float" : "double"));
    KernelTimer timer(*executor());
    const std::unique_ptr<Communicator> alone = one_process();
    const DevicePlace place{executor(), *queue, precision, timer, *alone};
    DeviceMatrix device(place, matrix, {format, Sharing::on});
    Vector x(place, matrix.columns);
    Vector y(place, matrix.rows);
    x.upload(*queue, given);
    y.upload(*queue, std::vector<double>(static_cast<std::size_t>(matrix.rows), std::nan("")));
    timer.begin(*queue);
    device.multiply(*queue, x, y);
    device.multiply(*queue, x, y);
    queue->synchronize();
    EXPECT_EQ(bits_of(in<T>(from_precision(y.values(*queue), precision))), bits_of(expected));
    EXPECT_LE(device.bytes(), matrix_bytes(matrix.rows, matrix.entries(), format, precision));
  }
}

void expect_products(const SparseMatrix& matrix) {
  const std::vector<double> x = numbers(matrix.columns);
  expect_product<double>(matrix, x);
  expect_product<float>(matrix, x);
}

TEST(Formats, AgreeWhateverTheLengthsOfRows) {
  for (const std::vector<std::int64_t>& cycle : std::vector<std::vector<std::int64_t>>{{5},
                                                                                       {1},
                                                                                       {32},
                                                                                       {33},
                                                                                       {0, 1, 31, 32, 33, 64, 65, 1024},
                                                                                       {0, 0, 0, 0, 0, 0, 7},
                                                                                       {2, 2, 2, 2, 2, 30},
                                                                                       {0, 40}}) {
    SCOPED_TRACE(::testing::PrintToString(cycle));
    for (const std::int64_t rows : {8, 31, 33, 515}) expect_products(with_lengths(cycle, rows));
  }
}

TEST(Formats, AgreeOnMatricesOfProblems) {
  for (const SparseMatrix& matrix : {poisson_matrix({45, 23, 1}, 5), poisson_matrix({9, 8, 7}, 27), arrow_matrix(1500),
                                     tridiagonal_matrix(1), power_law(2000)})
    expect_products(matrix);
}

/// Up to 64 segments, and just more, and more than 64 times 64: by one, two and three launches.
TEST(Formats, AgreeOnRowsThatAreJoinedInLevels) {
  expect_products(with_lengths({2048, 3, 2049, 0, 33}, 5));
  expect_products(with_lengths({64 * 2048 + 1, 2047, 5}, 4));
  expect_products(with_lengths({64 * 2048, 1}, 2));
}

TEST(Formats, AgreeOnMatricesWithoutEntries) {
  expect_products(with_lengths({0}, 1));
  expect_products(with_lengths({0}, 700));
}

TEST(Formats, AgreeOnInfinitiesAndOnWhatIsNoNumber) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double special : {infinity, -infinity, std::nan(""), -0.0}) {
    // Among the entries, then in x, where gaps must not meet it.
    SparseMatrix matrix = with_lengths({3, 0, 5, 32, 1, 70}, 300);
    std::vector<double> x = numbers(matrix.columns);
    for (std::size_t k = 0; k < matrix.value.size(); k += 41) matrix.value[k] = special;
    expect_product<double>(matrix, x);
    expect_product<float>(matrix, x);
    matrix = with_lengths({3, 0, 5, 32, 1, 70}, 300);
    for (std::size_t k = 0; k < x.size(); k += 3) x[k] = special;
    x.back() = x.front() = special;
    expect_product<double>(matrix, x);
    expect_product<float>(matrix, x);
  }
}

TEST(Formats, AgreeOnProductsBelowTheSmallestNumber) {
  for (const double tiny : {-1e-160, 1e-22, -3e-23}) {
    SparseMatrix matrix = with_lengths({3, 0, 1, 9, 40}, 200);
    std::vector<double> x = numbers(matrix.columns);
    for (double& value : matrix.value) value *= tiny;
    for (double& value : x) value *= std::abs(tiny);
    expect_product<double>(matrix, x);
    expect_product<float>(matrix, x);
  }
}

}  // namespace
}  // namespace quoin::test
