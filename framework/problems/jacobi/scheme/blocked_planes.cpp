#include "problems/jacobi/scheme/blocked_planes.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "problems/jacobi/scheme/diffusion_grid.hpp"
#include "problems/jacobi/scheme/diffusion_sweeps.hpp"
#include "quoin/kernel_entry.hpp"
#include "quoin/precision.hpp"

namespace quoin {
namespace {

std::int64_t rounded_up(std::int64_t rows) { return (rows + block_rows - 1) / block_rows * block_rows; }

/// Rows that a sweep is behind the one before.
std::int64_t rows_behind(const Planes& planes) { return rounded_up(planes.apart); }

class BlockedPlanes final : public JacobiSweeps {
 public:
  BlockedPlanes(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, ResidualNorm& norm,
                KernelTimer& timer)
      : norm_(norm),
        weights_(diffusion_weights(setup)),
        sum_bytes_(blocks_across(setup.grid.nx) * static_cast<std::int64_t>(element_size(setup.method.precision))),
        grid_(executor, setup, queue, timer),
        u_{grid_.field(), grid_.field(), grid_.field()},
        f_(grid_.field()),
        behind_(rows_behind(grid_.planes)),
        ahead_(std::max(behind_, rounded_up(nodes_of_a_core * executor->device().units / setup.grid.nx))) {
    upload_source(setup, queue, grid_, f_);
  }

  void load(Queue& queue, const Field::Fill& sides, const Field::Fill& iterate) override {
    for (std::size_t k = 0; k < u_.size(); ++k) u_[k].upload(queue, k == current_ ? iterate : sides);
    launched_.clear();
  }
  void launch(Queue& queue, std::int64_t iteration, std::int64_t count) override {
    const std::size_t from = launched_.empty() ? current_ : launched_.back().result();
    launched_.push_back({from, iteration, count});
    pass(queue, launched_.back());
  }
  /// As in AlternatingSweeps: a pass leaves its input as it is.
  void settle(Queue& queue, std::int64_t done) override {
    for (Pass pass_done : launched_) {
      if (done <= 0) break;
      if (done < pass_done.count) {
        norm_.reset(queue);
        pass_done.count = done;
        pass(queue, pass_done);
      }
      done -= pass_done.count;
      current_ = pass_done.result();
    }
    launched_.clear();
  }
  void measure(Queue& queue) override { pass(queue, {current_, 1, 1}); }
  [[nodiscard]] const Field& iterate() const override { return u_[current_]; }

 private:
  static constexpr std::int64_t nodes_of_a_core = 1 << 16;  // in a launch: fewer cost more to launch than to sweep

  struct Pass {
    std::size_t from;
    std::int64_t iteration, count;

    /// The field that sweep s leaves: the two that are not the input, in turn.
    [[nodiscard]] std::size_t after(std::int64_t s) const { return (from + 1 + static_cast<std::size_t>(s % 2)) % 3; }
    [[nodiscard]] std::size_t result() const { return after(count - 1); }
  };

  /// Sweep s is `behind_` rows behind the one before: it needs what that left a plane further on, and overwrites what
  /// that has read.
  void pass(Queue& queue, const Pass& pass) {
    const std::int64_t rows = grid_.planes.rows();
    std::vector<std::int64_t> done(static_cast<std::size_t>(pass.count), 0);
    for (std::int64_t front = ahead_; done.back() < rows; front += ahead_) {
      for (std::int64_t s = 0; s < pass.count; ++s) {
        std::int64_t& first = done[static_cast<std::size_t>(s)];
        const std::int64_t last = std::clamp<std::int64_t>(front - s * behind_, first, rows);
        if (first < last) sweep(queue, pass, s, {first, last});
        first = last;
      }
    }
  }

  void sweep(Queue& queue, const Pass& pass, std::int64_t s, const Strip& rows) {
    Argument sums = norm_.partials(s);
    sums.offset += static_cast<std::size_t>(rows.first / block_rows * sum_bytes_);
    const auto weight = static_cast<std::size_t>(pass.iteration - 1 + s) % weights_.size();
    grid_.sweep_rows(queue, rows, u_[s == 0 ? pass.from : pass.after(s - 1)], f_, u_[pass.after(s)], weights_[weight],
                     sums, norm_.control());
  }

  ResidualNorm& norm_;
  std::vector<double> weights_;
  std::int64_t sum_bytes_;  // of the blocks of 32 rows
  DiffusionGrid grid_;
  std::array<Field, 3> u_;
  Field f_;
  std::int64_t behind_, ahead_;
  std::size_t current_ = 0;
  std::vector<Pass> launched_;  // since it was settled
};

}  // namespace

bool goes_in_waves(const Executor& executor, const JacobiSetup& setup) {
  if (setup.beyond_poisson || !setup.grid.in_space()) return false;
  if (setup.method.variant == JacobiVariant::blocked) return true;
  // A GPU has more to do at once than the planes that its caches hold.
  return setup.method.variant == JacobiVariant::fastest && executor.device().kind == DeviceKind::cpu;
}

std::int64_t wave_sweeps(const JacobiSetup& setup) {
  constexpr double cache = 16.0 * 1024 * 1024;  // bytes, of the last one
  constexpr double fields = 3.0;                // that a sweep reads and writes
  const Planes planes = setup.planes();
  const double row = static_cast<double>(planes.nx) * static_cast<double>(element_size(setup.method.precision));
  return static_cast<std::int64_t>(
      std::clamp(cache / (fields * static_cast<double>(rows_behind(planes)) * row) - 1.0, 2.0, 8.0));
}

std::unique_ptr<JacobiSweeps> make_blocked_planes(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                                  Queue& queue, ResidualNorm& norm, KernelTimer& timer) {
  return std::make_unique<BlockedPlanes>(executor, setup, queue, norm, timer);
}

}  // namespace quoin
