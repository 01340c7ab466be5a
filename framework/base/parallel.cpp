#include "base/parallel.hpp"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "base/thread.hpp"

namespace quoin {
namespace {

/// The parts of one call. Whoever helps takes one after the other.
class Work {
 public:
  Work(std::int64_t parts, const std::function<void(std::int64_t)>& body) : parts_(parts), body_(body) {}
  [[nodiscard]] bool taken() const { return next_ >= parts_; }
  void help() {
    for (std::int64_t part = next_++; part < parts_; part = next_++) {
      body_(part);
      if (++done_ == parts_) done_.notify_all();
    }
  }
  void wait() const {
    for (std::int64_t done = done_; done < parts_; done = done_) done_.wait(done);
  }

 private:
  const std::int64_t parts_;
  const std::function<void(std::int64_t)>& body_;  // of the caller, who is there until all parts are done
  std::atomic<std::int64_t> next_ = 0, done_ = 0;
};

/// Threads that wait for work. To start one takes as long as what many parts have to do. The known libraries' pools end
/// the process where the system starts no more threads.
class Pool {
 public:
  void run(std::int64_t parts, const std::function<void(std::int64_t)>& body) {
    const auto work = std::make_shared<Work>(parts, body);
    {
      const std::lock_guard lock(mutex_);
      for (; threads_ < parts - 1; ++threads_) start_thread([this] { serve(); }).detach();
      queue_.push_back(work);
    }
    for (std::int64_t helper = 1; helper < parts; ++helper) ready_.notify_one();
    work->help();
    work->wait();
  }

 private:
  [[noreturn]] void serve() {
    for (;;) {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [this] {
        std::erase_if(queue_, [](const auto& work) { return work->taken(); });
        return !queue_.empty();
      });
      const std::shared_ptr<Work> work = queue_.front();
      lock.unlock();
      work->help();
    }
  }

  std::mutex mutex_;
  std::condition_variable ready_;
  std::vector<std::shared_ptr<Work>> queue_;
  std::int64_t threads_ = 0;
};

}  // namespace

void run_parts(std::int64_t parts, const std::function<void(std::int64_t)>& body) {
  if (parts == 1) return body(0);
  static Pool& pool = *new Pool;  // for good: its threads wait there until the process ends
  pool.run(parts, body);
}

}  // namespace quoin
