#pragma once

// Matrix Market files (https://math.nist.gov/MatrixMarket/formats.html): coordinates and arrays of real or integer
// numbers, and patterns, whose entries are 1. Files that gzip has compressed are read as well. Lines may end in CRLF,
// and blank lines and comments may stand between any others.

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quoin/sparse_matrix.hpp"

namespace quoin {

enum class MarketFormat { coordinate, array };
enum class MarketField { real, integer, pattern };
enum class MarketSymmetry { general, symmetric, skew_symmetric };

struct MarketHeader {
  MarketFormat format = MarketFormat::coordinate;
  MarketField field = MarketField::real;
  MarketSymmetry symmetry = MarketSymmetry::general;
  std::int64_t rows = 0, columns = 0;
  std::int64_t entries =
      0;  ///< that the file stores: those above the diagonal of symmetric matrices are not among them
};

/// What to do where a place of the matrix comes more than once.
enum class Duplicates {
  refuse,
  sum,  ///< in the order of the file
};

struct MarketOptions {
  Duplicates duplicates = Duplicates::refuse;
};

// All of these throw ErrorKind::io where the file cannot be read, and ErrorKind::case_file with FILE:LINE:COLUMN where
// it holds something else, or more than fits into the memory of the host. Memory for entries is taken as they are
// read, whatever the header announces.

/// The whole matrix: what symmetry leaves out of the file is added.
SparseMatrix read_matrix(const std::filesystem::path& file, const MarketOptions& options = {});
/// A matrix of one column; what coordinates leave out is 0.
std::vector<double> read_vector(const std::filesystem::path& file);
/// Reads no further than the line of sizes.
MarketHeader read_header(const std::filesystem::path& file);

/// The same of what such a file holds, inflated; `name` is what messages call it.
SparseMatrix parse_matrix(std::string_view bytes, const std::string& name, const MarketOptions& options = {});
std::vector<double> parse_vector(std::string_view bytes, const std::string& name);
MarketHeader parse_header(std::string_view bytes, const std::string& name);

/// Gives `write` the text of an array file, in pieces of some 64 KiB: the shortest numbers that read_vector() reads
/// back bit for bit. Throws ErrorKind::diverged at a value that is not finite, for no file can hold it.
void write_vector(std::span<const double> values, const std::function<void(std::string_view)>& write);

}  // namespace quoin
