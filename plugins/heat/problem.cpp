// The heat equation on a rectangle: what Quoin drives.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <vector>

#include "integrator.hpp"
#include "quoin/error.hpp"
#include "quoin/precision.hpp"
#include "quoin/problem_plugin.hpp"
#include "setup.hpp"

namespace heat {
namespace {

using quoin::Case;
using quoin::Errors;
using quoin::Override;
using quoin::Progress;
using quoin::Status;

constexpr std::int64_t longest_chunk = 256;  // steps

class Heat final : public quoin::Problem {
 public:
  explicit Heat(const Case& the_case) : setup_(the_case) {}

  [[nodiscard]] quoin::Estimate estimate() const override {
    const double field = quoin::field_bytes(setup_.grid.nx, setup_.grid.ny, setup_.precision);
    constexpr double small_files = 64e3;
    constexpr double row = 64.0;  // of the history
    quoin::Estimate estimate;
    estimate.host = std::min(field, 4e6);
    estimate.temporary = field;
    estimate.device = device_bytes(setup_, longest_chunk);
    estimate.disk = small_files + field + row * static_cast<double>(setup_.steps);
    estimate.checkpoint = small_files + field;
    return estimate;
  }

  [[nodiscard]] std::vector<quoin::KernelSpec> kernels_on(const quoin::Executor& /*executor*/) const override {
    std::vector<quoin::KernelSpec> specs;
    for (const char* name : {"heat_start", "heat_stage", "heat_energy", "sum"})
      specs.push_back({name, setup_.precision, {}});
    return specs;
  }

  void check() const override {
    for (const Formula* formula : {&setup_.initial, &setup_.boundary, &setup_.source, &setup_.growth})
      formula->check(0.0);
    if (setup_.exact) setup_.exact->check(setup_.final_time);
  }

  void set_up(std::shared_ptr<quoin::Executor> executor) override {
    queue_ = executor->queue();
    timer_ = std::make_unique<quoin::KernelTimer>(*executor);
    stepper_ = std::make_unique<TimeStepper>(executor, setup_, *queue_, *timer_, longest_chunk);
    stepper_->load(*queue_, [this](std::int64_t j, std::span<double> row) { setup_.initial.row(j, 0, 0.0, row); });
  }

  Progress advance() override {
    Progress progress;
    if (done_ < setup_.steps && std::isfinite(energy_)) run_chunk(progress.history);
    progress.iterations = done_;
    progress.limit = setup_.steps;
    progress.time = time_of(done_);
    progress.final_time = setup_.final_time;
    if (!std::isfinite(energy_)) {
      progress.status = Status::diverged;
      progress.message = "u is not finite at t = " + std::to_string(*progress.time) +
                         "; check the size of source, boundary and initial values";
    } else if (done_ == setup_.steps) {
      progress.status = Status::completed;
    }
    return progress;
  }

  void write(quoin::FieldSink& sink) const override {
    const Grid& grid = setup_.grid;
    const std::vector<std::byte> values = stepper_->field().values(*queue_);
    sink.grid({"u", grid.nx, grid.ny, grid.x(0), grid.y(0), grid.dx, grid.dy, setup_.precision, values});
  }

  [[nodiscard]] bool finite() const override { return std::isfinite(energy_); }

  void save(quoin::CheckpointWriter& writer) const override {
    writer.put("u", stepper_->field().values(*queue_));
    writer.put("steps", std::as_bytes(std::span(&done_, 1)));
    writer.put("energy", std::as_bytes(std::span(&energy_, 1)));
  }

  void restore(quoin::CheckpointReader& reader) override {
    const auto nodes = static_cast<std::size_t>(setup_.grid.nx * setup_.grid.ny);
    std::vector<std::byte> values(nodes * element_size(setup_.precision));
    reader.get("u", values);
    reader.get("steps", std::as_writable_bytes(std::span(&done_, 1)));
    reader.get("energy", std::as_writable_bytes(std::span(&energy_, 1)));
    if (done_ < 0 || done_ > setup_.steps)
      throw quoin::Error(quoin::ErrorKind::checkpoint,
                         "the checkpoint is of step " + std::to_string(done_) + " of " + std::to_string(setup_.steps));
    stepper_->load(*queue_, quoin::fill_of(values, setup_.precision));
  }

