#pragma once

#include <vector>

#include "problems/linear_system/setup/case_matrix.hpp"
#include "quoin/case.hpp"
#include "quoin/executor.hpp"
#include "quoin/sparse_matrix.hpp"

namespace quoin {

/// Throws ErrorKind::case_file where the case says in two ways what b, or the x at the start, is, or asks for a formula
/// on a grid that there is not.
void require_clear_vectors(const Case& the_case, const CaseMatrix& shape);

/// Whether b is made of a solution that the case knows. For the matrix of HPCG it is, unless the case says otherwise:
/// that benchmark's x is 1.
bool knows_solution(const Case& the_case);

// These throw ErrorKind::case_file for a file of another length, and for what GridFormula does.

/// Numbers from -1 to 1 that are the same on every machine.
std::vector<double> random_vector(std::int64_t size);
/// That solution.
std::vector<double> known_solution(const Case& the_case, const CaseMatrix& shape);
/// b = A x
std::vector<double> product(const SparseMatrix& a, const std::vector<double>& x);
/// b of a case without a known solution.
std::vector<double> given_rhs(const Case& the_case, const CaseMatrix& shape, Precision precision);
/// The x of the start; empty: zero.
std::vector<double> given_start(const Case& the_case, const CaseMatrix& shape);

}  // namespace quoin
