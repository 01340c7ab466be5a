#include "problems/jacobi/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "base/sha256.hpp"
#include "device/precision.hpp"
#include "problems/fingerprint.hpp"
#include "problems/jacobi/closed_field.hpp"
#include "problems/jacobi/keys.hpp"
#include "problems/jacobi/stencil.hpp"
#include "problems/jacobi/true_residual.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

std::unique_ptr<Problem> make(const Case& the_case) { return std::make_unique<JacobiProblem>(the_case); }

/// Limits the launches that are queued beyond the stop: cycles of multigrid are few, and each has many launches.
std::int64_t most_iterations_ahead(const JacobiMethod& method) {
  return method.solver == JacobiSolver::multigrid ? 4 : method.max_iterations;
}

std::vector<Hint> hints() {
  const std::string steady = "did you mean 'jacobi'? It solves -u_xx - u_yy = f, which is steady";
  return {{"poisson", "did you mean 'jacobi'?"},
          {"laplace", "did you mean 'jacobi'? Its source is 0 unless given"},
          {"elliptic", steady},
          {"heat", steady},
          {"diffusion", steady}};
}

std::vector<std::string> files(const Case& the_case) {
  std::vector<std::string> names = sample_files(the_case);
  names.emplace_back("u");
  return names;
}

const RegisterProblem registered{{"jacobi",
                                  "Poisson's equation on a rectangle by Jacobi iterations",
                                  jacobi_keys(),
                                  make,
                                  JacobiProblem::refine,
                                  JacobiProblem::tuning_key,
                                  JacobiProblem::limit_iterations,
                                  JacobiProblem::exact,
                                  [](const Case&) { return 2.0; },
                                  JacobiMethod::scale_tolerances,
                                  hints(),
                                  files,
                                  {"problem.type", "problem.grid", "problem.domain"}}};

std::vector<std::byte> nodes_of(const Grid& grid, Precision precision) {
  return std::vector<std::byte>(static_cast<std::size_t>(grid.nx * grid.ny) * element_size(precision));
}

}  // namespace

JacobiProblem::JacobiProblem(const Case& the_case, std::int64_t longest_chunk)
    : setup_(the_case),
      longest_chunk_(std::min({longest_chunk, setup_.method.max_iterations, most_iterations_ahead(setup_.method)})),
      convergence_(setup_),
      samples_(sample_sets(the_case, RunsBy::iterations)) {
  const Grid& grid = setup_.grid;
  for (const SampleSet& set : samples_) {
    for (std::size_t k = 0; k < set.points.size(); ++k) {
      const auto [x, y] = set.points[k];
      if (x < grid.xmin || x > grid.xmax || y < grid.ymin || y > grid.ymax)
        throw the_case.error_at(set.key(k),
                                fmt::format("the point ({:.10g}, {:.10g}) lies outside the rectangle", x, y));
    }
  }
}

std::vector<KernelSpec> JacobiProblem::kernels_on(const Executor& executor) const {
  std::vector<KernelSpec> specs = sweeps_kernels(executor, setup_);
  specs.push_back({"residual_norm", setup_.method.precision, {}});
  return specs;
}

void JacobiProblem::check() const {
  (void)setup_.sides();
  setup_.check(setup_.source);
  if (setup_.initial) setup_.check(*setup_.initial);
  if (setup_.exact) setup_.check(*setup_.exact);
}

void JacobiProblem::set_up(std::shared_ptr<Executor> executor) {
  if (setup_.exact) setup_.check(*setup_.exact);  // now, not after hours of iterations
  sides_ = setup_.sides();
  queue_ = executor->queue();
  pass_ = pass_of(*executor, setup_);
  const auto slots = static_cast<std::size_t>(longest_chunk_);
  const auto passes = static_cast<std::size_t>((longest_chunk_ + pass_.iterations - 1) / pass_.iterations);
  timer_ = std::make_unique<KernelTimer>(*executor, passes * (pass_.launches + 1) + 1);  // norms; a pass to do again
  norm_ = std::make_unique<ResidualNorm>(executor, setup_, slots, static_cast<std::size_t>(pass_.sums), *timer_);
  sweeps_ = make_sweeps(executor, setup_, *queue_, *norm_, *timer_);
  start([this](std::int64_t j, std::span<double> row) {
    if (setup_.initial)
      setup_.initial->row(j, row);
    else
      std::ranges::fill(row, 0.0);
  });
}

