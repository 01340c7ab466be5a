#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "device/kernel_timer.hpp"
#include "problems/dgcvs/device_level.hpp"
#include "problems/dgcvs/flow.hpp"
#include "problems/dgcvs/point_values.hpp"
#include "problems/dgcvs/setup.hpp"
#include "problems/dgcvs/solution.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// A conservation law by the space-time discontinuous Galerkin cell-vertex scheme (design: dg-cvs).
class DgProblem final : public Problem {
 public:
  /// `longest_chunk`: steps launched at most before the host looks at the device. It changes no bit.
  explicit DgProblem(const Case& the_case, std::int64_t longest_chunk = 256);

  [[nodiscard]] Estimate estimate() const override;
  [[nodiscard]] std::vector<KernelSpec> kernels_on(const Executor& /*executor*/) const override {
    return level_kernels(setup_);
  }
  void check() const override;
  void set_up(std::shared_ptr<Executor> executor) override;
  Progress advance() override;
  [[nodiscard]] bool frame_at_start() const override { return frame_after(0); }
  void write(FieldSink& sink) const override;
  void sample(FieldSink& sink) const override;
  void save(CheckpointWriter& writer) const override;
  [[nodiscard]] bool finite() const override;
  void restore(CheckpointReader& reader) override;
  void start_from(CheckpointReader& reader, const Case& theirs) override;
  void check_start(CheckpointReader& reader, const Case& theirs) const override;
  [[nodiscard]] std::optional<Errors> errors() const override;
  [[nodiscard]] std::vector<KernelRow> kernels() const override { return timer_->rows(); }
  [[nodiscard]] std::uint64_t launches() const override { return queue_->launches(); }
  [[nodiscard]] std::vector<std::string> history_columns() const override { return {"step", "time", "mass", "norm"}; }
  [[nodiscard]] std::vector<Figure> figures() const override;

  static std::vector<Override> refine(const Case& the_case, int level);
  static ExactField exact(const Case& the_case, const std::string& field, Point extent);

 private:
  void make_levels();
  [[nodiscard]] Pace pace_to_go_on() const;
  [[nodiscard]] Row row_of(std::int64_t step) const;
  [[nodiscard]] std::int64_t last_step() const;
  [[nodiscard]] double time() const { return pace_.time(steps_); }
  [[nodiscard]] bool row_after(std::int64_t step) const;
  [[nodiscard]] bool look_after(std::int64_t step) const;
  [[nodiscard]] bool frame_after(std::int64_t step) const;
  [[nodiscard]] bool pause_after(std::int64_t step) const;
  [[nodiscard]] bool flow_after(std::int64_t step) const;
  [[nodiscard]] std::int64_t steps_to_launch(std::int64_t until) const;
  void renew_pace();
  void look_at_flow();
  void prepare(std::int64_t until);
  void run_chunk(std::int64_t until, std::vector<Row>& history);
  void add_row(std::vector<Row>& history, std::int64_t step, double mass, double square);
  [[nodiscard]] Solution solution(EntityKind kind) const;
  void take_first_pace();
  void start_by(const std::vector<double>& kept);
  void require_mesh_of(CheckpointReader& reader, const LevelArrays& cells) const;
  /// The longest step that is stable at the wave speed seen last.
  [[nodiscard]] double stable_step() const;
  void warn_of_step();
  [[nodiscard]] std::string diverged_message() const;

  DgSetup setup_;
  std::int64_t longest_chunk_;
  PointValues points_;
  Prospect prospect_{};
  Pace pace_;
  double speed_ = 0.0;            // the largest of waves, when the flow was last looked at
  std::int64_t prepared_to_ = 0;  // the step up to which the states outside are on the device
  double before_ = 0.0;           // time of the step before pace_.from
  std::shared_ptr<Executor> executor_;
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<KernelTimer> timer_;
  std::unique_ptr<DeviceLevel> cells_, vertices_;
  Buffer<std::byte> sums_;
  std::int64_t steps_ = 0;
  std::int64_t chunk_ = 1;
  double update_seconds_ = 0.0;
  std::optional<double> first_mass_;
  std::optional<std::int64_t> grown_at_;  // the step at which the solution was found to have grown without bound
  std::optional<FlowLook> flow_gone_;     // what was then found wrong with the flow
  bool warned_ = false;                   // of a method.time_step that is too long
  double mass_ = 0.0, norm_ = 0.0, drift_ = 0.0;
};

}  // namespace quoin
