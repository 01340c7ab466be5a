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
  const Expression formula = Grid(the_case).formula(the_case, key + ".formula");
  return formula.constant() && formula(0.0, 0.0) == value;
}

std::vector<double> values_of_file(const Case& the_case, const std::string& key, const Grid& cells) {
  if (the_case.has(key + ".formula"))
    throw the_case.error_at(key + ".formula", "give either a formula or a file of " + key + ", not both");
  const auto file = beside_case(the_case, key + ".file");
  try {
    const auto input = Hdf5Input::open(file);
    const std::string& array = the_case.text(key + ".array");
    std::vector<std::int64_t> shape{cells.ny, cells.nx};
    if (cells.in_space()) shape.insert(shape.begin(), cells.nz);
    if (input->shape(array) == shape) return input->values(array);
    throw Error(ErrorKind::io, fmt::format("the array '{}' of {} has the shape {}", array, file.string(),
                                           fmt::join(input->shape(array), " x ")));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::io) throw;
    throw the_case.error_at(
        key + ".file",
        fmt::format(
            "{}; it takes an array of {}{} rows of {} numbers, one for each cell between the nodes along {}y and "
            "along x, nodes on the sides included",
            error.what(), cells.in_space() ? fmt::format("{} planes of ", cells.nz) : "", cells.ny, cells.nx,
            cells.in_space() ? "z, along " : ""));
  }
}

}  // namespace

bool beyond_poisson(const Case& the_case) {
  const Grid grid(the_case);
  for (const Axis* axis : {&grid.along_x, &grid.along_y, &grid.along_z})
    if (!axis->is_flat() && !(axis->lower == SideType::dirichlet && axis->upper == SideType::dirichlet)) return true;
  if (grid.in_space() && the_case.text("method.solver") == "multigrid") return true;
  return !is_constant(the_case, "problem.diffusivity", 1.0) || !is_constant(the_case, "problem.reaction", 0.0);
}

std::vector<double> cell_values(const Case& the_case, const std::string& key, const Grid& grid, double fallback) {
  const bool positive = fallback > 0.0;
  const Grid cells = grid.centres();
  const auto nx = static_cast<std::size_t>(cells.nx);
  const bool from_file = the_case.has(key + ".file");
  std::vector<double> values(nx * static_cast<std::size_t>(cells.rows()), fallback);
  if (!from_file && !the_case.has(key + ".formula")) return values;
  if (from_file) {
    values = values_of_file(the_case, key, cells);
  } else {
    const NodeFormula formula(the_case, key + ".formula", cells, Precision::float64);
    for (std::int64_t row = 0; row < cells.rows(); ++row)
      formula.row(row, std::span(values).subspan(static_cast<std::size_t>(row) * nx, nx));
  }
  for (std::size_t cell = 0; cell < values.size(); ++cell) {
    const double value = values[cell];
    if (std::isfinite(value) && (positive ? value > 0.0 : value >= 0.0)) continue;
    const auto i = static_cast<std::int64_t>(cell % nx);
    const auto row = static_cast<std::int64_t>(cell / nx);
    throw the_case.error_at(
        key + (from_file ? ".file" : ".formula"),
        fmt::format("{} is {:.6g} in the cell around {}; it must be {} everywhere", key, value,
                    cells.where(i, row % cells.ny, row / cells.ny), positive ? "more than 0" : "0 or more"));
  }
  return values;
}

}  // namespace quoin
