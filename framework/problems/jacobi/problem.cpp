#include "problems/jacobi/problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "problems/jacobi/loop/closed_field.hpp"
#include "problems/jacobi/loop/start.hpp"
#include "problems/jacobi/output/checkpoint.hpp"
#include "problems/jacobi/output/errors.hpp"
#include "problems/jacobi/output/figures.hpp"
#include "problems/jacobi/output/message.hpp"
#include "problems/jacobi/scheme/needs.hpp"
#include "problems/jacobi/setup/keys.hpp"
#include "problems/jacobi/setup/refinement.hpp"
#include "problems/tolerances.hpp"

namespace quoin {
namespace {

std::unique_ptr<Problem> make(const Case& the_case) { return std::make_unique<JacobiProblem>(the_case); }

std::vector<Hint> hints() {
  const std::string steady = "did you mean 'jacobi'? It solves -div(k grad u) + c u = f, which is steady";
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

Brief brief(const Case& the_case) {
  const std::string& solver = the_case.text("method.solver");
  return {fmt::format("{}", fmt::join(the_case.integers("problem.grid.nodes"), " x ")),
          solver == "jacobi" ? solver + ", " + the_case.text("method.variant") : solver};
}

const RegisterProblem registered{
    {"jacobi",
     "Poisson's equation, and diffusion with coefficients, on a rectangle or in a box by Jacobi iterations",
     jacobi_keys(),
     make,
     refine_jacobi,
     JacobiMethod::tuning_key,
     JacobiMethod::limit_iterations,
     exact_jacobi,
     [](const Case&) { return 2.0; },
     scale_tolerances,
     hints(),
     files,
     {"problem.type", "problem.grid", "problem.domain", "problem.boundary.left.type", "problem.boundary.right.type",
      "problem.boundary.bottom.type", "problem.boundary.top.type", "problem.boundary.back.type",
      "problem.boundary.front.type"},
     brief,
     jacobi_starter()}};

/// The points at which the case asks for values. Throws ErrorKind::case_file for one outside the rectangle or box.
std::vector<SampleSet> samples_of(const JacobiSetup& setup) {
  const Grid& grid = setup.grid;
  std::vector<SampleSet> sets = sample_sets(setup.the_case(), RunsBy::iterations);
  const Axis& along_z = grid.along_z;
  for (const SampleSet& set : sets) {
    if (grid.in_space() == set.z.empty())
      throw setup.the_case().error_at(set.key(0), grid.in_space()
                                                      ? "this problem lies in space, where a point is [x, y, z]"
                                                      : "this problem lies in the plane, where a point is [x, y]");
    for (std::size_t k = 0; k < set.points.size(); ++k) {
      const auto [x, y] = set.points[k];
      const bool beside = x < grid.xmin || x > grid.xmax || y < grid.ymin || y > grid.ymax;
      if (set.z.empty() && beside)
        throw setup.the_case().error_at(set.key(k),
                                        fmt::format("the point ({:.10g}, {:.10g}) lies outside the rectangle", x, y));
      if (!set.z.empty() && (beside || set.z[k] < along_z.begin || set.z[k] > along_z.end))
        throw setup.the_case().error_at(
            set.key(k), fmt::format("the point ({:.10g}, {:.10g}, {:.10g}) lies outside the box", x, y, set.z[k]));
    }
  }
  return sets;
}

}  // namespace

JacobiProblem::JacobiProblem(const Case& the_case, std::int64_t longest_chunk)
    : setup_(the_case), longest_chunk_(longest_chunk), samples_(samples_of(setup_)) {}

Estimate JacobiProblem::estimate_part(int ranks) const {
  setup_.require_one_rank(ranks);
  return needs_of(setup_, ranks);
}

std::vector<KernelSpec> JacobiProblem::kernels_on(const Executor& executor) const {
  std::vector<KernelSpec> specs = sweeps_kernels(executor, setup_);
  specs.push_back({"residual_norm", setup_.method.precision, {}});
  return specs;
}

void JacobiProblem::check() const {
  (void)setup_.sides();
  if (setup_.beyond_poisson) (void)setup_.medium();
  setup_.source.check();
  if (setup_.initial) setup_.initial->check();
  if (setup_.exact) setup_.exact->check();
}

void JacobiProblem::set_up_part(std::shared_ptr<Executor> executor, Communicator& ranks) {
  setup_.require_one_rank(ranks.size());
  setup_.part = Strips(setup_.grid.rows(), ranks.size())[ranks.rank()];
  const bool leads = ranks.rank() == 0;
  if (leads && setup_.exact) setup_.exact->check();  // now, not after hours of iterations
  loop_.emplace(setup_, ranks, executor, longest_chunk_);
  if (leads) loop_->start();
}

void JacobiProblem::start_from(CheckpointReader& reader, const Case& theirs) {
  quoin::start_from(*loop_, reader, theirs);
}

Progress JacobiProblem::advance() {
  std::int64_t most = until_pause(loop_->iterations());
  for (const SampleSet& set : samples_)
    if (set.every) most = std::min(most, set.every->until(loop_->iterations()));
  Progress progress;
  loop_->advance(most, progress.history);
  progress.status = loop_->status();
  progress.iterations = loop_->iterations();
  progress.limit = setup_.method.max_iterations;
  progress.residual = loop_->norm_of_last();
  if (setup_.method.stops_on_tolerance) {
    progress.tolerance = loop_->convergence().tolerance();
    if (progress.status != Status::running && progress.status != Status::diverged)
      progress.residual = loop_->convergence().residual();
  }
  progress.message = message_of(*loop_);
  return progress;
}

void JacobiProblem::write(FieldSink& sink) const {
  const ClosedField field(*loop_);
  GridField whole = field.head();
  whole.rows = [&field](const GridField::Take& take) { field.each_row(take); };
  if (sink.in_pieces())
    loop_->write_pieces(std::move(whole), sink);
  else
    sink.grid(whole);
}

void JacobiProblem::sample(FieldSink& sink) const {
  const std::int64_t iterations = loop_->iterations();
  for (const SampleSet& set : samples_)
    if (set.due(iterations) || loop_->status() != Status::running)
      write_samples(sink, set, {iterations, {"iteration"}, {iterations}}, {"u"},
                    ClosedField(*loop_).at(set.points, set.z));
}

bool JacobiProblem::finite() const { return loop_->finite(); }

void JacobiProblem::save(CheckpointWriter& writer) const { save_run(*loop_, writer); }

void JacobiProblem::restore(CheckpointReader& reader) { restore_run(*loop_, reader); }

std::optional<Errors> JacobiProblem::errors() const {
  if (!setup_.exact) return std::nullopt;
  return errors_of(*loop_);
}

std::vector<KernelRow> JacobiProblem::kernels() const {
  std::vector<KernelRow> rows = loop_->timer().rows();
  std::erase_if(rows, [](const KernelRow& row) { return row.calls == 0; });  // what only measures
  return rows;
}

std::vector<Figure> JacobiProblem::figures() const { return figures_of(*loop_); }

}  // namespace quoin
