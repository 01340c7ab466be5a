#pragma once

// What all benchmarks do: they run cases again and again, row after row in turn, and leave what they find in a file
// that grows with every case. A row is a case on one backend, in one variant.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "quoin/problem.hpp"
#include "quoin/run.hpp"
#include "runs.hpp"

namespace quoin::bench {

struct StudyArguments {
  std::vector<std::string> files;
  std::string backends = "serial";
  int repeats = 5;
  std::vector<std::string> set;
  std::string output;
  std::string json;
  bool force = false;
};

/// Adds CASE and the options that every benchmark has. `without_cases` says what is timed where none is given.
void add_study_options(CLI::App& command, Context& context, StudyArguments& arguments,
                       const std::string& without_cases);

/// Of benchmarks whose cases do iterations in either precision.
struct IterationArguments : StudyArguments {
  std::vector<std::string> precisions;
  std::optional<std::int64_t> iterations;

  /// Those to time, double first; that of the case where none is given.
  [[nodiscard]] std::vector<std::string> precisions_of(const Case& the_case) const;
};
void add_precisions(CLI::App& command, IterationArguments& arguments);
/// Those, and how many.
void add_iteration_options(CLI::App& command, IterationArguments& arguments);

/// An option that takes a list in one word.
template <class List>
CLI::Option* add_list(CLI::App& command, const char* name, List& values, const std::string& meaning) {
  return command.add_option(name, values, meaning)->delimiter(',')->allow_extra_args(false)->type_name("LIST");
}

/// Neither fields nor the history are written, only hashed: the time is that of the iterations.
std::vector<Override> without_files();

struct BenchCase {
  std::string name;    ///< of a file where the text is empty
  std::string text{};  ///< YAML
};

/// What sets one benchmark apart.
struct Benchmark {
  std::string name;
  std::string problem;                 ///< problem.type of its cases; empty: it looks at that itself
  const char* rows;                    ///< key of the rows of a case
  std::vector<std::string> row_facts;  ///< of summary.json: what all runs of a row have in common,
  std::vector<std::string> run_facts;  ///< and what each has of its own, besides its seconds
  void (*measure)(Json& study);        ///< before the rows of a case run once more; may be null
  void (*evaluate)(Json& study);       ///< adds what follows from the runs that there are
  std::string (*table)(const Json& study);
  /// What a run of a row comes to, as summary.json says it; `refused` is why there is nothing to run. Null: try_run().
  Json (*run)(const Context& context, const std::vector<Candidate>& plugins, const Case& the_case,
              const Json& row) = nullptr;
  /// How runs end that are to do so many iterations or steps.
  std::vector<Status> cut_short{Status::max_steps};
  /// Rows of a case whose bits differ, of which evaluate() says `same_bits`, are an error of Quoin's.
  bool must_agree = false;
};

struct Row {
  Json facts;  ///< what is said of it before it runs; `requested` is its backend
  std::vector<Override> changes;
};

class Study {
 public:
  /// Throws where --json names a file that is there.
  Study(const Context& context, const StudyArguments& arguments, const Benchmark& benchmark);

  /// The files of the command line, or else these.
  [[nodiscard]] std::vector<BenchCase> cases_or(const std::vector<BenchCase>& built_in) const;
  [[nodiscard]] const std::vector<std::string>& backends() const { return backends_; }

  /// The case with these changes, --set, and changes that nothing takes back. Throws where it is of another problem.
  [[nodiscard]] Case load(const BenchCase& of, const std::vector<Override>& changes,
                          const std::vector<Override>& last = {}) const;
  /// Adds a case with its rows; a mistake in one throws. `facts` is what the study says of the case.
  void add(const BenchCase& of, const std::vector<Override>& changes, Json facts, const std::vector<Row>& rows);

  /// Runs everything, writes it down after every case and prints the table. Returns the exit code of the last run that
  /// failed, or 0. `first` is done once the folder is there, and gives such a code, too.
  int run(const std::function<int(StudyFolder&)>& first = {});

  Json json;  ///< what is written; `cases` last

 private:
  int run_again(const Case& the_case, Json& row) const;
  [[nodiscard]] bool rows_agree() const;
  int time_case(const std::vector<Case>& cases, Json& rows);

  const Context& context_;
  const StudyArguments& arguments_;
  const Benchmark& benchmark_;
  std::vector<Candidate> plugins_;
  KeyTable keys_;
  std::vector<std::string> backends_;
  std::vector<std::vector<Case>> cases_;  // one a row
};

}  // namespace quoin::bench
