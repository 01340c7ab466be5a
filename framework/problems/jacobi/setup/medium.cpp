#include "problems/jacobi/setup/medium.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "output/hdf5_input.hpp"
#include "problems/beside.hpp"
#include "problems/jacobi/setup/formulas.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

bool is_constant(const Case& the_case, const std::string& key, double value) {
  if (the_case.has(key + ".file")) return false;
  if (!the_case.has(key + ".formula")) return true;
  const Expression formula = the_case.expression(key + ".formula", Grid(the_case).constants());
  return formula.constant() && formula(0.0, 0.0) == value;
}

std::vector<double> values_of_file(const Case& the_case, const std::string& key, const Grid& cells) {
  if (the_case.has(key + ".formula"))
    throw the_case.error_at(key + ".formula", "give either a formula or a file of " + key + ", not both");
  const auto file = beside_case(the_case, key + ".file");
  try {
    const auto input = Hdf5Input::open(file);
    const std::string& array = the_case.text(key + ".array");
    const std::int64_t rows = input->rows(array);
    if (rows == cells.ny) return input->read(array, 0, cells.ny, cells.nx);
    throw Error(ErrorKind::io, fmt::format("the array '{}' of {} has {} rows", array, file.string(), rows));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::io) throw;
    throw the_case.error_at(
        key + ".file",
        fmt::format("{}; it takes an array of {} rows of {} numbers, one for each cell between the nodes "
                    "along y and along x, nodes on the sides included",
                    error.what(), cells.ny, cells.nx));
  }
}

}  // namespace

bool beyond_poisson(const Case& the_case) {
  for (const char* side : {"left", "right", "bottom", "top"})
    if (the_case.text(std::string("problem.boundary.") + side + ".type") != "dirichlet") return true;
  return !is_constant(the_case, "problem.diffusivity", 1.0) || !is_constant(the_case, "problem.reaction", 0.0);
}

std::vector<double> cell_values(const Case& the_case, const std::string& key, const Grid& grid, double fallback) {
  const bool positive = fallback > 0.0;
  const Grid cells = grid.centres();
  const auto nx = static_cast<std::size_t>(cells.nx);
  const bool from_file = the_case.has(key + ".file");
  std::vector<double> values(nx * static_cast<std::size_t>(cells.ny), fallback);
  if (!from_file && !the_case.has(key + ".formula")) return values;
  if (from_file) {
    values = values_of_file(the_case, key, cells);
  } else {
    const NodeFormula formula(the_case, key + ".formula", cells, Precision::float64);
    for (std::int64_t j = 0; j < cells.ny; ++j)
      formula.row(j, std::span(values).subspan(static_cast<std::size_t>(j) * nx, nx));
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::isfinite(values[k]) && (positive ? values[k] > 0.0 : values[k] >= 0.0)) continue;
    const auto i = static_cast<std::int64_t>(k % nx);
    const auto j = static_cast<std::int64_t>(k / nx);
    throw the_case.error_at(
        key + (from_file ? ".file" : ".formula"),
        fmt::format("{} is {:.6g} in the cell around x = {:.6g}, y = {:.6g}; it must be {} everywhere", key, values[k],
                    cells.x(i), cells.y(j), positive ? "more than 0" : "0 or more"));
  }
  return values;
}

}  // namespace quoin
