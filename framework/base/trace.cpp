#include "base/trace.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

namespace quoin {
namespace {

std::atomic<Trace*> living{nullptr};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// A queue whose work is bracketed by events. Device times are placed on the host's clock by one base event
/// that is recorded while the queue is idle.
class WatchedQueue : public Queue {
 public:
  WatchedQueue(std::unique_ptr<Queue> inner, std::shared_ptr<Executor> executor, Trace& trace)
      : inner_(std::move(inner)), executor_(std::move(executor)), trace_(trace), base_(executor_->event()) {
    inner_->synchronize();
    inner_->record(*base_);
    inner_->synchronize();
    base_time_ = now();
  }

  void copy_in(Memory& target, std::size_t offset, std::span<const std::byte> source) override {
    bracket("copy in", "host to device", static_cast<double>(source.size()),
            [&] { inner_->copy_in(target, offset, source); });
  }
  void copy_out(std::span<std::byte> target, const Memory& source, std::size_t offset) override {
    bracket("copy out", "device to host", static_cast<double>(target.size()),
            [&] { inner_->copy_out(target, source, offset); });
    resolve();
  }
  void record(Event& event) override { inner_->record(event); }
  void wait(const Event& event) override { inner_->wait(event); }
  void synchronize() override {
    inner_->synchronize();
    resolve();
  }
  [[nodiscard]] std::uint64_t launches() const override { return inner_->launches(); }

  template <class Work>
  void bracket(const char* category, const std::string& name, double bytes, Work&& work) {
    Pending pending{category, name, bytes, executor_->event(), executor_->event()};
    inner_->record(*pending.begin);
    work();
    inner_->record(*pending.end);
    pending_.push_back(std::move(pending));
  }
  Queue& inner() { return *inner_; }

 private:
  struct Pending {
    const char* category;
    std::string name;
    double bytes;
    std::unique_ptr<Event> begin;
    std::unique_ptr<Event> end;
  };

  void resolve() {
    for (const Pending& p : pending_) {
      const double begin = base_time_ + p.begin->seconds_since(*base_);
      trace_.add({p.category, p.name, begin, p.end->seconds_since(*p.begin), p.bytes, 0});
    }
    pending_.clear();
  }

  std::unique_ptr<Queue> inner_;
  std::shared_ptr<Executor> executor_;
  Trace& trace_;
  std::unique_ptr<Event> base_;
  double base_time_ = 0.0;
  std::vector<Pending> pending_;
};

class WatchedKernel : public Kernel {
 public:
  WatchedKernel(std::unique_ptr<Kernel> inner, std::string name) : inner_(std::move(inner)), name_(std::move(name)) {}
  void launch(Queue& queue, const Box& box, std::span<const Argument> arguments) override {
    auto& watched = static_cast<WatchedQueue&>(queue);
    watched.bracket("kernel", name_, inner_->cost(box).bytes, [&] { inner_->launch(watched.inner(), box, arguments); });
  }
  [[nodiscard]] Cost cost(const Box& box) const override { return inner_->cost(box); }

 private:
  std::unique_ptr<Kernel> inner_;
  std::string name_;
};

class WatchedExecutor : public Executor {
 public:
  WatchedExecutor(std::shared_ptr<Executor> inner, Trace& trace) : inner_(std::move(inner)), trace_(trace) {}
  [[nodiscard]] const DeviceInfo& device() const override { return inner_->device(); }
  [[nodiscard]] bool supports(const KernelSpec& spec) const override { return inner_->supports(spec); }
  [[nodiscard]] Layout layout(const FieldSpec& spec) const override { return inner_->layout(spec); }
  std::unique_ptr<Memory> allocate(std::size_t bytes, MemoryKind kind) override {
    return inner_->allocate(bytes, kind);
  }
  std::unique_ptr<Queue> queue() override { return std::make_unique<WatchedQueue>(inner_->queue(), inner_, trace_); }
  std::unique_ptr<Event> event() override { return inner_->event(); }
  std::unique_ptr<Kernel> kernel(const KernelSpec& spec) override {
    return std::make_unique<WatchedKernel>(inner_->kernel(spec), spec.name);
  }

 private:
  std::shared_ptr<Executor> inner_;
  Trace& trace_;
};

}  // namespace

Trace::Trace() { living = this; }
Trace::~Trace() { living = nullptr; }

std::shared_ptr<Executor> Trace::watch(std::shared_ptr<Executor> inner) {
  return std::make_shared<WatchedExecutor>(std::move(inner), *this);
}

void Trace::add(Span span) {
  const std::lock_guard lock(mutex_);
  spans_.push_back(std::move(span));
}

void Trace::from_plugin(const char* category, const char* name, double begin, double end) {
  if (Trace* trace = living) trace->add({category, name, begin, end - begin, 0.0, 1});
}

std::string Trace::json() const {
  const std::lock_guard lock(mutex_);
  double first = spans_.empty() ? 0.0 : spans_.front().begin;
  for (const Span& s : spans_) first = std::min(first, s.begin);
  nlohmann::ordered_json events = nlohmann::ordered_json::array();
  const char* rows[] = {"queue", "inside the plugin"};
  for (int row = 0; row < 2; ++row) {
    events.push_back({{"ph", "M"}, {"name", "thread_name"}, {"pid", 1}, {"tid", row}, {"args", {{"name", rows[row]}}}});
  }
  for (const Span& s : spans_) {
    nlohmann::ordered_json event{{"ph", "X"},
                                 {"name", s.name},
                                 {"cat", s.category},
                                 {"pid", 1},
                                 {"tid", s.row},
                                 {"ts", (s.begin - first) * 1e6},
                                 {"dur", s.seconds * 1e6}};
    if (s.bytes > 0.0) event["args"] = {{"bytes", s.bytes}};
    events.push_back(std::move(event));
  }
  return nlohmann::ordered_json{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}}.dump();
}

}  // namespace quoin
