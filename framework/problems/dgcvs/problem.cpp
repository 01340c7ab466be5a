#include "problems/dgcvs/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/sha256.hpp"
#include "device/precision.hpp"
#include "problems/checkpoint_values.hpp"
#include "problems/dgcvs/initial.hpp"
#include "problems/dgcvs/keys.hpp"
#include "problems/dgcvs/needs.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/error.hpp"
#include "quoin/log.hpp"

namespace quoin {
namespace {

/// Says whether two meshes are the same, as the coefficients know them.
std::string mesh_sha256(const LevelArrays& cells) {
  Sha256 hash;
  hash.add(std::as_bytes(std::span(cells.geometry)));
  hash.add(std::as_bytes(std::span(cells.neighbour)));
  return hash.hex();
}

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

std::vector<std::string> start_keys() {
  return {"problem.type",       "problem.equation.type", "problem.mesh.type",   "problem.mesh.cells",
          "problem.mesh.shape", "problem.mesh.perturb",  "problem.mesh.refine", "problem.domain",
          "method.order",       "method.entities"};
}

const RegisterProblem registered{{"dg-cvs",
                                  "conservation laws by the space-time discontinuous Galerkin cell-vertex scheme",
                                  dgcvs_keys(), make, DgProblem::refine, nullptr, nullptr, DgProblem::exact,
                                  [](const Case& c) { return static_cast<double>(c.integer("method.order") + 1); },
                                  nullptr, hints(), files, start_keys()}};

}  // namespace

DgProblem::DgProblem(const Case& the_case, std::int64_t longest_chunk)
    : setup_(the_case), longest_chunk_(longest_chunk), points_(setup_) {}

void DgProblem::check() const {
  const Prospect prospect = setup_.prospect();
  const Pace pace = setup_.first_pace(prospect);
  const bool kept = setup_.law.law() == Law::advection || setup_.method.time_step;
  log().info("{}{} time steps of {:.6g}, where up to {:.6g} is stable", kept ? "" : "at least ", pace.last, pace.dt,
             setup_.method.stable_cfl * prospect.unit_step / prospect.speed);
}

void DgProblem::set_up(std::shared_ptr<Executor> executor) {
  prospect_ = setup_.prospect();
  take_first_pace();
  queue_ = executor->queue();
  executor_ = std::move(executor);
  sums_ = Buffer<std::byte>(executor_, 2 * static_cast<std::size_t>(longest_chunk_ + 1) * sizeof(double));
  make_levels();
  if (!starts_from_fields(setup_.the_case())) start_by({});
}

void DgProblem::take_first_pace() {
  pace_ = setup_.first_pace(prospect_);
  speed_ = prospect_.speed;
  warn_of_step();
}

/// By the formula of the case, or by coefficients of another run.
void DgProblem::start_by(const std::vector<double>& kept) {
  cells_->set_coefficients(*queue_, in_precision(initial_coefficients(setup_, cells_->arrays(), pace_.dt / 2, kept),
                                                 setup_.method.precision));
}

void DgProblem::check_start(CheckpointReader& reader, const Case& /*theirs*/) const {
  require_mesh_of(reader, LevelArrays(setup_, EntityKind::cells));
}

void DgProblem::require_mesh_of(CheckpointReader& reader, const LevelArrays& cells) const {
  try {
    require_fingerprint(reader, "mesh", mesh_sha256(cells), "the other run has another mesh, or other periodic sides");
  } catch (const Error& error) {
    throw setup_.the_case().error_at("problem.initial.from", error.what());
  }
}

void DgProblem::start_from(CheckpointReader& reader, const Case& theirs) {
  require_mesh_of(reader, cells_->arrays());
  const Lanes& lanes = cells_->lanes();
  const Precision precision = DgMethod(theirs).precision;
  std::vector<std::byte> raw(static_cast<std::size_t>(setup_.unknowns() * lanes.stride) * element_size(precision));
  reader.get("cells", raw);
  const Solution kept(setup_, EntityKind::cells, lanes, from_precision(raw, precision), 0, 0.0, pace_.dt / 2);
  prospect_ = setup_.prospect([&](std::int64_t cell, Point point) {
    const State state = kept.sample(cell, point);
    if (const std::string objection = setup_.law.objection(state); !objection.empty())
      throw setup_.the_case().error_at("problem.initial.from", objection + " at " + describe(point));
    return state;
  });
  take_first_pace();
  if (setup_.method.solver == Solver::matrices) make_levels();
  start_by(from_precision(raw, precision));
}

/// For time steps of this pace: shared matrices know them.
void DgProblem::make_levels() {
  // Two levels, inside and boundary, updated and limited; one level is looked at.
  const std::size_t launches_per_step = 2 * (2 * setup_.method.most_launches() + 1) + 4;
  timer_ = std::make_unique<KernelTimer>(*executor_, launches_per_step * static_cast<std::size_t>(longest_chunk_ + 1));
  cells_ = std::make_unique<DeviceLevel>(executor_, setup_, EntityKind::cells, pace_.dt / 2, *queue_, *timer_);
  vertices_ = std::make_unique<DeviceLevel>(executor_, setup_, EntityKind::vertices, pace_.dt / 2, *queue_, *timer_);
}

/// To the final time, or to the case's limit.
std::int64_t DgProblem::last_step() const { return std::min(pace_.last, setup_.method.max_steps.value_or(pace_.last)); }

bool DgProblem::row_after(std::int64_t step) const { return step % setup_.method.history_every == 0; }

/// A solution that grows without bound is found within ten steps, however rare the rows are.
bool DgProblem::look_after(std::int64_t step) const { return row_after(step) || step % 10 == 0 || step == last_step(); }

bool DgProblem::frame_after(std::int64_t step) const {
  const std::optional<Every>& frames = setup_.method.frames;
  return frames && (step == 0 || frames->reached(step, pace_.time(step - 1), pace_.time(step)));
}

/// Whether anything is to be written then.
bool DgProblem::pause_after(std::int64_t step) const {
  return frame_after(step) || points_.due(step, pace_.time(step - 1), pace_.time(step));
}

/// Often at first, for what jumps at the start speeds up at once. The same steps in every run, so that chunks change
/// no bit. A scalar law is not looked at: its values stay between those of the start and the sides, which are known.
bool DgProblem::flow_after(std::int64_t step) const {
  constexpr std::int64_t every = 16;
  return setup_.law.law() == Law::shallow_water &&
         (step % every == 0 || std::has_single_bit(static_cast<std::uint64_t>(step)) || step == last_step());
}

std::int64_t DgProblem::steps_to_launch(std::int64_t until) const {
  std::int64_t count = 1;
  while (count < until - steps_ && !pause_after(steps_ + count) && !flow_after(steps_ + count)) ++count;
  return count;
}

double DgProblem::stable_step() const { return setup_.method.stable_cfl * prospect_.unit_step / speed_; }

/// Takes shorter steps from here on where waves have become too fast for these.
void DgProblem::renew_pace() {
  constexpr double margin = 1.05;  // what a speed gains by rounding and ripples is no reason
  const double longest = setup_.method.longest_step(prospect_.unit_step, speed_);
  if (pace_.dt <= margin * longest) return;
  const Pace next = Pace::within(steps_, time(), setup_.method.final_time, longest);
  for (DeviceLevel* level : {cells_.get(), vertices_.get()}) level->stretch_time(*queue_, next.dt / pace_.dt);
  log().debug("time steps of {:.6g} from step {} on, for waves of speed {:.6g}", next.dt, steps_, speed_);
  pace_ = next;
  prepared_to_ = steps_;
}

void DgProblem::look_at_flow() {
  const FlowLook look = quoin::look_at_flow(setup_, cells_->lanes(), cells_->at_centres(*queue_));
  constexpr double run_away = 100.0;
  if (!look.objection.empty() || !(look.speed <= run_away * prospect_.speed)) {
    grown_at_ = steps_;
    flow_gone_ = look;
    return;
  }
  speed_ = look.speed;
  warn_of_step();
}

/// Once, where the user's own step is too long.
void DgProblem::warn_of_step() {
  const double stable = stable_step();
  if (warned_ || !setup_.method.time_step || pace_.dt <= stable * (1 + 1e-12)) return;
  warned_ = true;
  log().warn(
      "the time step is {:.6g} at step {}, and up to {:.6g} is stable for certain: give a smaller "
      "method.time_step, or method.cfl in its place",
      pace_.dt, steps_, stable);
}

std::string DgProblem::diverged_message() const {
  const DgMethod& method = setup_.method;
  const Solution cells = solution(EntityKind::cells);
  const Worst worst = flow_gone_ ? cells.worst_of(flow_gone_->cell) : cells.worst();
  const auto cell = static_cast<std::size_t>(worst.cell);
  const std::string place = fmt::format("in cell {} at {}, where {} is {:.6g}", setup_.staggered.cells.origin[cell],
                                        describe(setup_.staggered.cells.centre[cell]), worst.variable, worst.value);
  std::string message;
  if (!flow_gone_)
    message = fmt::format("the solution has grown without bound at step {}, most {}", *grown_at_, place);
  else if (!flow_gone_->objection.empty())
    message = fmt::format("{}: at step {} {}", flow_gone_->objection, *grown_at_, place);
  else
    message = fmt::format("waves have sped up from {:.6g} to {:.6g} at step {} {}", prospect_.speed, flow_gone_->speed,
                          *grown_at_, place);
  const double stable = stable_step();
  if (method.time_step ? pace_.dt > stable * (1 + 1e-6) : method.cfl > method.stable_cfl) {
    const std::string given =
        method.time_step ? fmt::format("method.time_step is {}", *method.time_step)
                         : fmt::format("method.cfl is {}, and {} would be stable", method.cfl, method.stable_cfl);
    return message + fmt::format("; {}: the time step is {:.6g}, the stable one {:.6g}", given, pace_.dt, stable);
  }
  const bool limiter = setup_.law.law() != Law::advection && setup_.limiter != Limiter::always && method.order > 0;
  return message + fmt::format(
                       "; the time step is {:.6g}, the stable one {:.6g}: use {}a smaller {}{}, or check the "
                       "data",
                       pace_.dt, stable, limiter ? "method.limiter: always, " : "",
                       method.time_step ? "method.time_step" : "method.cfl",
                       method.precision == Precision::float32 ? ", precision: double" : "");
}

Progress DgProblem::advance() {
  Progress progress;
  const std::int64_t until = steps_ + std::min({chunk_, last_step() - steps_, until_pause(steps_)});
  const std::int64_t before = steps_;
  const double seconds_before = update_seconds_;
  while (steps_ < until && !grown_at_ && (steps_ == before || !pause_after(steps_))) run_chunk(until, progress.history);
  if (steps_ > before) chunk_ = next_chunk(steps_ - before, update_seconds_ - seconds_before, chunk_, longest_chunk_);
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
  if (steps_ == last_step() && !row_after(steps_) && !grown_at_) progress.closing.push_back(row_of(steps_));
  if (grown_at_) {
    progress.status = Status::diverged;
    progress.message = diverged_message();
  }
  return progress;
}

/// The states outside of as many steps as there is room for: making them costs about as much for few.
void DgProblem::prepare(std::int64_t until) {
  const std::int64_t count = std::min({until - steps_, cells_->most_steps(), vertices_->most_steps()});
  cells_->prepare(*queue_, steps_, count, pace_);
  vertices_->prepare(*queue_, steps_, count, pace_);
  prepared_to_ = steps_ + count;
}

void DgProblem::run_chunk(std::int64_t until, std::vector<Row>& history) {
  if (steps_ > 0 && flow_after(steps_)) renew_pace();
  if (prepared_to_ <= steps_) prepare(until);
  const std::int64_t count = steps_to_launch(std::min(until, prepared_to_));
  std::vector<std::int64_t> rows;
  const auto look = [&](std::int64_t step) {
    cells_->observe(*queue_, sums_, static_cast<std::int64_t>(rows.size()));
    rows.push_back(step);
  };
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
  update_seconds_ += timer_->collect(updates + rows.size() * cells_->observe_launches());
  if (!grown_at_ && flow_after(steps_)) look_at_flow();
}

void DgProblem::add_row(std::vector<Row>& history, std::int64_t step, double mass, double square) {
  mass_ = mass;
  norm_ = std::sqrt(square);
  if (!first_mass_) first_mass_ = mass_;
  constexpr double blown_up = 1000.0;
  if (!std::isfinite(norm_) || !std::isfinite(mass_) || norm_ > blown_up * prospect_.norm) grown_at_ = step;
  drift_ = std::max(drift_, std::abs(mass_ - *first_mass_));
  if (row_after(step) || grown_at_) history.push_back(row_of(step));
}

Row DgProblem::row_of(std::int64_t step) const { return {step, pace_.time(step), mass_, norm_}; }

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
  const double before = steps_ > 0 && steps_ == pace_.from ? before_ : pace_.time(steps_ - 1);
  points_.write(sink, *cells_, *queue_, steps_, before, time(), steps_ == last_step());
}

