#include "problems/dgcvs/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "problems/dgcvs/loop/start.hpp"
#include "problems/dgcvs/output/checkpoint.hpp"
#include "problems/dgcvs/output/divergence.hpp"
#include "problems/dgcvs/output/figures.hpp"
#include "problems/dgcvs/setup/keys.hpp"
#include "problems/dgcvs/setup/needs.hpp"
#include "problems/dgcvs/setup/refinement.hpp"
#include "quoin/log.hpp"

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

Brief brief(const Case& the_case) {
  const std::string method =
      fmt::format("order {}, {}", the_case.integer("method.order"), the_case.text("method.solver"));
  if (the_case.has("problem.mesh.file"))
    return {std::filesystem::path(the_case.text("problem.mesh.file")).filename().string(), method};
  return {fmt::format("{}", fmt::join(the_case.integers("problem.mesh.cells"), " x ")), method};
}

std::vector<std::string> start_keys() {
  return {"problem.type",       "problem.equation.type", "problem.mesh.type",   "problem.mesh.cells",
          "problem.mesh.shape", "problem.mesh.perturb",  "problem.mesh.refine", "problem.domain",
          "method.order",       "method.entities"};
}

const RegisterProblem registered{{"dg-cvs",
                                  "conservation laws by the space-time discontinuous Galerkin cell-vertex scheme",
                                  dgcvs_keys(), make, refine_dgcvs, nullptr, nullptr, exact_dgcvs,
                                  [](const Case& c) { return static_cast<double>(c.integer("method.order") + 1); },
                                  nullptr, hints(), files, start_keys(), brief, dgcvs_starter()}};

}  // namespace

DgProblem::DgProblem(const Case& the_case, std::int64_t longest_chunk)
    : setup_(the_case), longest_chunk_(longest_chunk), points_(setup_) {}

/// Kept, for the loop goes on from there.
const FirstLook& DgProblem::look() const {
  if (!look_) look_ = look_first(setup_);
  return *look_;
}

Estimate DgProblem::estimate_part(int ranks) const {
  const std::optional<Every>& frames = setup_.method.frames;
  const bool by_steps = frames && frames->count() > 0;
  Estimate needs = needs_of(setup_, by_steps ? first_pace(setup_, look().prospect(setup_)).last : 0, ranks);
  if (ranks == 1) return needs;
  // Every rank has the whole mesh on its host. A part that follows a curve has at most so many entities beside it.
  const auto cells = static_cast<double>(setup_.staggered.cells.count());
  const double own = std::ceil(cells / ranks);
  const double share = std::min(1.0, (own + 8.0 * std::sqrt(own) + 3.0 * entity_group) / cells);
  needs.device *= share;
  needs.temporary *= share;
  return needs;
}

void DgProblem::check() const {
  const Prospect prospect = look().prospect(setup_);
  const Pace pace = first_pace(setup_, prospect);
  const bool kept = setup_.law.law() == Law::advection || setup_.method.time_step;
  log().info("{}{} time steps of {:.6g}, where up to {:.6g} is stable", kept ? "" : "at least ", pace.last, pace.dt,
             setup_.stable_cfl * setup_.unit_step / prospect.speed);
}

void DgProblem::check_start(CheckpointReader& reader, const Case& /*theirs*/) const {
  require_mesh_of(reader, setup_.the_case(), mesh_sha256(LevelArrays(setup_, EntityKind::cells)));
}

void DgProblem::set_up_part(std::shared_ptr<Executor> executor, Communicator& ranks) {
  loop_.emplace(setup_, std::move(executor), longest_chunk_, ranks, std::exchange(look_, std::nullopt));
}

void DgProblem::start_from(CheckpointReader& reader, const Case& theirs) { quoin::start_from(*loop_, reader, theirs); }

Progress DgProblem::advance() {
  Progress progress;
  loop_->advance(until_pause(loop_->state().steps), progress.history);
  const DgState& state = loop_->state();
  const bool last = state.steps == loop_->last_step();
  progress.iterations = state.steps;
  progress.limit = loop_->last_step();
  progress.time = state.time();
  progress.final_time = setup_.method.final_time;
  progress.frame = loop_->schedule().frame_after(state.steps, state.pace);
  progress.status = Status::running;
  if (last) progress.status = state.steps == state.pace.last ? Status::completed : Status::max_steps;
  if (progress.status == Status::max_steps)
    progress.message = fmt::format("method.max_steps ended the run at step {}, t = {:.6g}, before final_time {:.6g}",
                                   state.steps, state.time(), setup_.method.final_time);
  if (loop_->divergence()) {
    progress.status = Status::diverged;
    progress.message = diverged_message(*loop_);
  } else if (last && !loop_->schedule().row_after(state.steps)) {
    progress.closing.push_back(loop_->row_of(state.steps));
  }
  return progress;
}

bool DgProblem::frame_at_start() const { return setup_.method.frames.has_value(); }

void DgProblem::write(FieldSink& sink) const {
  const std::string& level = setup_.the_case().text("output.fields.level");
  if (level != "vertices") loop_->write_frame(EntityKind::cells, sink);
  if (level != "cells" && loop_->state().steps > 0) loop_->write_frame(EntityKind::vertices, sink);
}

void DgProblem::sample(FieldSink& sink) const { points_.write(sink, *loop_); }

bool DgProblem::finite() const { return loop_->finite(); }

void DgProblem::save(CheckpointWriter& writer) const { save_run(*loop_, writer); }

void DgProblem::restore(CheckpointReader& reader) { restore_run(*loop_, reader); }

std::optional<Errors> DgProblem::errors() const {
  if (!setup_.exact()) return std::nullopt;
  return loop_->errors();
}

std::vector<Figure> DgProblem::figures() const { return figures_of(*loop_); }

}  // namespace quoin
