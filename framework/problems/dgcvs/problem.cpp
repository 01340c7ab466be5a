#include "problems/dgcvs/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/sha256.hpp"
#include "problems/dgcvs/initial.hpp"
#include "problems/dgcvs/keys.hpp"
#include "problems/dgcvs/needs.hpp"
#include "problems/fingerprint.hpp"
#include "problems/precision.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

std::unique_ptr<Problem> make(const Case& the_case) { return std::make_unique<DgProblem>(the_case); }

std::vector<Hint> hints() {
  std::vector<Hint> answers{{"dg", "did you mean 'dg-cvs'?"}};
  const auto law = [&](const char* name, const std::string& ours) {
    answers.push_back({name, "that is an equation of dg-cvs: write type: dg-cvs and equation: " + ours});
  };
  law("advection", "advection");
  law("transport", "advection");
  law("burgers", "burgers");
  law("shallow_water", "shallow_water");
  law("swe", "shallow_water");
  return answers;
}

std::vector<std::string> files(const Case& the_case) {
  std::vector<std::string> names = sample_files(the_case);
  names.insert(names.end(), {"cells", "vertices"});
  return names;
}

const RegisterProblem registered{
    {"dg-cvs", "conservation laws by the space-time discontinuous Galerkin cell-vertex scheme", dgcvs_keys(), make,
     DgProblem::refine, nullptr, nullptr, DgProblem::exact,
     [](const Case& c) { return static_cast<double>(c.integer("method.order") + 1); }, nullptr, hints(), files}};

}  // namespace

DgProblem::DgProblem(const Case& the_case, std::int64_t longest_chunk)
    : setup_(the_case), longest_chunk_(longest_chunk), points_(setup_) {}

void DgProblem::check() const { (void)setup_.first_pace(setup_.prospect()); }

void DgProblem::set_up(std::shared_ptr<Executor> executor) {
  prospect_ = setup_.prospect();
  pace_ = setup_.first_pace(prospect_);
  queue_ = executor->queue();
  // Two levels, inside and boundary, updated and limited; one level is looked at.
  const std::size_t launches_per_step = 2 * (2 * setup_.method.most_launches() + 1) + 4;
  timer_ = std::make_unique<KernelTimer>(*executor, launches_per_step * static_cast<std::size_t>(longest_chunk_ + 1));
  cells_ = std::make_unique<DeviceLevel>(executor, setup_, EntityKind::cells, pace_.dt / 2, *queue_, *timer_);
  vertices_ = std::make_unique<DeviceLevel>(executor, setup_, EntityKind::vertices, pace_.dt / 2, *queue_, *timer_);
  sums_ = Buffer<std::byte>(executor, 2 * static_cast<std::size_t>(longest_chunk_ + 1) * sizeof(double));
  cells_->set_coefficients(
      *queue_, in_precision(initial_coefficients(setup_, cells_->arrays(), pace_.dt / 2), setup_.method.precision));
}

/// To the final time, or to the case's limit.
std::int64_t DgProblem::last_step() const { return std::min(pace_.last, setup_.method.max_steps.value_or(pace_.last)); }

bool DgProblem::row_after(std::int64_t step) const {
  return step % setup_.method.history_every == 0 || step == last_step();
}

/// A solution that grows without bound is found within ten steps, however rare the rows are.
bool DgProblem::look_after(std::int64_t step) const { return row_after(step) || step % 10 == 0; }

bool DgProblem::frame_after(std::int64_t step) const {
  const std::optional<Every>& frames = setup_.method.frames;
  return frames && (step == 0 || frames->reached(step, pace_.time(step - 1), pace_.time(step)));
}

/// Whether anything is to be written then.
bool DgProblem::pause_after(std::int64_t step) const {
  return frame_after(step) || points_.due(step, pace_.time(step - 1), pace_.time(step));
}