void JacobiProblem::start_from(CheckpointReader& reader, const Case& theirs) {
  const Precision precision = JacobiMethod(theirs).precision;
  std::vector<std::byte> values = nodes_of(setup_.grid, precision);
  reader.get("u", values);
  start(fill_of(values, precision));
}

void JacobiProblem::start(const Field::Fill& interior) {
  if (setup_.method.stops_on_tolerance) set_tolerance(reference_of(interior));
  load(interior);
}

/// The values of a field as a checkpoint keeps them.
Field::Fill JacobiProblem::fill_of(const std::vector<std::byte>& values, Precision precision) {
  return [&values, precision](std::int64_t j, std::span<double> row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = value_at(values, static_cast<std::size_t>(j) * row.size() + i, precision);
  };
}

/// Of the residual of a field, in the precision of the run.
double JacobiProblem::norm_of(const Field::Fill& interior) {
  load(interior);
  return measured();
}

/// Of the residual of the iterate, which stays as it is.
double JacobiProblem::measured() {
  norm_->reset(*queue_);
  timer_->begin(*queue_);
  sweeps_->measure(*queue_);
  norm_->launch(*queue_, 0, iterations_ + 1, 1, 1, -1.0);
  queue_->synchronize();
  return norm_->norms(*queue_, 1).front();
}

/// The norm of the residual that relative tolerances are a share of.
double JacobiProblem::reference_of(const Field::Fill& initial) {
  if (setup_.method.relative_tolerance == 0.0) return 0.0;
  const double of_zero = norm_of([](std::int64_t /*j*/, std::span<double> row) { std::ranges::fill(row, 0.0); });
  return of_zero == 0.0 ? norm_of(initial) : of_zero;
}

/// What the tolerances come to for the norms.
void JacobiProblem::set_tolerance(double reference) {
  const JacobiMethod& method = setup_.method;
  reference_ = reference;
  double tolerance = 0.0;
  if (std::isfinite(reference)) {  // else as the norm of the first iteration will be, which tells where
    tolerance = std::max(method.tolerance, method.relative_tolerance * reference);
    require_squares(setup_, tolerance, [this] { return true_residual(setup_, *queue_, sweeps_->iterate()).largest; });
  }
  convergence_.set_tolerance(tolerance);
}

/// Sets the current iterate, its ring of side values (corners stay unused) and an unstopped device.
void JacobiProblem::load(const Field::Fill& interior) {
  const Field::Fill sides = [this](std::int64_t j, std::span<double> row) {
    if (j < 0) {
      std::ranges::copy(sides_.bottom, row.begin() + 1);
    } else if (j == setup_.grid.ny) {
      std::ranges::copy(sides_.top, row.begin() + 1);
    } else {
      row.front() = sides_.left[static_cast<std::size_t>(j)];
      row.back() = sides_.right[static_cast<std::size_t>(j)];
    }
  };
  const Field::Fill iterate = [&](std::int64_t j, std::span<double> row) {
    sides(j, row);
    if (j >= 0 && j < setup_.grid.ny) interior(j, row.subspan(1, row.size() - 2));
  };
  sweeps_->load(*queue_, sides, iterate);
  norm_->reset(*queue_);
}

/// What the newest iterations come to.
Status JacobiProblem::judged() {
  const JacobiMethod& method = setup_.method;
  if (!std::isfinite(norm_of_last_)) return Status::diverged;
  if (!method.stops_on_tolerance) return iterations_ < method.max_iterations ? Status::running : Status::completed;
  if (!convergence_.due(iterations_, norm_of_last_)) return Status::running;
  const double residual = measured();
  norm_->reset(*queue_);
  if (!std::isfinite(residual)) return Status::diverged;
  return convergence_.judge(iterations_, norm_of_last_, residual,
                            [this] { return true_residual(setup_, *queue_, sweeps_->iterate()).norm; });
}

/// In words, the middle of the nodes whose values are not finite: what one of them spoils spreads evenly around it.
std::string JacobiProblem::where_not_finite() const {
  double count = 0.0;
  double i_sum = 0.0;
  double j_sum = 0.0;
  sweeps_->iterate().download(*queue_, [&](std::int64_t j, std::span<const std::byte> row) {
    for (std::int64_t i = 0; i < setup_.grid.nx; ++i) {
      if (std::isfinite(value_at(row, static_cast<std::size_t>(i), setup_.method.precision))) continue;
      count += 1.0;
      i_sum += static_cast<double>(i);
      j_sum += static_cast<double>(j);
    }
  });
  if (count == 0.0) return {};
  const std::int64_t i = std::llround(i_sum / count);
  const std::int64_t j = std::llround(j_sum / count);
  return fmt::format(", around node ({}, {}) at x = {:.6g}, y = {:.6g}", i, j, setup_.grid.x(i), setup_.grid.y(j));
}