  [[nodiscard]] std::optional<Errors> errors() const override {
    if (!setup_.exact) return std::nullopt;
    std::vector<double> exact(static_cast<std::size_t>(setup_.grid.nx));
    const auto nodes = static_cast<double>(setup_.grid.nx) * static_cast<double>(setup_.grid.ny);
    Errors errors;
    stepper_->field().download(*queue_, [&](std::int64_t j, std::span<const std::byte> row) {
      setup_.exact->row(j, 0, setup_.final_time, exact);
      for (std::size_t i = 0; i < exact.size(); ++i) {
        const double error = std::fabs(quoin::value_at(row, i, setup_.precision) - exact[i]);
        errors.l1 += error / nodes;
        errors.l2 += error * error / nodes;
        if (error > errors.linf || std::isnan(error)) errors.linf = error;
      }
    });
    errors.l2 = std::sqrt(errors.l2);
    return errors;
  }

  [[nodiscard]] std::vector<quoin::KernelRow> kernels() const override { return timer_->rows(); }
  [[nodiscard]] std::uint64_t launches() const override { return queue_->launches(); }
  [[nodiscard]] std::vector<std::string> history_columns() const override { return {"step", "time", "energy"}; }
  [[nodiscard]] std::vector<quoin::Figure> figures() const override {
    return {{"stages", setup_.stages}, {"step", setup_.step}};
  }

 private:
  [[nodiscard]] double time_of(std::int64_t steps) const {
    return setup_.final_time * static_cast<double>(steps) / static_cast<double>(setup_.steps);
  }

  void run_chunk(std::vector<quoin::Row>& history) {
    const std::int64_t count = std::min({chunk_, setup_.steps - done_, until_pause(done_)});
    timer_->begin(*queue_);
    for (std::int64_t k = 0; k < count; ++k) stepper_->launch(*queue_, done_ + k, k);
    timer_->end(*queue_);
    queue_->synchronize();
    const double area = setup_.grid.dx * setup_.grid.dy;
    for (const double sum : stepper_->energies(*queue_, count)) {
      energy_ = area * sum;
      ++done_;
      history.push_back({done_, time_of(done_), energy_});
    }
    chunk_ = quoin::next_chunk(count, timer_->collect(timer_->launches()), chunk_, longest_chunk);
  }

  Setup setup_;
  std::unique_ptr<quoin::Queue> queue_;
  std::unique_ptr<quoin::KernelTimer> timer_;
  std::unique_ptr<TimeStepper> stepper_;
  std::int64_t done_ = 0;
  std::int64_t chunk_ = 1;
  double energy_ = 0.0;
};

std::string shortest(double value) {
  char text[32];
  return {text, std::to_chars(text, std::end(text), value).ptr};
}

/// Nodes that are there stay. The error of euler falls with the step, so that its steps are quartered.
std::vector<Override> refine(const Case& the_case, int level) {
  if (!the_case.has("problem.exact"))
    throw the_case.error_at("problem.exact", "the case has no exact solution to compare with; give problem.exact");
  const auto finer = [level](std::int64_t nodes) { return std::to_string(((nodes + 1) << level) - 1); };
  const auto nodes = the_case.integers("problem.grid.nodes");
  const int halvings = the_case.text("method.integrator") == "euler" ? 2 * level : level;
  return {{"problem.grid.nodes", "[" + finer(nodes[0]) + ", " + finer(nodes[1]) + "]"},
          {"method.step", shortest(std::ldexp(the_case.real("method.step"), -halvings))}};
}

quoin::ExactField exact(const Case& the_case, const std::string& field, quoin::Point /*extent*/) {
  if (field != "u" || !the_case.has("problem.exact")) return nullptr;
  const auto formula =
      std::make_shared<const quoin::Expression>(the_case.expression("problem.exact", Grid(the_case).constants()));
  return [formula](double x, double y, double time) { return (*formula)(x, y, time); };
}

quoin::ProblemType type() {
  quoin::ProblemType type;
  type.name = "heat";
  type.meaning = "the heat equation on a rectangle by explicit methods";
  type.keys = keys();
  type.make = [](const Case& the_case) -> std::unique_ptr<quoin::Problem> { return std::make_unique<Heat>(the_case); };
  type.refine = refine;
  type.exact = exact;
  type.order = [](const Case&) { return 2.0; };
  type.files = [](const Case&) { return std::vector<std::string>{"u"}; };
  type.brief = [](const Case& the_case) {
    const auto nodes = the_case.integers("problem.grid.nodes");
    return quoin::Brief{std::to_string(nodes[0]) + " x " + std::to_string(nodes[1]),
                        the_case.text("method.integrator")};
  };
  type.starter = starter();
  return type;
}

}  // namespace
}  // namespace heat

QUOIN_PROBLEM(heat::type(), "heat", "1.0.0")
