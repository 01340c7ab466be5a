#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "device/tree_groups.hpp"
#include "problems/jacobi/scheme/bands.hpp"
#include "problems/jacobi/setup/setup.hpp"
#include "quoin/buffer.hpp"
#include "quoin/communicator.hpp"
#include "quoin/kernel_timer.hpp"

namespace quoin {

/// Blocks of the reduction tree along a row of so many nodes, and on a grid.
std::int64_t blocks_across(std::int64_t nx);
std::int64_t blocks_of(std::int64_t nx, std::int64_t ny);

/// The residual norm of each iteration and the stop rule, both on the device: once an iteration stops the run,
/// all later launches leave everything as it is, so a chunk of iterations needs no look from the host. Where several
/// ranks have a part of the grid each, their hosts join the sums of a pass and apply the rule, all with the same bits.
class ResidualNorm {
 public:
  /// `slots`: the longest chunk, in iterations; `sweeps`: most of a pass.
  ResidualNorm(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Communicator& ranks, Bands bands,
               std::size_t slots, std::size_t sweeps, KernelTimer& timer);

  /// Those that every pass is cut into.
  [[nodiscard]] const Bands& bands() const { return bands_; }
  /// Which computes all but the inner one of several; else null.
  [[nodiscard]] EdgeQueue* edge() { return edge_.get(); }
  /// Where the sweeps of a pass leave the sums of r*r of each block of a band, one sweep after another from that number
  /// on, and the control words that they obey.
  [[nodiscard]] Argument partials(std::int64_t sweep = 0, std::size_t band = 0);
  [[nodiscard]] Argument control();

  /// Forgets an earlier stop.
  void reset(Queue& queue);
  /// Norms of the newest pass, whose `sweeps` sweeps were the iterations from `iteration` on, into `slot` and those
  /// after it. The first that is not finite, or at most `tolerance` at a multiple of `every`, stops the run.
  void launch(Queue& queue, std::int64_t slot, std::int64_t iteration, std::int64_t sweeps, std::int64_t every,
              double tolerance);
  /// Whether the host knows already that the run has stopped: then there is nothing to launch any more.
  [[nodiscard]] bool known_to_have_stopped() const { return joined_stop_ != 0; }
  /// The iteration at which the run has stopped, 0 where it has not.
  [[nodiscard]] std::int64_t stopped_at(Queue& queue) const;
  /// The norms of slots 0 to count - 1.
  [[nodiscard]] std::vector<double> norms(Queue& queue, std::size_t count) const;

 private:
  [[nodiscard]] std::int64_t blocks_before(std::size_t band) const;
  [[nodiscard]] std::int64_t blocks_in(std::size_t band) const;
  [[nodiscard]] std::size_t offset(std::int64_t sweep, std::size_t band) const;
  template <class T>
  [[nodiscard]] std::vector<TreeDigest<T>> digests(Queue& queue, std::int64_t sweeps);
  template <class T>
  void join(Queue& queue, std::int64_t slot, std::int64_t iteration, std::int64_t sweeps, std::int64_t every,
            double tolerance);

  Precision precision_;
  Communicator& ranks_;
  Bands bands_;
  std::unique_ptr<EdgeQueue> edge_;
  std::int64_t block_columns_;
  std::int64_t blocks_;  ///< of the part
  std::int64_t sweeps_;
  double scale_;
  double divisor_;
  Buffer<std::byte> partials_;
  Buffer<std::byte> norms_;
  Buffer<std::int64_t> control_;
  TimedKernel kernel_;
  std::vector<TreeGroups> groups_;  ///< of each band, of several ranks
  std::vector<double> joined_;      ///< norms by slot, of several ranks
  std::int64_t joined_stop_ = 0;
};

}  // namespace quoin