Progress JacobiProblem::advance() {
  Progress progress;
  if (status_ == Status::running) {
    if (iterations_ < setup_.method.max_iterations) run_chunk(progress.history);
    status_ = judged();
  }
  progress.status = status_;
  progress.iterations = iterations_;
  progress.limit = setup_.method.max_iterations;
  progress.residual = norm_of_last_;
  if (setup_.method.stops_on_tolerance) {
    progress.tolerance = convergence_.tolerance();
    if (status_ != Status::running && status_ != Status::diverged) progress.residual = convergence_.residual();
  }
  progress.message = message();
  return progress;
}

std::string JacobiProblem::message() const {
  const bool narrow = setup_.method.precision == Precision::float32;
  const char* slow = setup_.method.solver == JacobiSolver::multigrid ? "" : ", or use solver: multigrid";
  switch (status_) {
    case Status::diverged:
      return fmt::format(
          "the residual of iteration {} is not finite{}; check the size of source, boundary and initial values{}",
          iterations_, where_not_finite(), narrow ? ", or use precision: double" : "");
    case Status::not_converged:
      return fmt::format(
          "the residual is {:.3e} after {} iterations, more than the tolerance of {:.3e}; raise "
          "method.max_iterations{}",
          convergence_.residual(), iterations_, convergence_.tolerance(), slow);
    case Status::stagnated:
      return fmt::format(
          "the residual stays at {:.3e}, above the tolerance of {:.3e}: rounding in {} allows no less "
          "here; use a larger tolerance{}",
          convergence_.residual(), convergence_.tolerance(), narrow ? "float" : "double",
          narrow ? ", or precision: double" : "");
    default:
      return {};
  }
}

void JacobiProblem::run_chunk(std::vector<Row>& history) {
  const std::int64_t passes = std::max<std::int64_t>(1, chunk_ / pass_.iterations);
  const bool stops = setup_.method.stops_on_tolerance;
  const std::int64_t left = setup_.method.max_iterations - iterations_;
  std::int64_t count = std::min({passes * pass_.iterations, longest_chunk_, until_pause(iterations_),
                                 stops ? std::min(left, convergence_.until_measured(iterations_)) : left});
  for (const SampleSet& set : samples_)
    if (set.every) count = std::min(count, set.every->until(iterations_));
  const double tolerance = stops ? convergence_.on_device(iterations_) : -1.0;
  std::vector<std::size_t> launches;  // up to the end of each pass
  timer_->begin(*queue_);
  for (std::int64_t slot = 0; slot < count;) {
    const std::int64_t sweeps = std::min(pass_.iterations, count - slot);
    sweeps_->launch(*queue_, iterations_ + 1 + slot, sweeps);
    norm_->launch(*queue_, slot, iterations_ + 1 + slot, sweeps, setup_.method.check_every, tolerance);
    slot += sweeps;
    launches.push_back(timer_->launches());
  }
  timer_->end(*queue_);
  queue_->synchronize();
  const std::int64_t stopped = norm_->stopped_at(*queue_);
  const std::int64_t done = stopped > 0 ? stopped - iterations_ : count;
  if (done < 1 || done > count)
    throw Error(ErrorKind::device, "the device reports a stop at iteration " + std::to_string(stopped) +
                                       ", which it was not asked to do; its memory is not to be trusted");

  // Every iteration has its row, whether the stop rule looked at it or not. Row 0 is the residual of the initial
  // guess, which is also the one that iteration 1 used.
  const std::vector<double> norms = norm_->norms(*queue_, static_cast<std::size_t>(done));
  if (iterations_ == 0) history.push_back({0, norms.front()});
  for (const double norm : norms) history.push_back({++iterations_, norm});
  norm_of_last_ = norms.back();

  sweeps_->settle(*queue_, done);
  const auto last_pass = static_cast<std::size_t>((done - 1) / pass_.iterations);
  const double seconds = timer_->collect(launches.at(last_pass));
  chunk_ = next_chunk(done, seconds, chunk_, longest_chunk_);
}

