#pragma once

// What the benchmarks share that time products with a sparse matrix, in the formats that there are.

#include <string>
#include <vector>

#include "bench/study.hpp"

namespace quoin::bench {

struct ProductArguments : IterationArguments {
  std::vector<std::string> formats;
};
void add_formats(CLI::App& command, ProductArguments& arguments, const std::string& formats);

/// A row for each backend, precision and format, `shared` being sell whose equal slices are stored once.
std::vector<Row> rows_of_formats(const ProductArguments& arguments, const std::vector<std::string>& backends,
                                 const Case& plain);

/// The title of a case in the table.
std::string name_of(const Json& of_case);
/// What a product moves of a matrix stored row by row, whatever it is stored like: values, columns of 32 bits, offsets
/// of 64 bits, and both vectors once.
double csr_bytes(const Json& row);
/// What it moves of the matrix as it is stored, and both vectors once.
double own_bytes(const Json& row);
/// Adds what follows from `us_per_product`: the rates of a product, null where nothing was measured, and how near that
/// of csr_bytes() comes to the device's triad.
void describe_product(Json& row, const Json& devices);

}  // namespace quoin::bench
