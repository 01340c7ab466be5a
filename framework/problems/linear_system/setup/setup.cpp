#include "problems/linear_system/setup/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "problems/beside.hpp"
#include "problems/linear_system/setup/generators.hpp"
#include "problems/linear_system/setup/sparse_products.hpp"
#include "problems/tolerances.hpp"
#include "quoin/matrix_market.hpp"

namespace quoin {
namespace {

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

std::vector<double> random_vector(std::int64_t size) {
  std::mt19937_64 random(42);  // the standard gives its numbers
  std::vector<double> values(static_cast<std::size_t>(size));
  for (double& value : values) value = static_cast<double>(random()) * 0x1p-63 - 1.0;
  return values;
}

Storage storage_of(const Case& the_case) {
  const std::string& format = the_case.text("method.format");
  if (format == "csr") return {Format::csr, Sharing::off};
  const std::string& share = the_case.text("method.share");
  return {format == "sell" ? Format::sell : Format::automatic, share == "on"    ? Sharing::on
                                                               : share == "off" ? Sharing::off
                                                                                : Sharing::automatic};
}

int points_of(const Case& the_case, const std::vector<std::int64_t>& nodes) {
  const auto [fewer, more] = nodes.size() == 3 ? std::pair{7, 27} : std::pair{5, 9};
  if (!the_case.has("problem.matrix.points")) return fewer;
  const auto points = static_cast<int>(the_case.integer("problem.matrix.points"));
  if (points != fewer && points != more) {
    throw the_case.error_at(
        "problem.matrix.points",
        fmt::format("with {} numbers of nodes a stencil has {} or {} points", nodes.size(), fewer, more));
  }
  return points;
}

}  // namespace

LinearSystemSetup::LinearSystemSetup(const Case& a_case)
    : the_case(a_case),
      precision(the_case.text("method.precision") == "float" ? Precision::float32 : Precision::float64),
      solver(the_case.text("method.solver")),
      restart(solver == "gmres" ? the_case.integer("method.restart") : 0),
      damping(solver == "richardson" ? the_case.real("method.damping") : 0.0),
      storage(storage_of(the_case)),
      preconditioner(the_case.text("method.preconditioner.type")),
      tolerance(tolerances_of(the_case).absolute),
      relative_tolerance(tolerances_of(the_case).relative),
      max_iterations(the_case.integer("method.max_iterations")),
      knows_solution(the_case.has("problem.rhs.solution")) {
  const bool from_file = the_case.has("problem.matrix.file");
  if (from_file == the_case.has("problem.matrix.generator"))
    throw the_case.error_at("problem.matrix", "give either problem.matrix.file or problem.matrix.generator");
  if (the_case.has("problem.rhs.file") + the_case.has("problem.rhs.solution") + the_case.has("problem.rhs.values") > 1)
    throw the_case.error_at("problem.rhs", "give one of problem.rhs.file, problem.rhs.solution and problem.rhs.values");
  if (from_file) {
    const std::string file = beside_case(the_case, "problem.matrix.file").string();
    const MarketHeader header = read_header(file);
    if (header.rows != header.columns) {
      throw the_case.error_at("problem.matrix.file",
                              fmt::format("{} holds a matrix of {} rows and {} columns; a linear "
                                          "system has as many rows as columns",
                                          file, header.rows, header.columns));
    }
    rows = header.rows;
    entries = header.entries * (header.symmetry == MarketSymmetry::general ? 1 : 2);
    nodes = {rows, 1, 1};
  } else if (the_case.has("problem.matrix.nodes")) {
    const std::vector<std::int64_t> given = the_case.integers("problem.matrix.nodes");
    if (given.size() != 2 && the_case.text("problem.matrix.generator") != "poisson")
      throw the_case.error_at("problem.matrix.nodes",
                              "convection-diffusion is a problem in the plane: give 2 integers");
    nodes = {given[0], given[1], given.size() == 3 ? given[2] : 1};
    // Each is less than 2^31: the product of two fits, that of three may not.
    const std::int64_t plane = nodes[0] * nodes[1];
    rows = plane > most_rows ? plane : plane * nodes[2];
    entries = points_of(the_case, given) * std::min(rows, most_rows);
  } else {
    rows = the_case.integer("problem.matrix.rows");
    entries = 3 * rows;
    nodes = {rows, 1, 1};
  }
  if (rows > most_rows || rows < 1) {
    throw the_case.error_at(from_file ? "problem.matrix.file" : "problem.matrix",
                            fmt::format("the matrix has {} rows; it may have 1 to {}", rows, most_rows));
  }
}

SparseMatrix LinearSystemSetup::matrix() const {
  if (the_case.has("problem.matrix.file")) {
    const bool sum = the_case.text("problem.matrix.duplicates") == "sum";
    return read_matrix(beside_case(the_case, "problem.matrix.file"), {sum ? Duplicates::sum : Duplicates::refuse});
  }
  const std::string& generator = the_case.text("problem.matrix.generator");
  if (generator == "tridiagonal") return tridiagonal_matrix(rows);
  if (generator == "arrow") return arrow_matrix(rows);
  if (generator == "convection-diffusion") {
    const std::vector<double> velocity = the_case.reals("problem.matrix.velocity");
    return convection_diffusion_matrix({nodes[0], nodes[1]}, {velocity[0], velocity[1]});
  }
  return poisson_matrix(nodes, points_of(the_case, the_case.integers("problem.matrix.nodes")));
}

void LinearSystemSetup::require_few_slots(const SparseMatrix& matrix, const char* name) const {
  if (rows <= 1024) return;
  const double slots = sample_slices(matrix).slots;
  if (slots <= most_slots) return;
  throw the_case.error_at(
      "method.format",
      fmt::format("sell would store {:.1f} values for each entry of {}; use auto or csr", slots, name));
}

void LinearSystemSetup::require_symmetric(const MatrixFacts& facts) const {
  if (facts.symmetric()) return;
  const std::string what = facts.without_partner > 0
                               ? fmt::format("entries a(i, j) without a(j, i): {}", facts.without_partner)
                               : fmt::format("a(i, j) and a(j, i) differ by up to {:.3g}", facts.largest_difference);
  throw the_case.error_at("problem.matrix",
                          "the matrix is not symmetric: " + what +
                              "; cg needs a symmetric one, bicgstab, cgs, bicg and gmres take this one");
}

bool LinearSystemSetup::divides_by_diagonal() const {
  return preconditioner == "jacobi" || preconditioner == "ilu" || preconditioner == "amg";
}

void LinearSystemSetup::require_diagonal(double value, std::int64_t row) const {
  const bool divides = divides_by_diagonal();
  const bool definite = solver != "cg" || value > 0.0;
  if (definite && (!divides || value != 0.0)) return;
  throw the_case.error_at("problem.matrix",
                          fmt::format("row {} of the matrix has {:g} on its diagonal, {}", row + 1, value,
                                      definite ? "which " + preconditioner + " divides by; use block-jacobi or none"
                                               : "so that it is not positive definite; cg needs one that is"));
}

LinearSystem LinearSystemSetup::load() const {
  LinearSystem system{.matrix = matrix(), .facts = {}, .rhs = {}, .solution = {}};
  const SparseMatrix& a = system.matrix;
  system.facts = facts_of(a);
  if (storage.format == Format::sell) {
    require_few_slots(a, "this matrix");
    if (solver == "bicg") require_few_slots(transposed(a), "the transpose of this matrix");
  }
  if (solver == "cg") require_symmetric(system.facts);
  if (divides_by_diagonal() || solver == "cg")
    for (std::int64_t row = 0; row < rows; ++row) require_diagonal(diagonal(a, row), row);
  if (knows_solution) {
    system.solution = the_case.text("problem.rhs.solution") == "ones"
                          ? std::vector<double>(static_cast<std::size_t>(rows), 1.0)
                          : random_vector(rows);
    system.rhs = product(a, system.solution);
  } else if (the_case.has("problem.rhs.file")) {
    const std::string file = beside_case(the_case, "problem.rhs.file").string();
    system.rhs = read_vector(file);
    if (static_cast<std::int64_t>(system.rhs.size()) != rows)
      throw the_case.error_at("problem.rhs.file",
                              fmt::format("{} holds {} values for a matrix of {} rows", file, system.rhs.size(), rows));
  } else {
    system.rhs.assign(static_cast<std::size_t>(rows), 1.0);
  }
  return system;
}

}  // namespace quoin
