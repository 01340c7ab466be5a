#include "problems/linear_system/setup/case_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "problems/beside.hpp"
#include "problems/linear_system/setup/generators.hpp"
#include "problems/linear_system/setup/grid_formula.hpp"
#include "quoin/matrix_market.hpp"

namespace quoin {
namespace {

constexpr const char* coefficient_key = "problem.matrix.coefficient";
constexpr const char* anisotropy_key = "problem.matrix.anisotropy";

}  // namespace

CaseMatrix::CaseMatrix(const Case& the_case) {
  const bool from_file = the_case.has("problem.matrix.file");
  if (from_file == the_case.has("problem.matrix.generator"))
    throw the_case.error_at("problem.matrix", "give either problem.matrix.file or problem.matrix.generator");
  if (from_file) {
    read_size_of_file(the_case);
  } else if (the_case.has("problem.matrix.nodes")) {
    read_nodes(the_case, the_case.text("problem.matrix.generator"));
  } else {
    rows = the_case.integer("problem.matrix.rows");
    const bool power_law = the_case.text("problem.matrix.generator") == "power-law";
    entries = rows * (power_law ? the_case.integer("problem.matrix.degree") + 1 : 3);
  }
  if (rows > most_rows || rows < 1) {
    throw the_case.error_at(from_file ? "problem.matrix.file" : "problem.matrix",
                            fmt::format("the matrix has {} rows; it may have 1 to {}", rows, most_rows));
  }
  if (axes == 1) nodes = {rows, 1, 1};
}

void CaseMatrix::read_size_of_file(const Case& the_case) {
  const std::string file = beside_case(the_case, "problem.matrix.file").string();
  const MarketHeader header = read_header(file);
  if (header.rows != header.columns) {
    throw the_case.error_at("problem.matrix.file", fmt::format("{} holds a matrix of {} rows and {} columns; a linear "
                                                               "system has as many rows as columns",
                                                               file, header.rows, header.columns));
  }
  rows = header.rows;
  entries = header.entries * (header.symmetry == MarketSymmetry::general ? 1 : 2);
}

void CaseMatrix::read_nodes(const Case& the_case, const std::string& generator) {
  const std::vector<std::int64_t> given = the_case.integers("problem.matrix.nodes");
  axes = static_cast<int>(given.size());
  if (axes != 2 && generator == "convection-diffusion")
    throw the_case.error_at("problem.matrix.nodes", "convection-diffusion is a problem in the plane: give 2 integers");
  if (axes != 3 && generator == "hpcg")
    throw the_case.error_at("problem.matrix.nodes", "hpcg is a problem in space: give 3 integers");
  nodes = {given[0], given[1], axes == 3 ? given[2] : 1};
  // Each is less than 2^31: the product of two fits, that of three may not.
  const std::int64_t plane = nodes[0] * nodes[1];
  rows = plane > most_rows ? plane : plane * nodes[2];
  read_points(the_case, generator);
  entries = points_ * std::min(rows, most_rows);
}

void CaseMatrix::read_points(const Case& the_case, const std::string& generator) {
  const auto [fewer, more] = axes == 3 ? std::pair{7, 27} : std::pair{5, 9};
  points_ = generator == "hpcg" ? more : fewer;
  if (the_case.has("problem.matrix.points")) points_ = static_cast<int>(the_case.integer("problem.matrix.points"));
  if (points_ != fewer && points_ != more) {
    throw the_case.error_at("problem.matrix.points",
                            fmt::format("with {} numbers of nodes a stencil has {} or {} points", axes, fewer, more));
  }
  for (const char* key : {coefficient_key, anisotropy_key}) {
    if (points_ == more && the_case.has(key))
      throw the_case.error_at(
          key, fmt::format("'{}' is for stencils along the axes: give problem.matrix.points: {}", key, fewer));
  }
  if (!the_case.has(anisotropy_key)) return;
  const std::size_t factors = the_case.reals(anisotropy_key).size();
  if (factors != static_cast<std::size_t>(axes))
    throw the_case.error_at(anisotropy_key, fmt::format("{} factors for a grid along {} axes", factors, axes));
}

SparseMatrix CaseMatrix::diffusion(const Case& the_case, Precision precision) const {
  std::vector<double> factors(static_cast<std::size_t>(axes), 1.0);
  if (the_case.has(anisotropy_key)) factors = the_case.reals(anisotropy_key);
  if (!the_case.has(coefficient_key))
    return diffusion_matrix(nodes, factors, [](const std::array<std::int64_t, 3>&) { return 1.0; });
  const GridFormula coefficient(the_case, coefficient_key, nodes, axes, precision);
  return diffusion_matrix(nodes, factors,
                          [&](const std::array<std::int64_t, 3>& place) { return coefficient.positive_at(place); });
}

SparseMatrix CaseMatrix::load(const Case& the_case, Precision precision) const {
  if (the_case.has("problem.matrix.file")) {
    const bool sum = the_case.text("problem.matrix.duplicates") == "sum";
    return read_matrix(beside_case(the_case, "problem.matrix.file"), {sum ? Duplicates::sum : Duplicates::refuse});
  }
  const std::string& generator = the_case.text("problem.matrix.generator");
  if (generator == "tridiagonal") return tridiagonal_matrix(rows);
  if (generator == "arrow") return arrow_matrix(rows);
  if (generator == "power-law") {
    return power_law_matrix(rows, the_case.integer("problem.matrix.degree"),
                            static_cast<std::uint64_t>(the_case.integer("problem.matrix.seed")));
  }
  if (generator == "convection-diffusion") {
    const std::vector<double> velocity = the_case.reals("problem.matrix.velocity");
    return convection_diffusion_matrix({nodes[0], nodes[1]}, {velocity[0], velocity[1]});
  }
  if (the_case.has(coefficient_key) || the_case.has(anisotropy_key)) return diffusion(the_case, precision);
  return poisson_matrix(nodes, points_);
}

}  // namespace quoin
