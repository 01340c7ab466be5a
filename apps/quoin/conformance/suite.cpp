#include "conformance/suite.hpp"

#include <algorithm>
#include <chrono>

#include "quoin/error.hpp"

namespace quoin::conformance {
namespace {

std::string describe(const std::exception& problem) {
  const auto* error = dynamic_cast<const Error*>(&problem);
  const bool placed = error != nullptr && !error->where().empty();
  return placed ? error->where() + ": " + problem.what() : problem.what();
}

Result run_check(Result result, Bench& bench, void (*check)(Bench&, Cases&)) {
  const auto start = std::chrono::steady_clock::now();
  Cases cases;
  try {
    check(bench, cases);
  } catch (const std::exception& problem) {
    result.outcome = Outcome::failed;
    result.message = cases.current().empty() ? describe(problem) : cases.current() + ": " + describe(problem);
  }
  result.cases = cases.count();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

/// Every value that the kernel's compile-time constants can take must be offered, or none; of passes of several sweeps
/// as many as the backend likes.
bool offered(const Executor& executor, const CatalogueEntry& entry, Precision precision) {
  std::vector<KernelSpec> all{{std::string(entry.name), precision, {}}};
  for (const ConstantSpec& constant : entry.constants) {
    if (constant.name == "depth") continue;
    const std::int64_t last = precision == Precision::float64 ? constant.last : constant.last_in_float;
    std::vector<KernelSpec> longer;
    for (const KernelSpec& spec : all) {
      for (std::int64_t value = constant.first; value <= last; ++value) {
        longer.push_back(spec);
        longer.back().constants.push_back({std::string(constant.name), value});
      }
    }
    all = std::move(longer);
  }
  return std::ranges::all_of(all, [&](const KernelSpec& spec) { return executor.supports(spec); });
}

const KernelCheck* find_check(std::string_view kernel) {
  for (const auto list :
       {jacobi_checks(), transfer_checks(), norm_checks(), line_checks(), dgcvs_checks(), limiter_checks()}) {
    for (const KernelCheck& check : list) {
      if (check.kernel == kernel) return &check;
    }
  }
  return nullptr;
}

Result run_kernel(Bench& bench, const CatalogueEntry& entry, Precision precision) {
  const bool wide = precision == Precision::float64;
  Result result{std::string(entry.name), wide ? "double" : "float", 0, Outcome::passed, {}, 0.0};
  const KernelCheck* check = find_check(entry.name);
  if (check == nullptr) {
    result.outcome = Outcome::failed;
    result.message = "the suite has no oracle for this kernel of the catalogue";
  } else if (!offered(*bench.executor, entry, precision)) {
    result.outcome = Outcome::not_offered;
  } else {
    result = run_check(result, bench, wide ? check->in_double : check->in_float);
  }
  return result;
}

}  // namespace

std::vector<Result> run_suite(const std::shared_ptr<Executor>& executor,
                              const std::function<void(const Result&)>& report) {
  std::vector<Result> results;
  const auto add = [&](Result result) {
    report(result);
    results.push_back(std::move(result));
  };
  const auto fresh_bench = [&] { return Bench{executor, executor->queue()}; };
  for (const CatalogueEntry& entry : catalogue) {
    for (const Precision precision : executor->device().precisions) {
      // The one kernel that a backend may leave out: the problem makes do with single sweeps.
      if (entry.id == KernelId::jacobi_sweeps && !offered(*executor, entry, precision)) continue;
      Bench bench = fresh_bench();  // an asynchronous error of one kernel must not show in the next
      add(run_kernel(bench, entry, precision));
    }
  }
  for (const auto list : {queue_checks(), executor_checks()}) {
    for (const InterfaceCheck& check : list) {
      Bench bench = fresh_bench();
      add(run_check({std::string(check.name), {}, 0, Outcome::passed, {}, 0.0}, bench, check.run));
    }
  }
  return results;
}

const std::vector<GridCase>& grid_cases() {
  static const std::vector<GridCase> cases = [] {
    std::vector<GridCase> made;
    const auto add = [&](std::int64_t nx, std::int64_t ny, const Box& box, const std::string& what) {
      const std::string size = std::to_string(nx) + "x" + std::to_string(ny);
      made.push_back({size + what, nx, ny, box, Style::native});
      made.push_back({size + what + ", odd pitch and offset", nx, ny, box, Style::odd});
    };
    // Single nodes and lines, around one block of 16 x 32, primes, rows across pages, many blocks.
    constexpr std::int64_t sizes[][2] = {{1, 1},   {1, 7},   {7, 1},    {2, 2},    {3, 5},   {15, 31},  {16, 32},
                                         {17, 33}, {31, 64}, {13, 101}, {127, 61}, {512, 3}, {521, 67}, {700, 300}};
    for (const auto& [nx, ny] : sizes) add(nx, ny, Box::plane(nx, ny), "");
    add(61, 131, {{16, 32, 0}, {61, 131, 1}, {0, 0, 0}}, " from block (1,1)");
    add(61, 131, {{32, 64, 0}, {48, 96, 1}, {0, 0, 0}}, " one inner block");
    add(61, 131, {{3, 5, 0}, {40, 99, 1}, {13, 27, 0}}, " of a rank with an origin off the blocks");
    return made;
  }();
  return cases;
}

const GridCase& grid_case(std::string_view name) {
  const auto& all = grid_cases();
  return *std::find_if(all.begin(), all.end(), [&](const GridCase& grid) { return grid.name == name; });
}

std::vector<Box> empty_boxes() {
  return {{{0, 0, 0}, {0, 7, 1}, {0, 0, 0}}, {{0, 0, 0}, {5, 0, 1}, {0, 0, 0}}, {{4, 4, 0}, {2, 2, 1}, {0, 0, 0}}};
}

}  // namespace quoin::conformance