bool DgProblem::finite() const {
  const auto all = [&](const DeviceLevel& level) {
    const std::vector<double> values = from_precision(level.coefficients(*queue_), setup_.method.precision);
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
  };
  return all(*cells_) && all(*vertices_);
}

void DgProblem::save(CheckpointWriter& writer) const {
  put_fingerprint(writer, "mesh", mesh_sha256(cells_->arrays()));
  writer.put("cells", cells_->coefficients(*queue_));
  writer.put("vertices", vertices_->coefficients(*queue_));
  const std::array<double, 4> observed{first_mass_.value_or(0.0), mass_, norm_, drift_};
  writer.put("observed", std::as_bytes(std::span(observed)));
  writer.put("steps", std::as_bytes(std::span(&steps_, 1)));
  writer.put("prospect", std::as_bytes(std::span(&prospect_, 1)));
  writer.put("pace", std::as_bytes(std::span(&pace_, 1)));
  writer.put("speed", std::as_bytes(std::span(&speed_, 1)));
  writer.put("final time", std::as_bytes(std::span(&setup_.method.final_time, 1)));
}

/// From the time that is reached to a final time that is another than the run had before.
Pace DgProblem::pace_to_go_on() const {
  const double end = setup_.method.final_time;
  const double rest = end - time();
  const double rounding = 1e-12 * end;
  if (rest < -rounding)
    throw setup_.the_case().error_at("method.final_time",
                                     fmt::format("the run has reached t = {:.6g} already", time()));
  if (rest <= rounding) return {pace_.from, steps_, pace_.start, pace_.dt};
  return Pace::within(steps_, time(), end,
                      setup_.method.longest_step(prospect_.unit_step, std::max(speed_, prospect_.speed)));
}

