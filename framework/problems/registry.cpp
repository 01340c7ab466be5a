#include <algorithm>
#include <string>
#include <utility>

#include "quoin/error.hpp"
#include "quoin/problem.hpp"

namespace quoin {
namespace {

// A function-local static: problems register from other files before this one is initialised.
std::vector<ProblemType>& registry() {
  static std::vector<ProblemType> types;
  return types;
}

}  // namespace

void register_problem(ProblemType type) {
  // Sorted, so that nothing depends on the order in which files are initialised.
  std::vector<ProblemType>& types = registry();
  const auto place = std::lower_bound(types.begin(), types.end(), type,
                                      [](const ProblemType& a, const ProblemType& b) { return a.name < b.name; });
  if (place != types.end() && place->name == type.name)
    throw Error(ErrorKind::plugin, "there is another problem called '" + type.name + "'");
  types.insert(place, std::move(type));
}

const std::vector<ProblemType>& problem_types() { return registry(); }

const ProblemType& problem_type(std::string_view name) {
  for (const ProblemType& type : registry())
    if (type.name == name) return type;
  throw Error(ErrorKind::bug, "no problem registered under the name '" + std::string(name) + "'");
}

void Problem::set_up_part(std::shared_ptr<Executor> executor, Communicator& ranks) {
  if (ranks.size() > 1) throw Error(ErrorKind::usage, "this problem runs in one process only; run it without ranks");
  set_up(std::move(executor));
}

void Problem::start_from(CheckpointReader& /*reader*/, const Case& /*theirs*/) {
  throw Error(ErrorKind::bug, "a problem that has keys of a start, and does not start from fields");
}

std::string_view to_string(Status status) {
  switch (status) {
    case Status::running:
      return "running";
    case Status::converged:
      return "converged";
    case Status::completed:
      return "completed";
    case Status::not_converged:
      return "not_converged";
    case Status::stagnated:
      return "stagnated";
    case Status::max_steps:
      return "max_steps";
    case Status::diverged:
      return "diverged";
    case Status::interrupted:
      return "interrupted";
    case Status::failed:
      return "failed";
  }
  throw Error(ErrorKind::bug, "a run status without a name");
}

}  // namespace quoin