std::vector<std::byte> JacobiProblem::interior() const {
  std::vector<std::byte> values = nodes_of(setup_.grid, setup_.method.precision);
  sweeps_->iterate().download(*queue_, [&values](std::int64_t j, std::span<const std::byte> row) {
    std::memcpy(values.data() + static_cast<std::size_t>(j) * row.size(), row.data(), row.size());
  });
  return values;
}

void JacobiProblem::write(FieldSink& sink) const {
  const std::vector<std::byte> values = ClosedField(setup_, sides_, sweeps_->iterate(), *queue_).values();
  const Grid& grid = setup_.grid;
  sink.grid({"u", grid.nx + 2, grid.ny + 2, grid.xmin, grid.ymin, grid.dx, grid.dy, setup_.method.precision, values,
             /*ring=*/1});
}

void JacobiProblem::sample(FieldSink& sink) const {
  for (const SampleSet& set : samples_)
    if (set.due(iterations_) || status_ != Status::running)
      write_samples(sink, set, {iterations_, {"iteration"}, {iterations_}}, {"u"},
                    ClosedField(setup_, sides_, sweeps_->iterate(), *queue_).at(set.points));
}

/// Of what the case's formulas come to at the nodes: another mathematical library may round them differently.
std::string JacobiProblem::formulas_sha256() const {
  if (!formulas_sha256_.empty()) return formulas_sha256_;
  Sha256 hash = setup_.source.hash();
  for (const std::vector<double>* side : {&sides_.left, &sides_.right, &sides_.bottom, &sides_.top})
    hash.add(std::as_bytes(std::span(*side)));
  return formulas_sha256_ = hash.hex();
}

void JacobiProblem::save(CheckpointWriter& writer) const {
  put_fingerprint(writer, "formulas", formulas_sha256());
  writer.put("u", interior());
  writer.put("iterations", std::as_bytes(std::span(&iterations_, 1)));
  writer.put("limit", std::as_bytes(std::span(&setup_.method.max_iterations, 1)));
  writer.put("residual", std::as_bytes(std::span(&norm_of_last_, 1)));
  writer.put("reference", std::as_bytes(std::span(&reference_, 1)));
  const Convergence::State state = convergence_.state();
  writer.put("convergence", std::as_bytes(std::span(state)));
}

void JacobiProblem::restore(CheckpointReader& reader) {
  require_fingerprint(reader, "formulas", formulas_sha256(),
                      "the formulas of the case have other values here than where the checkpoint was written, so that "
                      "the run would not go "
                      "on as it began; go on there, or start again with `quoin run --force`");
  std::vector<std::byte> values = nodes_of(setup_.grid, setup_.method.precision);
  reader.get("u", values);
  reader.get("iterations", std::as_writable_bytes(std::span(&iterations_, 1)));
  std::int64_t limit = 0;
  reader.get("limit", std::as_writable_bytes(std::span(&limit, 1)));
  if (iterations_ < 0 || iterations_ > limit)
    throw Error(ErrorKind::checkpoint,
                fmt::format("the checkpoint is of iteration {}, of {} at most", iterations_, limit));
  if (iterations_ > setup_.method.max_iterations)
    throw setup_.the_case().error_at(
        "method.max_iterations",
        fmt::format("the run has done {} iterations already, more than max_iterations, which is {}", iterations_,
                    setup_.method.max_iterations));
  reader.get("residual", std::as_writable_bytes(std::span(&norm_of_last_, 1)));
  Convergence::State state{};
  reader.get("convergence", std::as_writable_bytes(std::span(state)));
  double reference = 0.0;
  reader.get("reference", std::as_writable_bytes(std::span(&reference, 1)));
  load(fill_of(values, setup_.method.precision));
  // That of the start, which may have been another run's field.
  if (setup_.method.stops_on_tolerance && reference > 0.0) set_tolerance(reference);
  status_ = convergence_.restore(state);
  if (status_ == Status::running && iterations_ == setup_.method.max_iterations) status_ = judged();
}

std::optional<Errors> JacobiProblem::errors() const {
  if (!setup_.exact) return std::nullopt;
  const Grid& grid = setup_.grid;
  std::vector<double> exact(static_cast<std::size_t>(grid.nx));
  Errors sums;
  sweeps_->iterate().download(*queue_, [&](std::int64_t j, std::span<const std::byte> row) {
    setup_.exact->row(j, exact);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double error = std::fabs(value_at(row, i, setup_.method.precision) - exact[i]);
      sums.l1 += error;
      sums.l2 += error * error;
      if (error > sums.linf || std::isnan(error)) sums.linf = error;
    }
  });
  const double share = grid.dx * grid.dy / ((grid.xmax - grid.xmin) * (grid.ymax - grid.ymin));
  return Errors{sums.l1 * share, std::sqrt(sums.l2 * share), sums.linf};
}

