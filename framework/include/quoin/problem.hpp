#pragma once

// What is solved. A problem is one folder under framework/problems that registers itself; the runner
// drives it through this interface and knows no problem by name.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "quoin/case.hpp"
#include "quoin/communicator.hpp"
#include "quoin/executor.hpp"
#include "quoin/fields.hpp"
#include "quoin/parts.hpp"

namespace quoin {

enum class Status {
  running,
  converged,      ///< the tolerance was reached
  completed,      ///< all that the case asks for without a tolerance, such as the final time
  not_converged,  ///< the iteration limit came before the tolerance
  stagnated,      ///< this precision cannot bring the residual down to the tolerance
  max_steps,      ///< the limit of time steps came before the final time
  diverged,
  interrupted,
  failed
};
std::string_view to_string(Status status);

/// What one call of Problem::advance did.
struct Progress {
  Status status = Status::running;
  std::int64_t iterations = 0;     ///< iterations or time steps, done since the start of the run
  std::int64_t limit = 0;          ///< iterations or time steps that the case allows at most
  std::optional<double> residual;  ///< the newest; empty: the problem has none
  double tolerance = 0.0;          ///< 0: the run does not stop on a residual
  std::optional<double> time;      ///< reached; empty: the problem does not advance in time
  double final_time = 0.0;
  bool frame = false;        ///< the fields are to be written now, not only at the end
  std::vector<Row> history;  ///< rows that this call added, as wide as Problem::history_columns
  std::vector<Row> closing;  ///< of a run that ends: those behind them, which one that went farther would not have
  std::string message;       ///< for diverged: which iteration, what to do
};

/// One row of the closing table. Seconds are device time, summed over all calls.
struct KernelRow {
  std::string name;
  std::int64_t calls = 0;
  double seconds = 0.0;
  double bytes = 0.0;
  double flops = 0.0;
  double roofline_bytes = 0.0;  ///< of the same work with a pass through memory for every sweep
};

/// A fact about the run for summary.json. A name with dots, `mass.drift`, is a member of an object `mass`.
struct Figure {
  std::string name;
  std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<std::string>> value;
};

/// Norms of the difference to the exact solution: l1 = sum |e| dA / A, l2 = sqrt(sum e^2 dA / A), linf = max |e|.
struct Errors {
  double l1 = 0.0;
  double l2 = 0.0;
  double linf = 0.0;
};

/// Named arrays of a checkpoint.
class CheckpointWriter {
 public:
  virtual ~CheckpointWriter() = default;
  virtual void put(const std::string& name, std::span<const std::byte> bytes) = 0;
  /// The same for an array of so many bytes that nobody holds whole: write(files) is write_parts(), on the first rank
  /// and with all others, and is called by the time that the problem goes on. Lower-case letters and `_` make such a
  /// name.
  using WriteParts = std::function<std::vector<WrittenPart>(RankFiles& files)>;
  virtual void put_parts(const std::string& name, std::uint64_t bytes, WriteParts write) = 0;
};

class CheckpointReader {
 public:
  virtual ~CheckpointReader() = default;
  /// All of an array. Throws ErrorKind::checkpoint where it is absent or has another size.
  void get(const std::string& name, std::span<std::byte> bytes) { get_part(name, bytes.size(), 0, bytes); }
  /// Those from `offset` on of an array of `total` bytes; throws as get() does.
  virtual void get_part(const std::string& name, std::size_t total, std::size_t offset, std::span<std::byte> bytes) = 0;
};

/// What a run will need, known before anything is allocated. Bytes.
struct Estimate {
  double host = 0.0;       ///< as long as the problem lives
  double temporary = 0.0;  ///< on the host as well, at times: while fields are written and the like
  double device = 0.0;
  double disk = 0.0;
  double checkpoint = 0.0;  ///< of one checkpoint on the disk, which `disk` does not count
  double pieces = 0.0;      ///< of those, what is written part by part
};

class Problem {
 public:
  Problem() = default;
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;
  virtual ~Problem() = default;
  /// What the run will need. Nothing of it is allocated yet.
  [[nodiscard]] virtual Estimate estimate() const = 0;
  /// The same for the rank with the most among so many; but what is temporary, and the disk, is the first one's. Unless
  /// it is overridden a rank needs what one process does.
  [[nodiscard]] virtual Estimate estimate_part(int /*ranks*/) const { return estimate(); }
  /// The kernels that set_up makes on that executor, which may choose among those that there are. It throws where one
  /// of them is not.
  [[nodiscard]] virtual std::vector<KernelSpec> kernels_on(const Executor& /*executor*/) const { return {}; }
  /// Evaluates the case's expressions everywhere without keeping anything: throws what set_up would of the case.
  virtual void check() const = 0;
  /// Allocates, evaluates the case's expressions and builds the kernels.
  virtual void set_up(std::shared_ptr<Executor> executor) = 0;
  /// The same for the part of this rank; `ranks` outlives the problem. All ranks of a run call it with the same case,
  /// then the first one is used as if it were alone, and the others call follow(). Unless it is overridden it throws
  /// ErrorKind::usage where there is more than one rank.
  virtual void set_up_part(std::shared_ptr<Executor> executor, Communicator& ranks);
  /// On all ranks but the first: does its part of what that one does, until the problem there is destroyed.
  virtual void follow() {}
  /// Some iterations or time steps: about a tenth of a second of work.
  virtual Progress advance() = 0;
  /// From now on advance() also returns after each multiple of so many iterations or steps; 0: as it likes.
  void pause_every(std::int64_t iterations) { pause_every_ = iterations; }
  /// Whether the fields are to be written before the first advance, too.
  [[nodiscard]] virtual bool frame_at_start() const { return false; }
  /// Writes the fields. After an advance with a frame, and after the last: once a step at most.
  virtual void write(FieldSink& sink) const = 0;
  /// Writes the tables of values at points that the case asks for at the state that is reached. Before the first
  /// advance, and after each: once a step.
  virtual void sample(FieldSink& /*sink*/) const {}
  /// Whether the state is finite throughout: another is not worth a checkpoint, though no norm may have seen it yet.
  [[nodiscard]] virtual bool finite() const { return true; }
  virtual void save(CheckpointWriter& writer) const = 0;
  /// Throws ErrorKind::case_file where the case has a limit that lies before what is done.
  virtual void restore(CheckpointReader& reader) = 0;
  /// After set_up, for a case with problem.initial.from: starts from the fields that another run, of the case `theirs`,
  /// has saved. It shares the values of ProblemType::start_keys.
  virtual void start_from(CheckpointReader& reader, const Case& theirs);
  /// Throws, without anything being set up, where start_from would find that those fields do not fit.
  virtual void check_start(CheckpointReader& /*reader*/, const Case& /*theirs*/) const {}
  /// Only after the last advance; empty where the case gives no exact solution.
  [[nodiscard]] virtual std::optional<Errors> errors() const = 0;
  [[nodiscard]] virtual std::vector<KernelRow> kernels() const = 0;
  /// Launches that the device's own interface counted.
  [[nodiscard]] virtual std::uint64_t launches() const = 0;
  /// Of history.csv. Its hash is over the columns of doubles.
  [[nodiscard]] virtual std::vector<std::string> history_columns() const { return {"iteration", "residual"}; }
  /// What the problem adds to the summary.
  [[nodiscard]] virtual std::vector<Figure> figures() const { return {}; }