std::int64_t DgProblem::steps_to_launch() const {
  const std::int64_t most =
      std::min({chunk_, last_step() - steps_, cells_->most_steps(), vertices_->most_steps(), until_pause(steps_)});
  std::int64_t count = 1;
  while (count < most && !pause_after(steps_ + count)) ++count;
  return count;
}

/// In the middle of those whose solution is not finite; where all are, that with the largest one.
std::int64_t DgProblem::worst_cell() const {
  const std::vector<double> values = from_precision(cells_->coefficients(*queue_), setup_.method.precision);
  const Entities& cells = setup_.staggered.cells;
  const auto at = [&](std::int64_t unknown, std::int64_t cell) {
    return std::abs(values[static_cast<std::size_t>(unknown * cells_->lanes().stride + cells_->lanes().of(cell))]);
  };
  std::vector<std::int64_t> spoilt;
  std::int64_t largest = 0;
  double most = 0.0;
  Point middle{0, 0};
  for (std::int64_t cell = 0; cell < cells.count(); ++cell) {
    double own = 0.0;
    for (std::int64_t k = 0; k < setup_.unknowns(); ++k)
      own = std::max(own, std::isfinite(at(k, cell)) ? at(k, cell) : INFINITY);
    if (own > most) largest = cell;
    most = std::max(most, own);
    if (std::isfinite(own)) continue;
    spoilt.push_back(cell);
    middle.x += cells.centre[static_cast<std::size_t>(cell)].x;
    middle.y += cells.centre[static_cast<std::size_t>(cell)].y;
  }
  const auto count = static_cast<double>(spoilt.size());
  const auto distance = [&](std::int64_t cell) {
    const Point& centre = cells.centre[static_cast<std::size_t>(cell)];
    return std::hypot(centre.x - middle.x / count, centre.y - middle.y / count);
  };
  return spoilt.empty() ? largest : *std::ranges::min_element(spoilt, {}, distance);
}

Progress DgProblem::advance() {
  Progress progress;
  if (steps_ < last_step()) run_chunk(progress.history);
  progress.iterations = steps_;
  progress.limit = last_step();
  progress.time = time();
  progress.final_time = setup_.method.final_time;
  progress.frame = frame_after(steps_);
  progress.status = Status::running;
  if (steps_ == last_step()) progress.status = steps_ == pace_.last ? Status::completed : Status::max_steps;
  if (progress.status == Status::max_steps)
    progress.message = fmt::format("method.max_steps ended the run at step {}, t = {:.6g}, before final_time {:.6g}",
                                   steps_, time(), setup_.method.final_time);
  if (grown_at_) {
    progress.status = Status::diverged;
    const double stable = setup_.method.stable_cfl;
    const auto cell = static_cast<std::size_t>(worst_cell());
    progress.message =
        fmt::format("the solution has grown without bound at step {}, most in cell {} at {}; ", *grown_at_,
                    setup_.staggered.cells.origin[cell], describe(setup_.staggered.cells.centre[cell]));
    if (setup_.method.cfl > stable)
      progress.message += fmt::format("method.cfl is {}, and {} would be stable: time steps of {:.6g}",
                                      setup_.method.cfl, stable, pace_.dt * stable / setup_.method.cfl);
    else
      progress.message += setup_.method.precision == Precision::float32
                              ? "use a smaller method.cfl or precision: double, or check the data"
                              : "use a smaller method.cfl, or check the data";
  }
  return progress;
}