Estimate JacobiProblem::estimate() const {
  const auto points = static_cast<double>(setup_.grid.nx + 2) * static_cast<double>(setup_.grid.ny + 2);
  const double field = points * static_cast<double>(element_size(setup_.method.precision));
  constexpr double staging = 4.0 * 1024 * 1024;  // rows on their way to and from the device
  constexpr double small_buffers = 16384.0;      // norms, control and weights
  constexpr double history_row = 36.0;           // bytes at most in the file
  constexpr double history_kept = 48.0;          // bytes of a row in a vector that grows
  constexpr double other_files = 64e3;           // summary, log, case
  Estimate estimate;
  const double sides = 2.0 * static_cast<double>(setup_.grid.nx + setup_.grid.ny) * sizeof(double);
  estimate.host = sides + std::min(field, staging);
  if (!setup_.method.stops_on_tolerance)  // else nobody knows how many there will be
    estimate.host += history_kept * std::min(static_cast<double>(setup_.method.max_iterations), 1e6);
  estimate.temporary = field;  // one whole copy, when the result is written
  estimate.device = sweeps_bytes(setup_) + small_buffers;
  estimate.disk = other_files;
  if (setup_.the_case().boolean("output.fields.write")) estimate.disk += field;
  if (setup_.the_case().boolean("output.history"))
    estimate.disk += history_row * static_cast<double>(setup_.method.max_iterations);
  estimate.checkpoint = other_files + field;
  return estimate;
}

std::vector<KernelRow> JacobiProblem::kernels() const {
  std::vector<KernelRow> rows = timer_->rows();
  std::erase_if(rows, [](const KernelRow& row) { return row.calls == 0; });  // what only measures
  return rows;
}

/// The norm that ends the run, where one does, and how far the field may be from that of no residual: the error is the
/// inverse of the operator times the residual.
std::vector<Figure> JacobiProblem::figures() const {
  if (!setup_.method.stops_on_tolerance) return {};
  std::vector<Figure> figures{{"tolerance", convergence_.tolerance()}};
  if (setup_.exact && status_ != Status::running && status_ != Status::diverged) {
    const Grid& grid = setup_.grid;
    const double least = Stencil(grid.dx, grid.dy).spectrum(grid.nx, grid.ny).least;
    const double area = (grid.xmax - grid.xmin) * (grid.ymax - grid.ymin);
    figures.push_back({"algebraic_error", convergence_.residual() * setup_.norm_divisor() / (least * std::sqrt(area))});
  }
  return figures;
}

std::vector<Override> JacobiProblem::refine(const Case& the_case, int level) {
  if (!the_case.has("problem.exact"))
    throw the_case.error_at("problem.exact", "the case has no exact solution to compare with; give problem.exact");
  // Halving keeps the nodes that are there.
  const auto finer = [level](std::int64_t nodes) { return ((nodes + 1) << level) - 1; };
  const auto nodes = the_case.integers("problem.grid.nodes");
  return {{"problem.grid.nodes", "[" + std::to_string(finer(nodes[0])) + ", " + std::to_string(finer(nodes[1])) + "]"}};
}

/// The passes of several sweeps are what backends have settings for.
std::string JacobiProblem::tuning_key(const Case& the_case) {
  const std::string& variant = the_case.text("method.variant");
  if (variant == "classic" || variant == "fused") return {};
  const auto nodes = the_case.integers("problem.grid.nodes");
  return std::to_string(nodes[0]) + " x " + std::to_string(nodes[1]) + " nodes in " + the_case.text("method.precision");
}

std::vector<Override> JacobiProblem::limit_iterations(std::int64_t iterations) {
  return {{"method.stop", "iterations"}, {"method.max_iterations", std::to_string(iterations)}};
}

/// The domain is the case's own, and so is its extent.
ExactField JacobiProblem::exact(const Case& the_case, const std::string& field, Point /*extent*/) {
  if (field != "u" || !the_case.has("problem.exact")) return nullptr;
  const auto formula =
      std::make_shared<const Expression>(the_case.expression("problem.exact", Grid(the_case).constants()));
  return [formula](double x, double y, double /*time*/) { return (*formula)(x, y); };
}

}  // namespace quoin
