#include "bench/adding.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "quoin/error.hpp"

namespace quoin::bench {
namespace {

using Count = std::uint32_t;  // wraps around, as the kernel's does

/// Adds one after the other until it is told to stop. Each gives the value before it: where that is more than the
/// host's own adds have come to since the one before, the kernel has added between the two.
class HostAdds {
 public:
  explicit HostAdds(Count& number) : thread_([this, &number] { add(std::atomic_ref<Count>(number)); }) {
    while (!begun_) std::this_thread::yield();
  }
  HostAdds(const HostAdds&) = delete;
  HostAdds& operator=(const HostAdds&) = delete;
  ~HostAdds() { stop(); }
  void stop() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
  }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::int64_t between() const { return last_ - first_; }

 private:
  void add(std::atomic_ref<Count> number) {
    Count expected = number.load(std::memory_order_relaxed);
    while (!over_.load(std::memory_order_relaxed)) {
      const Count before = number.fetch_add(1, std::memory_order_relaxed);
      if (before != expected) {
        last_ = count_;
        if (!met_) first_ = count_;
        met_ = true;
      }
      expected = before + 1;
      ++count_;
      begun_.store(true, std::memory_order_relaxed);
    }
  }

  std::atomic<bool> begun_ = false;
  std::atomic<bool> over_ = false;
  bool met_ = false;
  std::int64_t count_ = 0;
  std::int64_t first_ = 0, last_ = 0;  // its own adds before the kernel was met for the first and for the last time
  std::thread thread_;                 // last: it uses the others
};

}  // namespace

AddedTogether add_together(Executor& executor, Queue& queue, Kernel& kernel) {
  constexpr std::int64_t points = 6144;
  constexpr std::int64_t enough = 10;  // of the host's adds between the kernel's
  constexpr std::int64_t most = std::int64_t{1} << 27U;
  const auto memory = executor.allocate(sizeof(Count), MemoryKind::shared_atomic);
  auto* const number = reinterpret_cast<Count*>(memory->on_host());
  if (number == nullptr)
    throw Error(ErrorKind::device, "the host cannot look into memory of the kind shared_atomic",
                executor.device().name);
  AddedTogether found{};
  for (std::int64_t rounds = 1; points * rounds <= most; rounds *= 4) {
    *number = 0;
    const auto begin = std::chrono::steady_clock::now();
    HostAdds host(*number);
    kernel.launch(
        queue, Box::line(points),
        std::array{Argument::buffer(*memory), Argument::integer(1), Argument::integer(rounds), Argument::integer(0)});
    queue.synchronize();
    found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    host.stop();
    found.by_kernel = points * rounds;
    found.by_host = host.count();
    found.between = host.between();
    if (*number != static_cast<Count>(found.by_kernel + found.by_host))
      throw Error(ErrorKind::device,
                  fmt::format("adds were lost: the host has added {} and the kernel {} to a number that is {}, modulo "
                              "2^32",
                              found.by_host, found.by_kernel, *number),
                  executor.device().name);
    if (found.between >= enough) return found;
  }
  throw Error(ErrorKind::device,
              fmt::format("host and kernel did not add at the same time: of {} adds of the host, {} came between those "
                          "of the kernel",
                          found.by_host, found.between),
              executor.device().name);
}

}  // namespace quoin::bench
