#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device/kernel_timer.hpp"
#include "problems/jacobi/convergence.hpp"
#include "problems/jacobi/residual_norm.hpp"
#include "problems/jacobi/setup.hpp"
#include "problems/jacobi/sweeps.hpp"
#include "problems/samples.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// -u_xx - u_yy = f on a rectangle with Dirichlet sides, five-point differences, solved by Jacobi iterations.
class JacobiProblem final : public Problem {
 public:
  /// `longest_chunk`: iterations launched at most before the host looks at the device. It changes no bit.
  explicit JacobiProblem(const Case& the_case, std::int64_t longest_chunk = 4096);

  [[nodiscard]] Estimate estimate() const override;
  [[nodiscard]] std::vector<KernelSpec> kernels_on(const Executor& executor) const override;
  void check() const override;
  void set_up(std::shared_ptr<Executor> executor) override;
  Progress advance() override;
  void write(FieldSink& sink) const override;
  void sample(FieldSink& sink) const override;
  void save(CheckpointWriter& writer) const override;
  [[nodiscard]] bool finite() const override { return where_not_finite().empty(); }
  void restore(CheckpointReader& reader) override;
  void start_from(CheckpointReader& reader, const Case& theirs) override;
  [[nodiscard]] std::optional<Errors> errors() const override;
  [[nodiscard]] std::vector<KernelRow> kernels() const override;
  [[nodiscard]] std::uint64_t launches() const override { return queue_->launches(); }
  [[nodiscard]] std::vector<Figure> figures() const override;

  static std::vector<Override> refine(const Case& the_case, int level);
  static std::string tuning_key(const Case& the_case);
  static std::vector<Override> limit_iterations(std::int64_t iterations);
  static ExactField exact(const Case& the_case, const std::string& field, Point extent);

 private:
  void load(const Field::Fill& interior);
  void run_chunk(std::vector<Row>& history);
  [[nodiscard]] double norm_of(const Field::Fill& interior);
  [[nodiscard]] double measured();
  static Field::Fill fill_of(const std::vector<std::byte>& values, Precision precision);
  void start(const Field::Fill& interior);
  [[nodiscard]] double reference_of(const Field::Fill& initial);
  void set_tolerance(double reference);
  [[nodiscard]] Status judged();
  [[nodiscard]] std::string message() const;
  [[nodiscard]] std::string where_not_finite() const;
  [[nodiscard]] std::vector<std::byte> interior() const;
  [[nodiscard]] std::string formulas_sha256() const;

  JacobiSetup setup_;
  Sides sides_;
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<KernelTimer> timer_;
  std::unique_ptr<ResidualNorm> norm_;
  std::unique_ptr<JacobiSweeps> sweeps_;
  std::int64_t longest_chunk_;
  Pass pass_{};
  std::int64_t chunk_ = 1;
  Convergence convergence_;
  std::vector<SampleSet> samples_;
  Status status_ = Status::running;
  std::int64_t iterations_ = 0;
  double reference_ = 0.0;               // for relative tolerances
  double norm_of_last_ = 0.0;            // that the newest iteration found
  mutable std::string formulas_sha256_;  // once it is asked for
};

}  // namespace quoin
