#include "problems/linear_system/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "problems/linear_system/output/errors.hpp"
#include "problems/linear_system/output/message.hpp"
#include "problems/linear_system/setup/keys.hpp"
#include "problems/tolerances.hpp"
#include "quoin/precision.hpp"
#include "quoin/ranks.hpp"

namespace quoin {
namespace {

std::unique_ptr<Problem> make(const Case& the_case) { return std::make_unique<LinearSystemProblem>(the_case); }

std::vector<Hint> hints() {
  const std::string linear = "did you mean 'linear-system'? It solves A x = b for a sparse matrix";
  return {{"sparse", linear}, {"matrix", linear}, {"linear", linear}, {"krylov", linear}, {"cg", linear}};
}

Brief brief(const Case& the_case) {
  Brief words{"", the_case.text("method.solver") + ", " + the_case.text("method.preconditioner.type")};
  if (the_case.has("problem.matrix.nodes")) {
    words.size = fmt::format("{}", fmt::join(the_case.integers("problem.matrix.nodes"), " x "));
  } else if (the_case.has("problem.matrix.rows")) {
    words.size = fmt::format("{} rows", the_case.integer("problem.matrix.rows"));
  } else if (the_case.has("problem.matrix.file")) {
    words.size = std::filesystem::path(the_case.text("problem.matrix.file")).filename().string();
  }
  return words;
}

ProblemType type() {
  ProblemType type;
  type.name = "linear-system";
  type.meaning = "A x = b for a sparse matrix by Krylov methods";
  type.keys = linear_system_keys();
  type.make = make;
  type.scale_tolerances = scale_tolerances;
  type.hints = hints();
  type.files = [](const Case&) { return std::vector<std::string>{"x"}; };
  type.brief = brief;
  type.starter = linear_system_starter();
  return type;
}

const RegisterProblem registered{type()};

}  // namespace

Estimate LinearSystemProblem::estimate_part(int ranks) const {
  const auto rows = static_cast<double>(setup_.rows);
  const auto entries = static_cast<double>(setup_.entries);
  const double vector = rows * static_cast<double>(element_size(setup_.precision));
  constexpr double small_files = 64e3;
  constexpr double history_row = 36.0;
  Estimate needs;
  needs.host = setup_.knows_solution ? rows * 8.0 : 0.0;
  // While the system is set up: the matrix, its rows as segments or slices as they grow, what is copied to the device,
  // and vectors.
  const KrylovMethod method = krylov_method(setup_);
  const Format format = setup_.storage.format;
  const double stored = format == Format::csr ? 16.0 : format == Format::coo ? 40.0 : 32.0 * slots_at_most(format);
  needs.temporary = entries * (16.0 + stored) + rows * (lists_entries(format) ? 72.0 : 48.0);
  if (method.transposed) needs.temporary += entries * 16.0 + rows * 16.0;
  needs.temporary += preconditioner_method(setup_).host;
  needs.device = device_bytes(setup_);
  if (ranks > 1)
    needs.device = std::min(needs.device, needs.device / ranks + vector);  // which elements come is unknown
  needs.disk = small_files;
  if (setup_.the_case.boolean("output.fields.write")) {
    needs.disk += vector + 25.0 * rows;  // in binary and in digits
    if (setup_.the_case.boolean("output.fields.hdf5")) needs.disk += 8.0 * rows;
  }
  if (setup_.the_case.boolean("output.history"))
    needs.disk += history_row * static_cast<double>(std::min(setup_.max_iterations, setup_.rows));
  needs.pieces = static_cast<double>(2 + method.saved_vectors) * vector;
  needs.checkpoint = small_files + needs.pieces;
  return needs;
}

void LinearSystemProblem::set_up_part(std::shared_ptr<Executor> executor, Communicator& ranks) {
  if (ranks.size() > 1 && preconditioner_method(setup_).alone)
    throw setup_.the_case.error_at(
        "method.preconditioner",
        setup_.preconditioner + " runs in one process alone; take jacobi, block-jacobi or amg");
  LinearSystem system = setup_.load(ranks.size());
  facts_ = system.facts;
  entries_ = system.matrix.entries();
  picture_ = picture_of(system.matrix);
  loop_.emplace(setup_, system, executor, ranks);
  stored_bytes_ = total_of(ranks, static_cast<std::int64_t>(loop_->matrix().bytes()));
  exact_ = std::move(system.solution);
}

Progress LinearSystemProblem::advance() {
  Progress progress;
  loop_->advance(until_pause(loop_->iterations()), progress.history);
  progress.status = loop_->status();
  progress.iterations = loop_->iterations();
  progress.limit = setup_.max_iterations;
  progress.residual = progress.status == Status::running ? loop_->recurrence() : loop_->residual();
  progress.tolerance = loop_->tolerance();
  progress.message = message_of(*loop_);
  return progress;
}

void LinearSystemProblem::write(FieldSink& sink) const {
  const std::vector<std::byte> values = loop_->solution();
  const auto [nx, ny, nz] = setup_.nodes;
  sink.grid({"x", nx, ny * nz, 0.0, 0.0, 1.0, 1.0, setup_.precision, values});
  if (loop_->status() == Status::diverged) return;
  std::vector<std::int64_t> shape;
  if (setup_.the_case.boolean("output.fields.hdf5")) {
    if (setup_.source.axes == 3) shape.push_back(nz);
    if (setup_.source.axes >= 2) shape.push_back(ny);
    shape.push_back(nx);
  }
  sink.vector({"x", from_precision(values, setup_.precision), shape});
}

std::optional<Errors> LinearSystemProblem::errors() const {
  if (exact_.empty()) return std::nullopt;
  return errors_of(*loop_, setup_, exact_);
}

std::vector<KernelRow> LinearSystemProblem::kernels() const {
  std::vector<KernelRow> rows = loop_->timer().rows();
  std::erase_if(rows, [](const KernelRow& row) { return row.calls == 0; });  // what only measures
  return rows;
}

std::vector<Figure> LinearSystemProblem::figures() const {
  std::vector<Figure> figures{{"matrix.rows", setup_.rows},
                              {"matrix.entries", entries_},
                              {"matrix.longest_row", facts_.longest_row},
                              {"matrix.format", loop_->matrix().format()},
                              {"matrix.bytes", stored_bytes_},
                              {"matrix.shared", loop_->matrix().shared()},
                              {"matrix.row_lengths", picture_.row_lengths},
                              {"matrix.pattern", picture_.pattern},
                              {"residual_recurrence", loop_->recurrence()},
                              {"residual_replacements", loop_->replacements()},
                              {"breakdown_restarts", loop_->restarts()},
                              {"initial_residual", loop_->initial()},
                              {"rhs_norm", loop_->rhs_norm()}};
  if (const Preconditioner* used = loop_->preconditioner())
    std::ranges::copy(used->figures(), std::back_inserter(figures));
  return figures;
}

}  // namespace quoin
