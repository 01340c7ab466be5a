#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "problems/linear_system/loop/solve_loop.hpp"
#include "problems/linear_system/setup/setup.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// A x = b for a sparse matrix, by Krylov methods.
class LinearSystemProblem final : public Problem {
 public:
  explicit LinearSystemProblem(const Case& the_case) : setup_(the_case) {}

  [[nodiscard]] Estimate estimate() const override { return estimate_part(1); }
  [[nodiscard]] Estimate estimate_part(int ranks) const override;
  [[nodiscard]] std::vector<KernelSpec> kernels_on(const Executor& /*executor*/) const override {
    return krylov_kernels(setup_);
  }
  void check() const override { (void)setup_.load(); }
  void set_up(std::shared_ptr<Executor> executor) override { set_up_part(std::move(executor), *alone_); }
  void set_up_part(std::shared_ptr<Executor> executor, Communicator& ranks) override;
  void follow() override { loop_->follow(); }
  Progress advance() override;
  void write(FieldSink& sink) const override;
  [[nodiscard]] bool finite() const override { return loop_->status() != Status::diverged; }
  void save(CheckpointWriter& writer) const override { loop_->save(writer); }
  void restore(CheckpointReader& reader) override { loop_->restore(reader); }
  [[nodiscard]] std::optional<Errors> errors() const override;
  [[nodiscard]] std::vector<KernelRow> kernels() const override;
  [[nodiscard]] std::uint64_t launches() const override { return loop_->queue().launches(); }
  [[nodiscard]] std::vector<Figure> figures() const override;

 private:
  LinearSystemSetup setup_;
  std::vector<double> exact_;  // the solution, where the case knows it
  MatrixFacts facts_;
  MatrixPicture picture_;
  std::int64_t entries_ = 0, stored_bytes_ = 0;
  std::unique_ptr<Communicator> alone_ = one_process();
  mutable std::optional<SolveLoop> loop_;  // from set_up on; to read the device's memory changes nothing in it
};

}  // namespace quoin
