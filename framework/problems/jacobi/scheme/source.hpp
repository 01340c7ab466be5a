#pragma once

#include <memory>

#include "problems/jacobi/setup/setup.hpp"
#include "quoin/field.hpp"

namespace quoin {

/// The right-hand side on a device: an array, or where it is the same at all nodes a number. The array has the rows of
/// the part, and so many more on either side as far as the grid has them.
struct Source {
  Source(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue,
         std::int64_t ghost_rows = 0) {
    if (setup.source.constant()) {
      constant = setup.source.at(0, 0, 0);
      return;
    }
    field = std::make_unique<Field>(executor, setup.grid.nx, setup.part.rows(), 0, setup.method.precision, ghost_rows);
    field->upload(queue, [&setup](std::int64_t j, std::span<double> row) {
      const std::int64_t global = setup.part.first + j;
      if (global >= 0 && global < setup.grid.ny) setup.source.row(global, row);
    });
  }
  Argument argument() { return field ? field->argument() : Argument::absent(); }

  std::unique_ptr<Field> field;
  double constant = 0.0;
};

}  // namespace quoin
