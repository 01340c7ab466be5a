#pragma once

#include <optional>
#include <vector>

#include "quoin/buffer.hpp"
#include "quoin/problem.hpp"

/// u' = -rate u at each of some points, by explicit Euler steps from u = 1.
class Decay final : public quoin::Problem {
 public:
  explicit Decay(const quoin::Case& the_case);
  [[nodiscard]] quoin::Estimate estimate() const override;
  void check() const override {}
  void set_up(std::shared_ptr<quoin::Executor> executor) override;
  quoin::Progress advance() override;
  void write(quoin::FieldSink& sink) const override;
  void save(quoin::CheckpointWriter& writer) const override;
  void restore(quoin::CheckpointReader& reader) override;
  [[nodiscard]] std::optional<quoin::Errors> errors() const override { return {}; }
  [[nodiscard]] std::vector<quoin::KernelRow> kernels() const override { return {}; }
  [[nodiscard]] std::uint64_t launches() const override { return queue_->launches(); }
  [[nodiscard]] std::vector<std::string> history_columns() const override { return {"step", "time"}; }

 private:
  [[nodiscard]] std::vector<double> values() const;

  std::int64_t points_;
  double rate_;
  std::int64_t steps_;
  double step_;
  std::int64_t done_ = 0;
  std::shared_ptr<quoin::Executor> executor_;
  std::unique_ptr<quoin::Queue> queue_;
  std::unique_ptr<quoin::Kernel> triad_;
  quoin::Buffer<double> now_;
  quoin::Buffer<double> next_;
};