void DgProblem::run_chunk(std::vector<Row>& history) {
  const std::int64_t count = steps_to_launch();
  std::vector<std::int64_t> rows;
  const auto look = [&](std::int64_t step) {
    cells_->observe(*queue_, sums_, static_cast<std::int64_t>(rows.size()));
    rows.push_back(step);
  };
  cells_->prepare(*queue_, steps_, count, pace_);
  vertices_->prepare(*queue_, steps_, count, pace_);
  timer_->begin(*queue_);
  if (steps_ == 0) look(0);
  for (std::int64_t step = steps_; step < steps_ + count; ++step) {
    vertices_->update(*queue_, *cells_, step, pace_.dt / 2, step == 0);
    cells_->update(*queue_, *vertices_, step, pace_.dt / 2, false);
    if (look_after(step + 1)) look(step + 1);
  }
  timer_->end(*queue_);
  queue_->synchronize();
  std::vector<std::byte> raw(2 * rows.size() * element_size(setup_.method.precision));
  sums_.download(*queue_, raw);
  const std::vector<double> sums = from_precision(raw, setup_.method.precision);
  for (std::size_t k = 0; k < rows.size() && !grown_at_; ++k) add_row(history, rows[k], sums[2 * k], sums[2 * k + 1]);
  steps_ += count;

  const std::size_t updates =
      static_cast<std::size_t>(count) * (cells_->update_launches() + vertices_->update_launches());
  const double seconds = timer_->collect(updates + rows.size() * cells_->observe_launches());
  update_seconds_ += seconds;
  chunk_ = next_chunk(count, seconds, chunk_, longest_chunk_);
}

void DgProblem::add_row(std::vector<Row>& history, std::int64_t step, double mass, double square) {
  mass_ = mass;
  norm_ = std::sqrt(square);
  if (!first_mass_) first_mass_ = mass_;
  constexpr double blown_up = 1000.0;
  if (!std::isfinite(norm_) || !std::isfinite(mass_) || norm_ > blown_up * prospect_.norm) grown_at_ = step;
  drift_ = std::max(drift_, std::abs(mass_ - *first_mass_));
  if (row_after(step) || grown_at_) history.push_back({step, pace_.time(step), mass_, norm_});
}

Solution DgProblem::solution(EntityKind kind) const {
  const DeviceLevel& level = kind == EntityKind::cells ? *cells_ : *vertices_;
  const double at = kind == EntityKind::cells ? time() : time() - pace_.dt / 2;
  return {setup_, kind, level.lanes(), from_precision(level.coefficients(*queue_), setup_.method.precision),
          steps_, at,   pace_.dt / 2};
}

void DgProblem::write(FieldSink& sink) const {
  const std::string& level = setup_.the_case().text("output.fields.level");
  if (level != "vertices") sink.elements(solution(EntityKind::cells).elements());
  if (level != "cells" && steps_ > 0) sink.elements(solution(EntityKind::vertices).elements());
}

void DgProblem::sample(FieldSink& sink) const {
  points_.write(sink, *cells_, *queue_, steps_, pace_.time(steps_ - 1), time(), steps_ == last_step());
}

/// Says whether two meshes are the same, as the coefficients know them.
std::string DgProblem::mesh_sha256() const {
  Sha256 hash;
  hash.add(std::as_bytes(std::span(cells_->arrays().geometry)));
  hash.add(std::as_bytes(std::span(cells_->arrays().neighbour)));
  return hash.hex();
}

bool DgProblem::finite() const {
  const auto all = [&](const DeviceLevel& level) {
    const std::vector<double> values = from_precision(level.coefficients(*queue_), setup_.method.precision);
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
  };
  return all(*cells_) && all(*vertices_);
}

void DgProblem::save(CheckpointWriter& writer) const {
  put_fingerprint(writer, "mesh", mesh_sha256());
  writer.put("cells", cells_->coefficients(*queue_));
  writer.put("vertices", vertices_->coefficients(*queue_));
  const std::array<double, 4> observed{first_mass_.value_or(0.0), mass_, norm_, drift_};
  writer.put("observed", std::as_bytes(std::span(observed)));
  writer.put("steps", std::as_bytes(std::span(&steps_, 1)));
}

