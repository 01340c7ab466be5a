#include "conformance/suite.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "conformance/declared.hpp"
#include "quoin/error.hpp"
#include "quoin/reference.hpp"

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

/// A kernel, the set that it is from, and its oracle, or null.
struct KernelSubject {
  const CatalogueEntry& entry;
  const KernelSet& kernels;
  const KernelCheck* oracle;
};

void run_kernel(DeviceUnderTest& bench, Cases& cases, const KernelSubject& subject, Precision precision,
                Result& result) {
  const auto& [entry, kernels, oracle] = subject;
  if (!offered(*bench.executor, entry, precision)) {
    result.outcome = Outcome::not_offered;
    return;
  }
  const bool wide = precision == Precision::float64;
  if (oracle != nullptr) (wide ? oracle->in_double : oracle->in_float)(bench, cases);
  if (!kernels.declared(bench, cases, entry, precision) && oracle == nullptr)
    throw Mismatch("the suite has no oracle for this kernel, which takes more than its declaration tells");
}

}  // namespace

std::vector<std::string> check_names(const std::vector<KernelSet>& outside) {
  std::vector<std::string> names;
  const auto add = [&](const auto& list) {
    for (const auto& named : list) names.emplace_back(named.name);
  };
  add(catalogue);
  for (const KernelSet& kernels : outside) add(kernels.entries);
  add(queue_checks());
  add(executor_checks());
  return names;
}

void run_suite(const std::shared_ptr<Executor>& executor, Course& course, const Selection& selection,
               std::vector<KernelSet> sets) {
  std::size_t number = 0;
  const auto run = [&](std::string_view name, const char* precision, const auto& check) {
    const std::size_t mine = number++;
    if (mine < selection.first) return;
    if (!selection.names.empty() && std::ranges::find(selection.names, name) == selection.names.end()) return;
    Result result{std::string(name), precision, 0, Outcome::passed, {}, 0.0};
    course.begins(mine, result);
    run_check(executor, course, result, [&](DeviceUnderTest& bench, Cases& cases) { check(bench, cases, result); });
    if (result.outcome == Outcome::passed && result.cases == 0) result.outcome = Outcome::not_offered;
    // What a backend may leave out: the problem makes do with single sweeps, or with four kernels.
    const CatalogueEntry* const entry = find_kernel(name);
    const bool may_lack = entry != nullptr && entry->pattern == Pattern::own_sweeps;
    if (result.outcome == Outcome::not_offered && may_lack) return;
    course.ended(result);
  };
  sets.insert(sets.begin(),
              {catalogue, "", catalogue_cost, [] { return by_kernel(RegisterOracles::all()); },
               [](DeviceUnderTest& bench, Cases& cases, const CatalogueEntry& entry, Precision precision) {
                 return check_declared(bench, cases, entry, precision, run_reference);
               }});
  std::set<std::string_view> seen;
  for (const KernelSet& kernels : sets) {
    const KernelChecks oracles = kernels.oracles();
    for (const CatalogueEntry& entry : kernels.entries) {
      if (!seen.insert(entry.name).second) continue;
      const auto found = oracles.find(entry.name);
      const KernelSubject subject{entry, kernels, found == oracles.end() ? nullptr : &found->second};
      for (const Precision precision : executor->device().precisions) {
        run(entry.name, precision == Precision::float64 ? "double" : "float",
            [&](DeviceUnderTest& bench, Cases& cases, Result& result) {
              run_kernel(bench, cases, subject, precision, result);
            });
      }
    }
  }
  for (const auto list : {queue_checks(), executor_checks()}) {
    for (const InterfaceCheck& check : list)
      run(check.name, "", [&](DeviceUnderTest& bench, Cases& cases, Result&) { check.run(bench, cases); });
  }
}

}  // namespace quoin::conformance
