#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "problems/jacobi/scheme/stencil.hpp"
#include "problems/jacobi/setup/setup.hpp"
#include "quoin/field.hpp"
#include "quoin/kernel_timer.hpp"

namespace quoin {

/// jacobi_sweeps with as many sweeps in a pass, `most` at most, as the variant asks for and the device can.
KernelSpec sweeps_spec(const Executor& executor, const JacobiSetup& setup, bool rhs_array, std::int64_t most);

/// The weights of the sweeps of the case's solver, over and over.
std::vector<double> cycle_weights(const JacobiSetup& setup);

/// jacobi_sweeps on all nodes of one grid, with the weights of its sweeps on the device.
class SweepKernel {
 public:
  /// `spec`: as sweeps_spec() gives it. Throws ErrorKind::device where the executor does not have it.
  SweepKernel(const std::shared_ptr<Executor>& executor, Queue& queue, const KernelSpec& spec, const Box& box,
              const Stencil& stencil, std::span<const double> weights, KernelTimer& timer);

  /// Most sweeps of a launch.
  [[nodiscard]] std::int64_t depth() const { return depth_; }

  /// What a launch works on: f is absent where it is the number f_constant, `partials` has room for all block sums.
  struct Data {
    Field& from;
    Argument f;
    double f_constant;
    Field& to;
    Argument partials, control;
  };
  /// `count` sweeps, of which the first has weight number `first`. `below` and `above`: rows that the grid has beyond
  /// the box.
  void launch(Queue& queue, const Data& data, std::int64_t first, std::int64_t count, std::int64_t below = 0,
              std::int64_t above = 0);

 private:
  Stencil stencil_;
  std::int64_t depth_;
  std::size_t weight_bytes_;
  Buffer<std::byte> weights_;
  TimedKernel kernel_;
};

}  // namespace quoin