void DgProblem::restore(CheckpointReader& reader) {
  require_fingerprint(reader, "mesh", mesh_sha256(cells_->arrays()),
                      "the checkpoint is of another mesh than the case's; was the mesh file changed?");
  const double dt = pace_.dt;
  double final_time = 0.0;
  reader.get("steps", std::as_writable_bytes(std::span(&steps_, 1)));
  reader.get("prospect", std::as_writable_bytes(std::span(&prospect_, 1)));
  reader.get("pace", std::as_writable_bytes(std::span(&pace_, 1)));
  reader.get("speed", std::as_writable_bytes(std::span(&speed_, 1)));
  reader.get("final time", std::as_writable_bytes(std::span(&final_time, 1)));
  const Pace kept = pace_;
  if (!(kept.from >= 0 && kept.from <= steps_ && steps_ <= kept.last && kept.dt > 0.0 && speed_ >= 0.0 &&
        std::abs(kept.time(kept.last) - final_time) <= 1e-9 * final_time))
    throw Error(ErrorKind::checkpoint, "the checkpoint's time steps are not those of a run to its final time");
  before_ = kept.time(steps_ - 1);
  if (final_time != setup_.method.final_time) pace_ = pace_to_go_on();
  if (steps_ > last_step())
    throw setup_.the_case().error_at("method.max_steps", fmt::format("the run has done {} steps already", steps_));
  if (pace_.dt != dt && setup_.method.solver == Solver::matrices) make_levels();
  for (DeviceLevel* level : {cells_.get(), vertices_.get()}) {
    std::vector<std::byte> raw = level->coefficients(*queue_);
    reader.get(level == cells_.get() ? "cells" : "vertices", raw);
    level->set_coefficients(*queue_, raw);
    if (pace_.dt != kept.dt) level->stretch_time(*queue_, pace_.dt / kept.dt);
  }
  std::array<double, 4> observed{};
  reader.get("observed", std::as_writable_bytes(std::span(observed)));
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
    frames += 1 + std::floor(static_cast<double>(setup_.first_pace(setup_.prospect()).last) /
                             static_cast<double>(every->count()));
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
