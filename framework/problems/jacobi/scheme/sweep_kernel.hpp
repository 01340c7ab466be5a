#pragma once

#include <array>
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
  /// Sweeps, of which the first has weight number `first`.
  struct Sweeps {
    std::int64_t first, count;
  };
  /// Rows that the grid has beyond a box.
  struct Beyond {
    std::int64_t below, above;
  };
  void launch(Queue& queue, const Data& data, const Sweeps& sweeps, const Beyond& beyond = {0, 0}) {
    launch(queue, box_, data, sweeps, beyond);
  }
  /// On a box, counted as if it were all.
  void launch(Queue& queue, const Box& box, const Data& data, const Sweeps& sweeps, const Beyond& beyond);
  /// On another one that lies beside it, which counts with it.
  void launch_beside(Queue& queue, const Box& box, const Data& data, const Sweeps& sweeps, const Beyond& beyond);

 private:
  [[nodiscard]] std::array<Argument, 13> arguments(const Data& data, const Sweeps& sweeps, const Beyond& beyond);

  Box box_;
  Stencil stencil_;
  std::int64_t depth_;
  std::size_t weight_bytes_;
  Buffer<std::byte> weights_;
  TimedKernel kernel_;
};

}  // namespace quoin
