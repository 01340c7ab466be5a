#pragma once

// The subgroup dialect on the host, for tests: a work-group whose lanes are threads, and whose subgroups of `Width`
// lanes go from one collective to the next together, as the hardware's do. Kernel text for devices that are not at
// hand (wavefronts of 64) runs here unchanged.

#include <array>
#include <atomic>
#include <barrier>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "kernels/dialect/cpp.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

/// What the lanes of one hardware subgroup share.
template <int Width>
struct LockstepUnit {
  std::barrier<> step{Width};
  std::array<std::uint64_t, Width> value{};  ///< what each lane brought to the collective
  std::array<bool, Width> left{};            ///< lanes that have returned
};

/// The host's counterpart of Subgroup<Size>.
template <int Size, int Width>
class LockstepLanes {
  static_assert(Size >= 2 && Size <= Width && (Size & (Size - 1)) == 0);

 public:
  static constexpr int size = Size;

  LockstepLanes(LockstepUnit<Width>& unit, std::atomic<bool>& broken, int thread)
      : unit_(unit), broken_(broken), first_(thread % Width / Size * Size), lane_(thread % Size) {}

  int lane() const { return lane_; }
  template <class T>
  T shuffle(T value, int source) const {
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    std::memcpy(&unit_.value[own()], &value, sizeof(T));
    unit_.step.arrive_and_wait();
    const auto place = static_cast<std::size_t>(first_ + source);
    if (unit_.left[place]) broken_ = true;
    std::memcpy(&value, &unit_.value[place], sizeof(T));
    unit_.step.arrive_and_wait();
    return value;
  }
  template <class T>
  T shuffle_up(T value, int distance) const {
    return shuffle(value, lane_ >= distance ? lane_ - distance : lane_);
  }
  template <class T>
  T shuffle_down(T value, int distance) const {
    return shuffle(value, lane_ + distance < Size ? lane_ + distance : lane_);
  }
  template <class T>
  T shuffle_xor(T value, int mask) const {
    return shuffle(value, lane_ ^ mask);
  }
  std::uint64_t ballot(bool vote) const {
    std::uint64_t votes = 0;
    unit_.value[own()] = vote ? 1 : 0;
    unit_.step.arrive_and_wait();
    for (int k = 0; k < Size; ++k) {
      const auto place = static_cast<std::size_t>(first_ + k);
      if (unit_.left[place]) broken_ = true;
      votes |= unit_.value[place] << k;
    }
    unit_.step.arrive_and_wait();
    return votes;
  }
  bool any(bool vote) const { return ballot(vote) != 0; }
  bool all(bool vote) const { return ballot(vote) == ~std::uint64_t{0} >> (64 - Size); }

 private:
  std::size_t own() const { return static_cast<std::size_t>(first_ + lane_); }

  LockstepUnit<Width>& unit_;
  std::atomic<bool>& broken_;
  int first_;
  int lane_;
};

/// Runs body(thread, lanes, barrier) for every thread of a work-group of `threads`, a multiple of Width; `lanes` are
/// subgroups of Size and `barrier` waits for the work-group. Throws std::logic_error where a collective read from a
/// lane that had returned: on a device that value is undefined.
template <int Size, int Width, class Body>
void run_in_lockstep(int threads, const Body& body) {
  const auto units = std::make_unique<LockstepUnit<Width>[]>(static_cast<std::size_t>(threads / Width));
  std::barrier<> whole(threads);
  std::atomic<bool> broken = false;
  {
    std::vector<std::jthread> items;
    for (int thread = 0; thread < threads; ++thread) {
      items.emplace_back([&, thread] {
        LockstepUnit<Width>& unit = units[static_cast<std::size_t>(thread / Width)];
        body(thread, LockstepLanes<Size, Width>(unit, broken, thread), [&] { whole.arrive_and_wait(); });
        unit.left[static_cast<std::size_t>(thread % Width)] = true;
        unit.step.arrive_and_drop();
        whole.arrive_and_drop();
      });
    }
  }
  if (broken) throw std::logic_error("a collective read from a lane that had returned");
}

}  // namespace QN_ISA
}  // namespace quoin::kernels
