#pragma once

// What a case says about a linear system A x = b.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "problems/linear_system/setup/case_matrix.hpp"
#include "problems/linear_system/setup/cuts.hpp"
#include "problems/linear_system/setup/slices.hpp"
#include "quoin/case.hpp"
#include "quoin/executor.hpp"
#include "quoin/sparse_matrix.hpp"

namespace quoin {

struct LinearSystem {
  SparseMatrix matrix;
  Cuts cuts;  ///< between the ranks
  MatrixFacts facts;
  std::vector<double> rhs;
  std::vector<double> start;     ///< x at the start; empty: zero
  std::vector<double> solution;  ///< where the case makes b of it; else empty
};

/// Of a file, its header is read, and nothing is generated before load() is called.
class LinearSystemSetup {
 public:
  /// Throws ErrorKind::case_file, with its place in the case or in the matrix file, for what is no square matrix.
  explicit LinearSystemSetup(const Case& the_case);

  /// Throws ErrorKind::case_file for what the solver cannot do with the matrix.
  [[nodiscard]] LinearSystem load(int ranks = 1) const;
  /// The matrix alone, whatever the solver can do.
  [[nodiscard]] SparseMatrix matrix() const { return source.load(the_case, precision); }

  const Case the_case;
  const CaseMatrix source;  ///< of the matrix
  const Precision precision;
  const std::string solver;
  const std::int64_t restart;  ///< of gmres; 0 for others
  const double damping;        ///< of richardson; 0 for others
  const Storage storage;
  const std::string preconditioner;
  const double tolerance, relative_tolerance;
  const std::int64_t max_iterations;
  const bool knows_solution;

  const std::array<std::int64_t, 3> nodes;  ///< of the grid that x is written on, x fastest: a row of them for a file
  const std::int64_t rows;
  const std::int64_t entries;  ///< at most

 private:
  void require_symmetric(const MatrixFacts& facts) const;
  void require_diagonal(const SparseMatrix& a) const;
};

}  // namespace quoin
