#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "problems/jacobi/loop/iteration_loop.hpp"
#include "problems/jacobi/setup/setup.hpp"
#include "problems/samples.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// -div(k grad u) + c u = f on a rectangle or in a box, differences of five or seven points, solved by Jacobi
/// iterations.
class JacobiProblem final : public Problem {
 public:
  /// `longest_chunk`: iterations launched at most before the host looks at the device. It changes no bit.
  explicit JacobiProblem(const Case& the_case, std::int64_t longest_chunk = 4096);

  [[nodiscard]] Estimate estimate() const override { return estimate_part(1); }
  [[nodiscard]] Estimate estimate_part(int ranks) const override;
  [[nodiscard]] std::vector<KernelSpec> kernels_on(const Executor& executor) const override;
  void check() const override;
  void set_up(std::shared_ptr<Executor> executor) override { set_up_part(std::move(executor), *alone_); }
  void set_up_part(std::shared_ptr<Executor> executor, Communicator& ranks) override;
  void follow() override { loop_->follow(); }
  Progress advance() override;
  void write(FieldSink& sink) const override;
  void sample(FieldSink& sink) const override;
  void save(CheckpointWriter& writer) const override;
  [[nodiscard]] bool finite() const override;
  void restore(CheckpointReader& reader) override;
  void start_from(CheckpointReader& reader, const Case& theirs) override;
  [[nodiscard]] std::optional<Errors> errors() const override;
  [[nodiscard]] std::vector<KernelRow> kernels() const override;
  [[nodiscard]] std::uint64_t launches() const override { return loop_->queue().launches(); }
  [[nodiscard]] std::vector<Figure> figures() const override;

 private:
  JacobiSetup setup_;
  std::int64_t longest_chunk_;
  std::vector<SampleSet> samples_;
  std::unique_ptr<Communicator> alone_ = one_process();
  std::optional<IterationLoop> loop_;  // from set_up on
};

}  // namespace quoin
