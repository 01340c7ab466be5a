#include "base/trace.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace quoin {
namespace {

std::atomic<Trace*> living{nullptr};

/// A queue whose work is bracketed by events. Device times are placed on the host's clock by one base event
/// that is recorded while the queue is idle.
class WatchedQueue : public Queue {
 public:
  WatchedQueue(std::unique_ptr<Queue> inner, std::shared_ptr<Executor> executor, Trace& trace)
      : inner_(std::move(inner)), executor_(std::move(executor)), trace_(trace), base_(executor_->event()) {
    inner_->synchronize();
    inner_->record(*base_);
    inner_->synchronize();
    base_time_ = Trace::now();
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
  std::byte* map(Memory& memory, std::size_t offset, std::size_t bytes) override {
    return inner_->map(memory, offset, bytes);
  }
  void unmap(Memory& memory, std::byte* address) override { inner_->unmap(memory, address); }
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
  [[nodiscard]] Copied copied() const override { return inner_->copied(); }

 private:
  std::shared_ptr<Executor> inner_;
  Trace& trace_;
};

std::vector<Trace::Span> unpacked(const std::string& bytes, double clock_ahead) {
  std::vector<Trace::Span> spans;
  for (const auto& s : nlohmann::json::from_msgpack(bytes))
    spans.push_back({s[0], s[1], s[2].get<double>() - clock_ahead, s[3], s[4], s[5]});
  return spans;
}

/// A lane: rows of spans under a name. `first` is the time that becomes 0.
void append(nlohmann::ordered_json& events, int lane, const std::string& name, const std::vector<Trace::Span>& spans,
            double first) {
  if (!name.empty())
    events.push_back({{"ph", "M"}, {"name", "process_name"}, {"pid", lane}, {"args", {{"name", name}}}});
  const std::array rows{"queue", "inside the plugin", "other ranks"};
  for (std::size_t row = 0; row < (name.empty() ? 2 : rows.size()); ++row)
    events.push_back(
        {{"ph", "M"}, {"name", "thread_name"}, {"pid", lane}, {"tid", row}, {"args", {{"name", rows[row]}}}});
  for (const Trace::Span& s : spans) {
    nlohmann::ordered_json event{{"ph", "X"},
                                 {"name", s.name},
                                 {"cat", s.category},
                                 {"pid", lane},
                                 {"tid", s.row},
                                 {"ts", (s.begin - first) * 1e6},
                                 {"dur", s.seconds * 1e6}};
    if (s.bytes > 0.0) event["args"] = {{"bytes", s.bytes}};
    events.push_back(std::move(event));
  }
}

}  // namespace

double Trace::now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

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

void Trace::waited(double begin, double seconds) {
  if (Trace* trace = living) trace->add({"wait", "wait for ranks", begin, seconds, 0.0, 2});
}

std::string Trace::packed() const {
  const std::lock_guard lock(mutex_);
  nlohmann::json spans = nlohmann::json::array();
  for (const Span& s : spans_) spans.push_back({s.category, s.name, s.begin, s.seconds, s.bytes, s.row});
  const std::vector<std::uint8_t> bytes = nlohmann::json::to_msgpack(spans);
  return {bytes.begin(), bytes.end()};
}

std::string Trace::json(const std::string& name, const std::vector<Lane>& others) const {
  std::vector<std::pair<std::string, std::vector<Span>>> lanes;
  {
    const std::lock_guard lock(mutex_);
    lanes.emplace_back(name, spans_);
  }
  for (const Lane& other : others) lanes.emplace_back(other.name, unpacked(other.packed, other.clock_ahead));
  double first = std::numeric_limits<double>::infinity();
  for (const auto& lane : lanes)
    for (const Span& s : lane.second) first = std::min(first, s.begin);
  nlohmann::ordered_json events = nlohmann::ordered_json::array();
  int number = 0;
  for (const auto& [of_lane, spans] : lanes) append(events, ++number, of_lane, spans, first);
  return nlohmann::ordered_json{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}}.dump();
}

}  // namespace quoin