void DgProblem::restore(CheckpointReader& reader) {
  require_fingerprint(reader, "mesh", mesh_sha256(),
                      "the checkpoint is of another mesh than the case's; was the mesh file changed?");
  for (DeviceLevel* level : {cells_.get(), vertices_.get()}) {
    std::vector<std::byte> raw = level->coefficients(*queue_);
    reader.get(level == cells_.get() ? "cells" : "vertices", raw);
    level->set_coefficients(*queue_, raw);
  }
  std::array<double, 4> observed{};
  reader.get("observed", std::as_writable_bytes(std::span(observed)));
  reader.get("steps", std::as_writable_bytes(std::span(&steps_, 1)));
  if (steps_ < 0 || steps_ > last_step())
    throw Error(ErrorKind::checkpoint, fmt::format("the checkpoint is of step {}, of {} at most", steps_, last_step()));
  first_mass_ = observed[0];
  mass_ = observed[1];
  norm_ = observed[2];
  drift_ = observed[3];
}

std::optional<Errors> DgProblem::errors() const {
  if (!setup_.exact()) return std::nullopt;
  return solution(EntityKind::cells).errors();
}

std::vector<Figure> DgProblem::figures() const {
  const auto entities = static_cast<double>(setup_.staggered.cells.count() + setup_.staggered.vertices.count());
  const double updates = entities * static_cast<double>(steps_);
  return {{"steps", steps_},
          {"time_step", pace_.dt},
          {"mass.start", first_mass_.value_or(0.0)},
          {"mass.end", mass_},
          {"mass.drift", drift_},
          {"entities.cells", setup_.staggered.cells.count()},
          {"entities.vertices", setup_.staggered.vertices.count()},
          {"entity_updates_per_second", update_seconds_ > 0.0 ? updates / update_seconds_ : 0.0}};
}

Estimate DgProblem::estimate() const {
  MeshSize size = size_of(setup_.mesh);
  const Entities& vertices = setup_.staggered.vertices;
  for (std::int64_t v = 0; v < vertices.count(); ++v)  // where sides are joined there are more around one than before
    size.around = std::max(size.around, static_cast<double>(vertices.quads_of(v).size()));
  const bool changing = std::ranges::any_of(setup_.sides, &SideCondition::uses_time);
  const std::optional<Every>& every = setup_.method.frames;
  double frames = 1;
  if (every && every->count() > 0)
    frames += 1 + static_cast<double>(setup_.first_pace(setup_.prospect()).last / every->count());
  else if (every)
    frames += 1 + setup_.method.final_time / every->time();
  return needs_of(setup_.the_case(), setup_.law, setup_.method, size, changing, frames);
}

/// A generated mesh gets twice the cells a level, one from a file is refined.
std::vector<Override> DgProblem::refine(const Case& the_case, int level) {
  if (!ExactSolution::given(the_case))
    throw the_case.error_at("problem.type", "the case has no exact solution to compare with; give problem.exact");
  if (the_case.text("problem.mesh.type") == "gmsh")
    return {{"problem.mesh.refine", std::to_string(the_case.integer("problem.mesh.refine") + level)}};
  const auto cells = the_case.integers("problem.mesh.cells");
  const auto times = [&](std::int64_t n) { return std::to_string(n << static_cast<unsigned>(level)); };
  return {{"problem.mesh.cells", "[" + times(cells[0]) + ", " + times(cells[1]) + "]"}};
}

ExactField DgProblem::exact(const Case& the_case, const std::string& field, Point extent) {
  if (!ExactSolution::given(the_case)) return nullptr;
  struct Kept {  // what points into the case and the law, with them
    explicit Kept(const Case& given, Point size)
        : own(given), law(own), solution(own, law, formula_constants(own, size)) {}
    Case own;
    HostLaw law;
    ExactSolution solution;
  };
  const auto kept = std::make_shared<const Kept>(the_case, extent);
  const auto& variables = kept->law.variables();
  const auto found = std::ranges::find(variables, field);
  if (found == variables.end()) return nullptr;
  return [kept, v = static_cast<std::size_t>(found - variables.begin())](double x, double y, double time) {
    return kept->solution.at({x, y}, time)[v];
  };
}

}  // namespace quoin
