// Times kernels, the host's looks, and whole cases in each kind of memory that a device has.

#include <fmt/format.h>

#include "bench/benchmarks.hpp"
#include "bench/dgcvs_ladder.hpp"
#include "bench/memory_report.hpp"
#include "bench/memory_rows.hpp"

namespace quoin::bench {
namespace {

struct MemoryArguments : StudyArguments {
  memory::Amount amount{.runs = 1001, .mebibytes = 64, .patience = 120.0};
};

/// Two of those that ship in configs/, small enough that launches and looks count. The first does its iterations, which
/// do not suffice for its tolerance.
std::vector<BenchCase> small_cases() {
  return {{"seed-100", R"yaml(
problem:
  type: jacobi
  grid: {nodes: [100, 100]}
  domain: {x: [-0.5, 0.5], y: [-0.5, 0.5]}
  source: "0"
  boundary:
    left: "sin(pi*(y+0.5)*(ny+1)/(ny+2))"
    right: "sin(pi*(y+0.5)*(ny+1)/(ny+2))"
    bottom: "sin(pi*(x+0.5)*(nx+1)/(nx+2))"
    top: "sin(pi*(x+0.5)*(nx+1)/(nx+2))"
  initial: "0"
method: {variant: classic, precision: double, stop: iterations, residual_norm: seed, max_iterations: 1000}
)yaml"},
          {"adv-sin-p3-quad-40", dgcvs::squares(40) + R"yaml(
  equation: {type: advection, velocity: [1, 0.5]}
  initial: "sin(pi*x)*sin(pi*y)"
  exact: "sin(pi*(x-t))*sin(pi*(y-0.5*t))"
method: {order: 3, cfl: 0.25, final_time: 1}
)yaml"}};
}

class MemoryBenchmark {
 public:
  MemoryBenchmark(const Context& context, const MemoryArguments& arguments)
      : arguments_(arguments), plugins_(candidates(context)), study_(context, arguments, benchmark) {
    study_.json.update({{"runs", arguments.amount.runs},
                        {"large_runs", arguments.amount.large_runs()},
                        {"mebibytes", arguments.amount.mebibytes},
                        {"microbenchmarks", Json::array()},
                        {"devices", Json::object()}});
    const std::vector<BenchCase> cases = study_.cases_or(small_cases());
    std::vector<Row> rows;
    for (const std::string& backend : study_.backends()) {
      choices_.push_back(study_.load(cases.front(), {}, {{"backend", backend}}));
      study_.json["microbenchmarks"].push_back({{"requested", backend}});
      for (const MemoryKind kind : kinds_of(choices_.back()))
        rows.push_back({{{"requested", backend}, {"memory", name_of(kind)}},
                        {{"backend", backend}, {"backend.memory", std::string(name_of(kind))}}});
    }
    for (const BenchCase& of : cases) study_.add(of, without_files(), {{"case", of.name}}, rows);
  }
  int run() {
    return study_.run([this](StudyFolder& folder) {
      int code = 0;
      for (std::size_t k = 0; k < choices_.size(); ++k) {
        Json& found = study_.json["microbenchmarks"][k];
        try {
          measure(choices_[k], fmt::format("times-{}.csv", k + 1), folder, found);
        } catch (const Error& error) {
          if (error.kind() == ErrorKind::case_file) throw;
          found["error"] = error.what();
          code = error.exit_code();
        }
      }
      return code;
    });
  }

 private:
  inline static const Benchmark benchmark{.name = "memory",
                                          .problem = "",
                                          .rows = "rows",
                                          .row_facts = {"case_sha256"},
                                          .run_facts = {"triad_gbytes_per_second"},
                                          .measure = nullptr,
                                          .evaluate = memory::evaluate,
                                          .table = memory::table,
                                          .must_agree = true};

  /// Those of the device; its own alone where it cannot be used, which the runs then say.
  [[nodiscard]] std::vector<MemoryKind> kinds_of(const Case& choice) const {
    try {
      return chosen_backend(choice, plugins_).executor->device().memories;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::case_file) throw;
      return {MemoryKind::device};
    }
  }
  void measure(const Case& choice, const std::string& file, StudyFolder& folder, Json& found) const {
    const Chosen chosen = chosen_backend(choice, plugins_);
    found["backend"] = chosen.backend->candidate().name;
    found["device"] = chosen.executor->device().name;
    found["versions"] = versions_of(chosen.backend->candidate(), chosen.executor->device());
    memory::measure(chosen.executor, arguments_.amount, found, [&](const std::string& csv) {
      folder.write(file, csv);
      found["times"] = file;
    });
  }

  const MemoryArguments& arguments_;
  std::vector<Candidate> plugins_;
  Study study_;
  std::vector<Case> choices_;  // a case on each backend
};

}  // namespace

void add_memory(CLI::App& bench, Context& context) {
  CLI::App& command =
      *bench.add_subcommand("memory", "Kernels, the host's looks and whole cases in each kind of memory of a device");
  const auto arguments = std::make_shared<MemoryArguments>();
  add_study_options(command, context, *arguments,
                    "Jacobi iterations on 100 x 100 nodes and advection on 40 x 40 squares");
  memory::Amount& amount = arguments->amount;
  command.add_option("--runs", amount.runs, "How often each kernel runs over 6144 integers [1001]")
      ->type_name("N")
      ->check(CLI::Range(1, 100000).description(""));
  command.add_option("--mebibytes", amount.mebibytes, "What the host writes, and kernels copy and sum [64]")
      ->type_name("N")
      ->check(CLI::Range(1, 4096).description(""));
  command.add_option("--patience", amount.patience, "Seconds after which a run that does not end is an error [120]")
      ->type_name("S")
      ->check(CLI::Range(0.01, 1e6).description(""));
  command.callback([&context, arguments] {
    context.action = [&context, arguments] { return MemoryBenchmark(context, *arguments).run(); };
  });
}

}  // namespace quoin::bench
