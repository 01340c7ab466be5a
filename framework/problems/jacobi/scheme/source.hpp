#pragma once

#include <memory>

#include "problems/jacobi/setup/setup.hpp"
#include "quoin/field.hpp"

namespace quoin {

/// The right-hand side on a device: an array, or where it is the same at all nodes a number.
struct Source {
  Source(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue) {
    if (setup.source.constant()) {
      constant = setup.source.at(0, 0);
      return;
    }
    field = std::make_unique<Field>(executor, setup.grid.nx, setup.grid.ny, 0, setup.method.precision);
    field->upload(queue, [&setup](std::int64_t j, std::span<double> row) { setup.source.row(j, row); });
  }
  Argument argument() { return field ? field->argument() : Argument::absent(); }

  std::unique_ptr<Field> field;
  double constant = 0.0;
};

}  // namespace quoin
