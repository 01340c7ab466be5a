#pragma once

// Passes of several sweeps, of which each leaves its input as it is.

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "problems/jacobi/scheme/sweeps.hpp"

namespace quoin {

/// From one field into the other, and back.
class PassesInTurn : public JacobiSweeps {
 public:
  void load(Queue& queue, const Field::Fill& sides, const Field::Fill& iterate) override;
  void launch(Queue& queue, std::int64_t iteration, std::int64_t count) override;
  void settle(Queue& queue, std::int64_t done) override;
  void measure(Queue& queue) override { measure_of(queue, current_); }
  [[nodiscard]] const Field& iterate() const override { return u_[current_]; }

 protected:
  struct Sweeps {
    std::int64_t iteration, count;
  };

  /// `depth`: most sweeps of a pass.
  PassesInTurn(ResidualNorm& norm, std::int64_t depth, std::array<Field, 2> u)
      : norm_(norm), depth_(depth), u_(std::move(u)) {}

  /// Launches a pass from that field into the other. `sums`: the place of its first block sums.
  virtual void pass(Queue& queue, std::size_t from, const Sweeps& sweeps, std::int64_t sums) = 0;
  /// As measure(), of that field.
  virtual void measure_of(Queue& queue, std::size_t from) = 0;

  [[nodiscard]] Field& current() { return u_[current_]; }
  /// What passes take of the weights of this cycle, which they may start with any of: the first ones follow the last.
  [[nodiscard]] std::vector<double> repeated(std::vector<double> cycle);
  /// The place of a pass's first weight in that.
  [[nodiscard]] std::int64_t first_weight(const Sweeps& sweeps) const { return (sweeps.iteration - 1) % cycle_; }

  ResidualNorm& norm_;
  const std::int64_t depth_;
  std::array<Field, 2> u_;

 private:
  std::int64_t cycle_ = 1;        // weights until they start again
  std::size_t current_ = 0;       // the field of the iterate
  std::vector<Sweeps> launched_;  // passes since it was settled
};

}  // namespace quoin