 protected:
  /// Iterations from `done` to where advance() has to return.
  [[nodiscard]] std::int64_t until_pause(std::int64_t done) const {
    return pause_every_ > 0 ? pause_every_ - done % pause_every_ : std::numeric_limits<std::int64_t>::max();
  }

 private:
  std::int64_t pause_every_ = 0;
};

/// A field of a case's exact solution at a point (x, y) and time. Not for several threads at once. May throw
/// ErrorKind::case_file where there is none.
using ExactField = std::function<double(double x, double y, double time)>;

/// A case in a few words, for a line of a table.
struct Brief {
  std::string size;    ///< `255 x 255`, or the file of its mesh or matrix
  std::string method;  ///< `cg, jacobi`
};

/// How a problem makes itself known. `make` may throw ErrorKind::case_file.
struct ProblemType {
  std::string name;
  std::string meaning;
  std::vector<Key> keys;
  std::unique_ptr<Problem> (*make)(const Case&) = nullptr;
  /// What to change for a mesh 2^level times as fine; null: meshes cannot be refined. Throws ErrorKind::case_file where
  /// the case has no exact solution that the meshes could be compared by.
  std::vector<Override> (*refine)(const Case&, int level) = nullptr;
  /// What a backend's best settings for the case depend on, such as grid and precision; empty: its kernels leave
  /// nothing to tune. Null: those of no case do.
  std::string (*tuning_key)(const Case&) = nullptr;
  /// What to change for a run of so many iterations; where there is a `tuning_key`.
  std::vector<Override> (*limit_iterations)(std::int64_t iterations) = nullptr;
  /// The exact solution of the field of that name, on a mesh of that width and height; empty where the case gives none.
  /// It may be called when the case is no more. Null: no case has one.
  ExactField (*exact)(const Case&, const std::string& field, Point extent) = nullptr;
  /// The order at which the errors of smooth solutions fall on refined meshes. Null: it is not known.
  double (*order)(const Case&) = nullptr;
  /// What to change for tolerances that many times as large. Null: nothing is solved to a tolerance.
  std::vector<Override> (*scale_tolerances)(const Case&, double factor) = nullptr;
  /// Other names that people give to it, and what to say of each.
  std::vector<Hint> hints{};
  /// What the files of the case's fields and tables may be called, without step and ending. Null: that is not known
  /// before they are written.
  std::vector<std::string> (*files)(const Case&) = nullptr;
  /// Keys, or sections, whose values a run shares with one from whose fields it starts. Empty: none can.
  std::vector<std::string> start_keys{};
  /// Null: there are no such words.
  Brief (*brief)(const Case&) = nullptr;
  /// Keys of a small case, a section after the other, with their values: `quoin new` writes it, with what each means.
  /// Empty: there is none.
  std::vector<Override> starter{};
};

/// Throws ErrorKind::plugin where there is one of that name.
void register_problem(ProblemType type);

/// Registers at start-up; a file-scope `const RegisterProblem registered{...}` is all a problem needs.
struct RegisterProblem {
  explicit RegisterProblem(ProblemType type) { register_problem(std::move(type)); }
};

const std::vector<ProblemType>& problem_types();
/// The registered type of that name; throws ErrorKind::bug for a name that no checked case can have.
const ProblemType& problem_type(std::string_view name);

}  // namespace quoin
