#pragma once

// Queues and events. Each queue is a thread, which does what it was given after the call that gave it has returned.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "memory.hpp"
#include "quoin/error.hpp"
#include "quoin/executor.hpp"

namespace worker {

using Clock = std::chrono::steady_clock;

/// A point in a queue's work: get() waits until the thread is there, and gives the time at which it was. Where work
/// before it has failed, get() throws that failure.
using Mark = std::shared_future<Clock::time_point>;

/// The last mark that was recorded in it. Whoever waits holds the mark, so that the event may be recorded anew or
/// destroyed meanwhile.
class DeviceEvent : public quoin::Event {
 public:
  [[nodiscard]] double seconds_since(const Event& earlier) const override {
    const Clock::time_point first = static_cast<const DeviceEvent&>(earlier).mark_.get();
    return std::chrono::duration<double>(mark_.get() - first).count();
  }
  void record(Mark mark) { mark_ = std::move(mark); }
  [[nodiscard]] const Mark& mark() const { return mark_; }

 private:
  Mark mark_;
};

class DeviceQueue : public quoin::Queue {
 public:
  explicit DeviceQueue(std::string device) : device_(std::move(device)), thread_([this] { run(); }) {}
  /// Does what it was given before it goes: others may wait for its events.
  ~DeviceQueue() override {
    put(nullptr);
    thread_.join();
  }

  /// Takes a copy of the source, and returns.
  void copy_in(quoin::Memory& target, std::size_t offset, std::span<const std::byte> source) override {
    if (source.empty()) return;
    give("copy_in", [piece = static_cast<DeviceMemory&>(target).piece(), offset,
                     bytes = std::vector<std::byte>(source.begin(), source.end())] {
      std::memcpy(piece.get() + offset, bytes.data(), bytes.size());
    });
  }
  /// Waits, for the data are to be there when it returns.
  void copy_out(std::span<std::byte> target, const quoin::Memory& source, std::size_t offset) override {
    if (target.empty()) return;
    give("copy_out", [piece = static_cast<const DeviceMemory&>(source).piece(), offset, target] {
      std::memcpy(target.data(), piece.get() + offset, target.size());
    });
    synchronize();
  }
  void record(quoin::Event& event) override { static_cast<DeviceEvent&>(event).record(mark()); }
  /// It is the thread that waits, not the host.
  void wait(const quoin::Event& event) override {
    give("wait", [mark = static_cast<const DeviceEvent&>(event).mark()] { mark.get(); });
  }
  void synchronize() override { mark().get(); }
  [[nodiscard]] std::uint64_t launches() const override { return launches_; }

  void launch(std::string kernel, std::function<void()> work) {
    give(std::move(kernel), std::move(work));
    ++launches_;
  }

 private:
  /// Work of that name, which is not done where work before it has failed.
  void give(std::string name, std::function<void()> work) {
    put([this, name = std::move(name), work = std::move(work)] {
      if (failure_) return;
      try {
        work();
      } catch (const quoin::Error&) {  // of the queue that this one waits for
        failure_ = std::current_exception();
      } catch (const std::exception& error) {
        failure_ =
            std::make_exception_ptr(quoin::Error(quoin::ErrorKind::device, name + " failed: " + error.what(), device_));
      }
    });
  }
  /// The point after all that was given so far.
  Mark mark() {
    const auto reached = std::make_shared<std::promise<Clock::time_point>>();
    Mark mark = reached->get_future().share();
    put([this, reached] { failure_ ? reached->set_exception(failure_) : reached->set_value(Clock::now()); });
    return mark;
  }

  /// An empty task is the last.
  void put(std::function<void()> task) {
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    given_.notify_one();
  }
  void run() {
    while (const std::function<void()> task = next()) task();  // destroyed before the next: what it holds is given back
  }
  std::function<void()> next() {
    std::unique_lock lock(mutex_);
    given_.wait(lock, [this] { return !tasks_.empty(); });
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    return task;
  }

  std::string device_;
  std::uint64_t launches_ = 0;
  std::exception_ptr failure_;  // the first; the thread's own
  std::mutex mutex_;            // of the tasks
  std::condition_variable given_;
  std::deque<std::function<void()>> tasks_;
  std::thread thread_;  // last: it uses the rest
};

}  // namespace worker
