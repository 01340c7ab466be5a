#pragma once

#include <array>
#include <cstdint>

#include "quoin/case.hpp"
#include "quoin/executor.hpp"
#include "quoin/sparse_matrix.hpp"

namespace quoin {

/// The matrix of a case, of which no more than a file's header is read before load() is called.
class CaseMatrix {
 public:
  /// Throws ErrorKind::case_file, with its place in the case or in the matrix file, for what is no square matrix.
  explicit CaseMatrix(const Case& the_case);

  /// Throws ErrorKind::case_file for a file or a formula that is wrong; `precision` is that of the run.
  [[nodiscard]] SparseMatrix load(const Case& the_case, Precision precision) const;

  std::array<std::int64_t, 3> nodes{};  ///< x fastest; a row of them where there is no grid
  int axes = 1;                         ///< of the grid, 2 or 3; 1: there is none
  std::int64_t rows = 0;
  std::int64_t entries = 0;  ///< at most

 private:
  void read_size_of_file(const Case& the_case);
  void read_nodes(const Case& the_case, const std::string& generator);
  void read_points(const Case& the_case, const std::string& generator);
  [[nodiscard]] SparseMatrix diffusion(const Case& the_case, Precision precision) const;

  int points_ = 0;  // of the stencil of a grid
};

}  // namespace quoin
