#include "ranks.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "first_rank.hpp"
#include "quoin/communicators.hpp"
#include "quoin/error.hpp"
#include "quoin/log.hpp"
#include "quoin/run.hpp"

namespace quoin {
namespace {

Error as_error(const std::exception& error) {
  const auto* known = dynamic_cast<const Error*>(&error);
  if (known != nullptr)
    return {known->kind(), known->where().empty() ? known->what() : known->where() + ": " + known->what()};
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  return {memory ? ErrorKind::device : ErrorKind::bug, memory ? "out of memory on the host" : error.what()};
}

/// The processors that this process may use, neighbours in the machine side by side.
std::vector<int> processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  const auto fact = [](int processor, const char* name) {
    int value = 0;
    std::ifstream("/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/" + name) >> value;
    return value;
  };
  std::vector<std::array<int, 3>> places;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &set))
      places.push_back({fact(processor, "physical_package_id"), fact(processor, "core_id"), processor});
  std::ranges::sort(places);
  std::vector<int> sorted;
  for (const auto& place : places) sorted.push_back(place.back());
  return sorted;
}

/// Ranks of a host that nobody else has pinned have a share of its processors each, if there are enough.
void pin_apart(const Communicator::Host& host) {
  const std::vector<int> all = processors();
  const auto ranks = static_cast<std::size_t>(host.size);
  if (all.size() < ranks) return;
  const auto place = static_cast<std::size_t>(host.rank);
  cpu_set_t own;
  CPU_ZERO(&own);
  for (std::size_t k = all.size() * place / ranks; k < all.size() * (place + 1) / ranks; ++k) CPU_SET(all[k], &own);
  sched_setaffinity(0, sizeof own, &own);
}

}  // namespace

bool follows(Context& context) {
  if (!started_by_launcher()) return false;
  context.ranks = open_communicator(folders_of(context));
  const char* const file = std::getenv(first_rank_variable);
  if (file != nullptr) pin_apart(context.ranks->host());
  if (context.ranks->rank() == 0) {
    if (file != nullptr) write_first_rank(file, {getpid(), {}});
    return false;
  }
  log_level(spdlog::level::err);
  const std::vector<Candidate> plugins = candidates(context);
  follow_case(plugins, key_table(plugins), *context.ranks);
  return true;
}

void add_ranks(CLI::App& command, int& ranks) {
  command.add_option("--ranks", ranks, "Run on so many processes, started by mpirun; the results are the same")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 20));
}

void tell_launcher(const Communicator& ranks, int code) {
  const char* const file = std::getenv(first_rank_variable);
  if (file != nullptr && ranks.rank() == 0) write_first_rank(file, {getpid(), code});
}

void end_with_others(Communicator& ranks, const std::exception& error, const std::function<int()>& report) {
  constexpr auto patience = std::chrono::seconds(8);
  const Error told = as_error(error);
  if (ranks.rank() == 0) {
    const int code = report();
    ranks.report_failure(told);
    tell_launcher(ranks, code);
    ranks.abort(code);
  }
  ranks.report_failure(told);
  std::this_thread::sleep_for(patience);  // the first rank ends all; unless it hangs itself
  report();
  ranks.abort(told.exit_code());
  std::_Exit(told.exit_code());
}

}  // namespace quoin
