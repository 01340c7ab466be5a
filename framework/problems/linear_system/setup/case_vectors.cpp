#include "problems/linear_system/setup/case_vectors.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "problems/beside.hpp"
#include "problems/linear_system/setup/grid_formula.hpp"
#include "quoin/matrix_market.hpp"

namespace quoin {
namespace {

constexpr const char* rhs_keys[] = {"problem.rhs.values", "problem.rhs.file", "problem.rhs.expression",
                                    "problem.rhs.solution", "problem.rhs.solution_file"};

std::vector<double> ones(std::int64_t size) { return std::vector<double>(static_cast<std::size_t>(size), 1.0); }

std::vector<double> vector_of_file(const Case& the_case, const char* key, std::int64_t rows) {
  const std::string file = beside_case(the_case, key).string();
  std::vector<double> values = read_vector(file);
  if (static_cast<std::int64_t>(values.size()) != rows)
    throw the_case.error_at(key, fmt::format("{} holds {} values for a matrix of {} rows", file, values.size(), rows));
  return values;
}

}  // namespace

std::vector<double> random_vector(std::int64_t size) {
  std::mt19937_64 random(42);  // the standard gives its numbers
  std::vector<double> values(static_cast<std::size_t>(size));
  for (double& value : values) value = static_cast<double>(random()) * 0x1p-63 - 1.0;
  return values;
}

void require_clear_vectors(const Case& the_case, const CaseMatrix& shape) {
  int given = 0;
  for (const char* key : rhs_keys) given += the_case.has(key) ? 1 : 0;
  if (given > 1)
    throw the_case.error_at("problem.rhs",
                            "give one of problem.rhs.file, problem.rhs.expression, problem.rhs.solution, "
                            "problem.rhs.solution_file and problem.rhs.values");
  if (the_case.has("problem.rhs.expression") && shape.axes == 1)
    throw the_case.error_at("problem.rhs.expression",
                            "a formula needs nodes, which only the matrices poisson, convection-diffusion and hpcg "
                            "have; give problem.rhs.file");
  if (the_case.has("problem.initial.values") && the_case.has("problem.initial.file"))
    throw the_case.error_at("problem.initial", "give one of problem.initial.file and problem.initial.values");
}

bool knows_solution(const Case& the_case) {
  if (the_case.has("problem.rhs.solution") || the_case.has("problem.rhs.solution_file")) return true;
  if (!the_case.has("problem.matrix.generator") || the_case.text("problem.matrix.generator") != "hpcg") return false;
  for (const char* key : rhs_keys)
    if (the_case.has(key)) return false;
  return true;
}

std::vector<double> known_solution(const Case& the_case, const CaseMatrix& shape) {
  if (the_case.has("problem.rhs.solution_file"))
    return vector_of_file(the_case, "problem.rhs.solution_file", shape.rows);
  const bool random = the_case.has("problem.rhs.solution") && the_case.text("problem.rhs.solution") == "random";
  return random ? random_vector(shape.rows) : ones(shape.rows);
}

std::vector<double> product(const SparseMatrix& a, const std::vector<double>& x) {
  std::vector<double> y;
  y.reserve(static_cast<std::size_t>(a.rows));
  for (std::size_t row = 0; row + 1 < a.at.size(); ++row) {
    double sum = 0.0;
    for (auto k = static_cast<std::size_t>(a.at[row]); k < static_cast<std::size_t>(a.at[row + 1]); ++k)
      sum = std::fma(a.value[k], x[static_cast<std::size_t>(a.column[k])], sum);
    y.push_back(sum);
  }
  return y;
}

std::vector<double> given_rhs(const Case& the_case, const CaseMatrix& shape, Precision precision) {
  if (the_case.has("problem.rhs.file")) return vector_of_file(the_case, "problem.rhs.file", shape.rows);
  if (!the_case.has("problem.rhs.expression")) return ones(shape.rows);
  const GridFormula formula(the_case, "problem.rhs.expression", shape.nodes, shape.axes, precision);
  const auto [nx, ny, nz] = shape.nodes;
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(shape.rows));
  for (std::int64_t k = 0; k < nz; ++k)
    for (std::int64_t j = 0; j < ny; ++j)
      for (std::int64_t i = 0; i < nx; ++i) values.push_back(formula.at_node({i, j, k}));
  return values;
}

std::vector<double> given_start(const Case& the_case, const CaseMatrix& shape) {
  if (!the_case.has("problem.initial.file")) return {};
  return vector_of_file(the_case, "problem.initial.file", shape.rows);
}

}  // namespace quoin
