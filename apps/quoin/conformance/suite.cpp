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

/// Lets the check work on `result`, with a queue of its own: an asynchronous error must not show in the next check.
template <class Check>
void run_check(const std::shared_ptr<Executor>& executor, Course& course, Result& result, const Check& check) {
  const auto start = std::chrono::steady_clock::now();
  Cases cases([&](const std::string& name) { course.begins_case(name); });
  try {
    DeviceUnderTest bench{executor, executor->queue()};
    check(bench, cases);
  } catch (const std::exception& problem) {
    result.outcome = Outcome::failed;
    result.message = cases.current().empty() ? describe(problem) : cases.current() + ": " + describe(problem);
  }
  result.cases = cases.count();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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

void run_kernel(DeviceUnderTest& bench, Cases& cases, const CatalogueEntry& entry, Precision precision,
                Result& result) {
  const KernelCheck* check = find_check(entry.name);
  if (!offered(*bench.executor, entry, precision)) {
    result.outcome = Outcome::not_offered;
    return;
  }
  const bool wide = precision == Precision::float64;
  if (check != nullptr) (wide ? check->in_double : check->in_float)(bench, cases);
  if (!check_declared(bench, cases, entry, precision) && check == nullptr)
    throw Mismatch("the suite has no oracle for this kernel, which takes more than its declaration tells");
}

}  // namespace

void run_suite(const std::shared_ptr<Executor>& executor, Course& course, std::size_t first) {
  std::size_t number = 0;
  const auto run = [&](std::string_view name, const char* precision, const auto& check) {
    const std::size_t mine = number++;
    if (mine < first) return;
    Result result{std::string(name), precision, 0, Outcome::passed, {}, 0.0};
    course.begins(mine, result);
    run_check(executor, course, result, [&](DeviceUnderTest& bench, Cases& cases) { check(bench, cases, result); });
    if (result.outcome == Outcome::passed && result.cases == 0) result.outcome = Outcome::not_offered;
    // The one kernel that a backend may leave out: the problem makes do with single sweeps.
    if (result.outcome == Outcome::not_offered && name == entry_of(KernelId::jacobi_sweeps).name) return;
    course.ended(result);
  };
  for (const CatalogueEntry& entry : catalogue) {
    for (const Precision precision : executor->device().precisions) {
      run(entry.name, precision == Precision::float64 ? "double" : "float",
          [&](DeviceUnderTest& bench, Cases& cases, Result& result) {
            run_kernel(bench, cases, entry, precision, result);
          });
    }
  }
  for (const auto list : {queue_checks(), executor_checks()}) {
    for (const InterfaceCheck& check : list)
      run(check.name, "", [&](DeviceUnderTest& bench, Cases& cases, Result&) { check.run(bench, cases); });
  }
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
    add(61, 131, {{3, 5, 0}, {40, 99, 1}, {13, 27, 0}}, " of a rank whose own node (3, 5) begins a block");
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
