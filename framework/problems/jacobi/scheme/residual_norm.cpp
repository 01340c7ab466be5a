#include "problems/jacobi/scheme/residual_norm.hpp"

#include <array>

#include "quoin/catalogue.hpp"
#include "quoin/precision.hpp"

namespace quoin {

std::int64_t blocks_across(std::int64_t nx) { return (nx + block_columns - 1) / block_columns; }
std::int64_t blocks_of(std::int64_t nx, std::int64_t ny) {
  return blocks_across(nx) * ((ny + block_rows - 1) / block_rows);
}

ResidualNorm::ResidualNorm(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, std::size_t slots,
                           std::size_t sweeps, KernelTimer& timer)
    : precision_(setup.method.precision),
      block_columns_(blocks_across(setup.grid.nx)),
      blocks_(blocks_of(setup.grid.nx, setup.grid.ny)),
      scale_(setup.grid.dx * setup.grid.dy),
      divisor_(setup.norm_divisor()),
      partials_(executor, sweeps * static_cast<std::size_t>(blocks_) * element_size(precision_)),
      norms_(executor, slots * element_size(precision_)),
      control_(executor, 2),
      kernel_(*executor, {"residual_norm", precision_, {}}, Box::line(blocks_), timer) {}

Argument ResidualNorm::partials(std::int64_t sweep) {
  const auto offset = static_cast<std::size_t>(sweep * blocks_) * element_size(precision_);
  return Argument::buffer(partials_.memory(), offset, block_columns_);
}

Argument ResidualNorm::control() { return Argument::buffer(control_.memory()); }

void ResidualNorm::reset(Queue& queue) { control_.upload(queue, std::array<std::int64_t, 2>{0, 0}); }

void ResidualNorm::launch(Queue& queue, std::int64_t slot, std::int64_t iteration, std::int64_t sweeps,
                          std::int64_t every, double tolerance) {
  const std::array arguments{Argument::buffer(partials_.memory(), 0, blocks_),
                             Argument::buffer(norms_.memory()),
                             Argument::integer(slot),
                             Argument::integer(iteration),
                             Argument::integer(every),
                             Argument::real(scale_),
                             Argument::real(divisor_),
                             Argument::real(tolerance),
                             control()};
  kernel_.launch(queue, Box::plane(blocks_, sweeps), arguments);
}

std::int64_t ResidualNorm::stopped_at(Queue& queue) const {
  std::array<std::int64_t, 2> words{};
  control_.download(queue, words);
  return words[0];
}

std::vector<double> ResidualNorm::norms(Queue& queue, std::size_t count) const {
  std::vector<std::byte> raw(count * element_size(precision_));
  norms_.download(queue, raw);
  return from_precision(raw, precision_);
}

}  // namespace quoin
