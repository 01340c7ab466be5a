#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "problems/jacobi/loop/convergence.hpp"
#include "problems/jacobi/loop/order.hpp"
#include "problems/jacobi/scheme/residual_norm.hpp"
#include "problems/jacobi/scheme/sweeps.hpp"
#include "problems/jacobi/setup/setup.hpp"
#include "problems/orders.hpp"
#include "quoin/communicator.hpp"
#include "quoin/fields.hpp"
#include "quoin/kernel_timer.hpp"

namespace quoin {

/// How far a run has come, besides its iterate.
struct JacobiState {
  std::int64_t iterations = 0;  ///< done
  double norm = 0.0;            ///< that the newest iteration found
  double reference = 0.0;       ///< for relative tolerances
  Convergence::State convergence{};
};

/// The iterations of a run on a device, or on one of each rank. Then all ranks make it together; the first one is
/// called as if it were alone, and the others follow.
class IterationLoop {
 public:
  /// Everything but the start. `longest_chunk`: iterations launched at most before the host looks at the device.
  IterationLoop(const JacobiSetup& setup, Communicator& ranks, const std::shared_ptr<Executor>& executor,
                std::int64_t longest_chunk);
  /// On the first rank: lets the others go.
  ~IterationLoop() { orders_.end(); }
  IterationLoop(const IterationLoop&) = delete;
  IterationLoop& operator=(const IterationLoop&) = delete;

  /// On all ranks but the first: does what that one does, until it ends.
  void follow();

  /// From the field of the case, or zero.
  void start();
  /// From these values at the nodes of the grid.
  void start(const Field::Fill& interior);
  /// From where another run has come.
  void resume(const JacobiState& state, const Field::Fill& interior);
  /// About a tenth of a second of iterations, `most` at most, and what they come to; nothing once the run has ended.
  /// Appends rows of the history.
  void advance(std::int64_t most, std::vector<Row>& history);

  [[nodiscard]] const JacobiSetup& setup() const { return setup_; }
  [[nodiscard]] const Sides& sides() const { return sides_; }
  [[nodiscard]] Status status() const { return status_; }
  [[nodiscard]] JacobiState state() const { return {iterations_, norm_of_last_, reference_, convergence_.state()}; }
  [[nodiscard]] std::int64_t iterations() const { return iterations_; }
  [[nodiscard]] double norm_of_last() const { return norm_of_last_; }
  [[nodiscard]] const Convergence& convergence() const { return convergence_; }
  /// Receives the rows [first, last) of the iterate, in order: those of the grid, whichever rank has them.
  void read(std::int64_t first, std::int64_t last, const Field::Read& read) const;
  void read(const Field::Read& read) const { this->read(0, setup_.grid.rows(), read); }
  /// Has each rank write its piece of the field, `whole`.
  void write_pieces(GridField whole, FieldSink& sink) const;
  /// Each rank writes its rows.
  [[nodiscard]] std::vector<WrittenPart> write_rows(RankFiles& files) const;
  /// What is added to the iterate for the mean that the case asks for: 0 but where a constant may be.
  [[nodiscard]] double shift() const;
  /// Whether all of the iterate is.
  [[nodiscard]] bool finite() const;
  [[nodiscard]] Queue& queue() const { return *queue_; }
  [[nodiscard]] const KernelTimer& timer() const { return *timer_; }

 private:
  using Kind = Order::Kind;
  /// A field by rows of the grid, and how the other ranks come by theirs.
  struct Values {
    Kind kind;
    Field::Fill fill;
  };
  [[nodiscard]] Values initial() const;
  [[nodiscard]] static Values zero();
  void start(const Values& values);
  void load(const Values& values);
  void load_part(const Field::Fill& interior);
  void load_received();
  void download(std::int64_t first, std::int64_t last, const Field::Read& read) const;
  void send_part(const Strip& rows) const;
  void write_piece(RankFiles* files) const;
  [[nodiscard]] std::vector<std::byte> first_row_above() const;
  [[nodiscard]] std::vector<WrittenPart> write_part(RankFiles* files) const;
  [[nodiscard]] bool part_is_finite() const;
  void run_chunk(std::int64_t most, std::vector<Row>& history);
  [[nodiscard]] std::int64_t iterations_to_launch(std::int64_t most) const;
  std::vector<std::size_t> launch(std::int64_t count, double tolerance);
  std::vector<double> run(std::int64_t count, double tolerance);
  [[nodiscard]] double norm_of(const Values& values);
  [[nodiscard]] double measured();
  [[nodiscard]] double measure_part();
  [[nodiscard]] double reference_of(const Values& initial, std::optional<Kind>& loaded);
  void set_tolerance(double reference);
  [[nodiscard]] Status judged();

  const JacobiSetup& setup_;
  Communicator& ranks_;
  Orders<Order> orders_;
  Sides sides_;
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<KernelTimer> timer_;
  std::unique_ptr<ResidualNorm> norm_;
  std::unique_ptr<JacobiSweeps> sweeps_;
  std::int64_t longest_chunk_;
  Pass pass_;
  std::int64_t chunk_ = 1;
  double seconds_ = 0.0;  // that the device took for the newest chunk
  Convergence convergence_;
  Status status_ = Status::running;
  std::int64_t iterations_ = 0;
  double reference_ = 0.0;
  double norm_of_last_ = 0.0;
};

}  // namespace quoin
