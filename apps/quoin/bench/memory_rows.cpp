#include "bench/memory_rows.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <map>
#include <utility>

#include "bench/adding.hpp"
#include "bench/figures.hpp"
#include "bench/large_rows.hpp"
#include "commands.hpp"
#include "quoin/error.hpp"
#include "quoin/memory_kinds.hpp"
#include "quoin/watchdog.hpp"

namespace quoin::bench::memory {
namespace {

constexpr KernelRow look_row{"look", "memory_add", 1, 1};

/// While it lives, ends the process with the exit code of a device that fails, unless the benchmark goes on in time: a
/// call into the driver would never return.
class Patience {
 public:
  Patience(double seconds, const std::string& device)
      : watchdog_(seconds, [this, seconds, device] {
          fail(fmt::format("{}: {} did not end in {:g} s: a kernel hangs, or --patience is too short", device,
                           what_.load(), seconds),
               static_cast<int>(ErrorKind::device));
          std::_Exit(static_cast<int>(ErrorKind::device));
        }) {}
  void begins(const char* what) {
    what_ = what;
    watchdog_.heard();
  }

 private:
  std::atomic<const char*> what_ = "the start";
  Watchdog watchdog_;  // last: it uses the other
};

/// Element k of a list that begins with another one in each run.
template <class Rows>
auto& in_turn(Rows& all, std::size_t k, std::size_t run) {
  return all[(k + run) % all.size()];
}

/// Kernels that the device has, each made once for a kind of memory: NVIDIA's OpenCL has refused to launch one that was
/// given buffers and shared pointers in turn.
class Kernels {
 public:
  explicit Kernels(Executor& executor) : executor_(executor) {}
  /// Null where the device lacks it.
  Kernel* find(const std::string& name, MemoryKind kind = MemoryKind::device) {
    const KernelSpec spec = spec_of(executor_, name);
    if (!executor_.supports(spec)) return nullptr;
    auto& made = made_[{name, kind}];
    if (made == nullptr) made = executor_.kernel(spec);
    return made.get();
  }

 private:
  Executor& executor_;
  std::map<std::pair<std::string, MemoryKind>, std::unique_ptr<Kernel>> made_;
};

/// All rows of 6144 integers, in all kinds of memory.
class SmallRows {
 public:
  SmallRows(const std::shared_ptr<Executor>& executor, Queue& queue, Kernels& kernels) : queue_(queue) {
    for (const MemoryKind kind : executor->device().memories) {
      for (const KernelRow& row : kernel_rows())
        if (Kernel* const kernel = kernels.find(row.kernel, kind))
          adders.emplace_back(executor, queue, *kernel, row, kind);
      looks.emplace_back(executor, queue, *kernels.find(look_row.kernel, kind), look_row, kind);
    }
    for (std::size_t k = 0; k <= adders.size(); ++k) events_.push_back(executor->event());
  }
  /// Each row once, in turn, another one first in each run: who comes early may find caches cold, or the host busy.
  void pass(Lead& lead, std::size_t run, bool counted) {
    lead.launch(queue_);
    queue_.record(*events_.front());
    for (std::size_t k = 0; k < adders.size(); ++k) {
      in_turn(adders, k, run).launch(queue_);
      queue_.record(*events_[k + 1]);
    }
    queue_.synchronize();
    for (std::size_t k = 0; k < adders.size() && counted; ++k)
      in_turn(adders, k, run).times.us.push_back(1e6 * events_[k + 1]->seconds_since(*events_[k]));
    for (std::size_t k = 0; k < looks.size(); ++k) {
      Adder& each = in_turn(looks, k, run);
      const auto begin = std::chrono::steady_clock::now();
      each.launch(queue_);
      each.look(queue_);
      const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
      if (counted) each.times.us.push_back(took.count());
    }
  }
  void check() {
    for (auto* list : {&adders, &looks})
      for (Adder& each : *list) each.check(queue_);
  }

  std::deque<Adder> adders, looks;

 private:
  Queue& queue_;
  std::vector<std::unique_ptr<Event>> events_;
};

/// Those that the device has of them, in turn.
std::deque<LargeRows> measure_large(const std::shared_ptr<Executor>& executor, Queue& queue, Lead& lead,
                                    const Amount& amount, Patience& patience) {
  std::deque<LargeRows> all;
  for (const char* kernel : {"stream_copy", "sum"})
    if (!executor->supports({kernel, Precision::float64, {}})) return all;
  for (const MemoryKind kind : executor->device().memories) all.emplace_back(executor, kind, amount.mebibytes);
  for (int run = 0; run <= amount.large_runs(); ++run) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      patience.begins("writing, copying and summing");
      in_turn(all, k, static_cast<std::size_t>(run)).run(queue, lead, run > 0);
    }
  }
  return all;
}

Json json_of(const AddedTogether& found) {
  return {{"by_kernel", found.by_kernel},
          {"by_host", found.by_host},
          {"between", found.between},
          {"seconds", found.seconds}};
}

}  // namespace

void measure(const std::shared_ptr<Executor>& executor, const Amount& amount, Json& found,
             const std::function<void(const std::string& csv)>& keep) {
  Patience patience(amount.patience, executor->device().name);
  const auto queue = executor->queue();
  Kernels kernels(*executor);
  Kernel* const atomic_add = kernels.find("memory_atomic_add");
  if (atomic_add == nullptr || kernels.find("memory_add") == nullptr)
    throw Error(ErrorKind::device, "no kernels of the family memory", executor->device().name);
  Lead lead(executor, *queue, *atomic_add);
  SmallRows small(executor, *queue, kernels);
  for (int run = 0; run <= amount.runs; ++run) {
    patience.begins("a pass over integers");
    small.pass(lead, static_cast<std::size_t>(run), run > 0);
  }
  const std::deque<LargeRows> large = measure_large(executor, *queue, lead, amount, patience);

  std::string csv = "memory,row,us\n";
  const auto add = [&](const Times& times) {
    found["rows"][std::string(name_of(times.kind))][times.row] = spread(times.us);
    for (const double us : times.us) csv += fmt::format("{},{},{}\n", name_of(times.kind), times.row, us);
  };
  for (const auto* list : {&small.adders, &small.looks})
    for (const Adder& each : *list) add(each.times);
  for (const LargeRows& each : large)
    for (const Times& times : each.times) add(times);
  keep(csv);

  small.check();
  found["together"] = nullptr;
  Kernel* const shared_add = kernels.find("memory_shared_add", MemoryKind::shared_atomic);
  if (shared_add != nullptr && has_memory_kind(executor->device(), MemoryKind::shared_atomic)) {
    patience.begins("adding by host and kernel at the same time");
    found["together"] = json_of(add_together(*executor, *queue, *shared_add));
  }
}

}  // namespace quoin::bench::memory
