#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "problems/dgcvs/loop/time_loop.hpp"
#include "problems/dgcvs/output/point_values.hpp"
#include "problems/dgcvs/setup/setup.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// A conservation law by the space-time discontinuous Galerkin cell-vertex scheme (design: dg-cvs).
class DgProblem final : public Problem {
 public:
  /// `longest_chunk`: steps launched at most before the host looks at the device. It changes no bit.
  explicit DgProblem(const Case& the_case, std::int64_t longest_chunk = 256);

  [[nodiscard]] Estimate estimate() const override { return estimate_part(1); }
  [[nodiscard]] Estimate estimate_part(int ranks) const override;
  [[nodiscard]] std::vector<KernelSpec> kernels_on(const Executor& /*executor*/) const override {
    return level_kernels(setup_);
  }
  void check() const override;
  void set_up(std::shared_ptr<Executor> executor) override { set_up_part(std::move(executor), *alone_); }
  void set_up_part(std::shared_ptr<Executor> executor, Communicator& ranks) override;
  void follow() override { loop_->follow(); }
  Progress advance() override;
  [[nodiscard]] bool frame_at_start() const override;
  void write(FieldSink& sink) const override;
  void sample(FieldSink& sink) const override;
  void save(CheckpointWriter& writer) const override;
  [[nodiscard]] bool finite() const override;
  void restore(CheckpointReader& reader) override;
  void start_from(CheckpointReader& reader, const Case& theirs) override;
  void check_start(CheckpointReader& reader, const Case& theirs) const override;
  [[nodiscard]] std::optional<Errors> errors() const override;
  [[nodiscard]] std::vector<KernelRow> kernels() const override { return loop_->timer().rows(); }
  [[nodiscard]] std::uint64_t launches() const override { return loop_->queue().launches(); }
  [[nodiscard]] std::vector<std::string> history_columns() const override { return {"step", "time", "mass", "norm"}; }
  [[nodiscard]] std::vector<Figure> figures() const override;

 private:
  [[nodiscard]] const FirstLook& look() const;

  DgSetup setup_;
  std::int64_t longest_chunk_;
  PointValues points_;
  std::unique_ptr<Communicator> alone_ = one_process();
  mutable std::optional<FirstLook> look_;  // until the loop has it
  std::optional<TimeLoop> loop_;           // from set_up on
};

}  // namespace quoin
