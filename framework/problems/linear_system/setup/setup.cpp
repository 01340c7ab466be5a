#include "problems/linear_system/setup/setup.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "problems/linear_system/setup/case_vectors.hpp"
#include "problems/linear_system/setup/entries.hpp"
#include "problems/linear_system/setup/sparse_products.hpp"
#include "problems/tolerances.hpp"

namespace quoin {
namespace {

Storage storage_of(const Case& the_case) {
  const std::string& format = the_case.text("method.format");
  if (format == "csr") return {Format::csr, Sharing::off};
  if (format == "ell") return {Format::ell, Sharing::off};
  if (format == "coo") return {Format::coo, Sharing::off};
  if (format == "hybrid") return {Format::hybrid, Sharing::off};
  const std::string& share = the_case.text("method.share");
  return {format == "sell" ? Format::sell : Format::automatic, share == "on"    ? Sharing::on
                                                               : share == "off" ? Sharing::off
                                                                                : Sharing::automatic};
}

}  // namespace

LinearSystemSetup::LinearSystemSetup(const Case& a_case)
    : the_case(a_case),
      source(the_case),
      precision(the_case.text("method.precision") == "float" ? Precision::float32 : Precision::float64),
      solver(the_case.text("method.solver")),
      restart(solver == "gmres" ? the_case.integer("method.restart") : 0),
      damping(solver == "richardson" ? the_case.real("method.damping") : 0.0),
      storage(storage_of(the_case)),
      preconditioner(the_case.text("method.preconditioner.type")),
      tolerance(tolerances_of(the_case).absolute),
      relative_tolerance(tolerances_of(the_case).relative),
      max_iterations(the_case.integer("method.max_iterations")),
      knows_solution(quoin::knows_solution(the_case)),
      nodes(source.nodes),
      rows(source.rows),
      entries(source.entries) {
  require_clear_vectors(the_case, source);
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

void LinearSystemSetup::require_diagonal(const SparseMatrix& a) const {
  const bool divides = preconditioner == "jacobi" || preconditioner == "ilu" || preconditioner == "amg";
  const bool positive = solver == "cg";
  if (!divides && !positive) return;
  for (std::int64_t row = 0; row < rows; ++row) {
    const double value = diagonal(a, row);
    const bool definite = !positive || value > 0.0;
    if (definite && (!divides || value != 0.0)) continue;
    throw the_case.error_at("problem.matrix",
                            fmt::format("row {} of the matrix has {:g} on its diagonal, {}", row + 1, value,
                                        definite ? "which " + preconditioner + " divides by; use block-jacobi or none"
                                                 : "so that it is not positive definite; cg needs one that is"));
  }
}

LinearSystem LinearSystemSetup::load(int ranks) const {
  LinearSystem system{.matrix = matrix(), .cuts = {}, .facts = {}, .rhs = {}, .start = {}, .solution = {}};
  const SparseMatrix& a = system.matrix;
  system.cuts = Cuts(a, ranks);
  system.facts = facts_of(a);
  std::string why = refusal_of(a, storage.format);
  if (why.empty() && solver == "bicg" && may_be_refused(storage.format))
    why = refusal_of(transposed(a), storage.format, "the transpose of this matrix");
  if (!why.empty()) throw the_case.error_at("method.format", why);
  if (solver == "cg") require_symmetric(system.facts);
  require_diagonal(a);
  if (knows_solution) system.solution = known_solution(the_case, source);
  system.rhs = knows_solution ? product(a, system.solution) : given_rhs(the_case, source, precision);
  system.start = given_start(the_case, source);
  // Then x is 0, and no tolerance but 0 follows from b.
  if (std::ranges::all_of(system.rhs, [](double value) { return value == 0.0; })) system.start.clear();
  return system;
}

}  // namespace quoin
