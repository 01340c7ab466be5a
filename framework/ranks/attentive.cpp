#include "ranks/attentive.hpp"

#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "base/trace.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

constexpr int question_tag = Communicator::last_tag - 1;
constexpr int answer_tag = Communicator::last_tag - 2;

template <class T>
std::span<std::byte> memory_of(T& value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

}  // namespace

AttentiveRanks::AttentiveRanks(Communicator& ranks, std::function<std::string()> trace)
    : ranks_(ranks), trace_(std::move(trace)) {
  if (ranks_.rank() > 0) listen();
  ranks_.while_waiting([this] { ranks_.rank() > 0 ? attend() : call_roll(); });
}

/// While an exception takes this rank out of the run, nobody is waited for: the others are told elsewhere.
AttentiveRanks::~AttentiveRanks() {
  ranks_.while_waiting({});
  if (std::uncaught_exceptions() > exceptions_) return;
  try {
    if (ranks_.rank() == 0)
      for (int rank = 1; rank < ranks_.size(); ++rank) ranks_.wait(*put(Question::end, rank));
    while (asked_) {
      ranks_.wait(*asked_);
      answer();
    }
    for (const auto& sent : answers_) ranks_.wait(*sent);
  } catch (const std::exception&) {  // another rank has failed: what comes next says so
  }
}

Traffic AttentiveRanks::traffic() const {
  Traffic traffic = traffic_;
  if (since_) traffic.waiting_seconds += Trace::now() - *since_;
  return traffic;
}

/// Adds its time, and shows it on the timeline.
template <class Wait>
void AttentiveRanks::count(const Wait& wait) {
  since_ = Trace::now();
  wait();
  traffic_.waiting_seconds = traffic().waiting_seconds;
  Trace::waited(*since_, Trace::now() - *since_);
  since_.reset();
}

std::unique_ptr<Communicator::Transfer> AttentiveRanks::send(std::span<const std::byte> bytes, int to, int tag) {
  ++traffic_.messages;
  traffic_.bytes += static_cast<std::int64_t>(bytes.size());
  return ranks_.send(bytes, to, tag);
}

std::unique_ptr<Communicator::Transfer> AttentiveRanks::combine(std::span<std::byte> value, Join join) {
  ++traffic_.collectives;
  return ranks_.combine(value, std::move(join));
}

void AttentiveRanks::broadcast(std::span<std::byte> bytes, int root) {
  ++traffic_.collectives;
  count([&] { ranks_.broadcast(bytes, root); });
}

void AttentiveRanks::wait(Transfer& transfer) {
  count([&] { ranks_.wait(transfer); });
}

void AttentiveRanks::abort(int code) noexcept {
  ranks_.abort(code);
  std::_Exit(code);
}

void AttentiveRanks::listen() { asked_ = ranks_.receive(memory_of(question_), 0, question_tag); }

void AttentiveRanks::attend() {
  if (asked_ && ranks_.done(*asked_)) answer();
}

void AttentiveRanks::answer() {
  if (question_ == Question::end) return asked_.reset();
  if (question_ == Question::trace && trace_) text_ = trace_();
  heads_.push_back(
      std::make_unique<Head>(Head{traffic(), Trace::now(), question_ == Question::trace ? text_.size() : 0}));
  answers_.push_back(ranks_.send(memory_of(*heads_.back()), 0, answer_tag));
  if (heads_.back()->bytes > 0) answers_.push_back(ranks_.send(std::as_bytes(std::span(text_)), 0, answer_tag));
  listen();
}

std::unique_ptr<Communicator::Transfer> AttentiveRanks::put(Question question, int to) {
  static constexpr std::array questions{Question::traffic, Question::trace, Question::end};
  const Question& kept = questions.at(static_cast<std::size_t>(question));
  return ranks_.send(std::as_bytes(std::span(&kept, 1)), to, question_tag);
}

std::vector<AttentiveRanks::Answer> AttentiveRanks::ask(bool with_traces) {
  std::vector<Answer> answers;
  for (int rank = 1; rank < ranks_.size(); ++rank) {
    Head head{};
    const double asked = Trace::now();
    ranks_.wait(*put(with_traces ? Question::trace : Question::traffic, rank));
    ranks_.wait(*ranks_.receive(memory_of(head), rank, answer_tag));
    Answer& answer = answers.emplace_back();
    answer = {head.traffic, head.clock - (asked + Trace::now()) / 2, std::string(head.bytes, '\0')};
    if (head.bytes > 0) ranks_.wait(*ranks_.receive(std::as_writable_bytes(std::span(answer.trace)), rank, answer_tag));
  }
  return answers;
}

std::vector<int> AttentiveRanks::missing(double patience) {
  std::unique_lock lock(mutex_);
  patience_ = patience;
  wanted_ = true;
  const auto enough = std::chrono::duration<double>(1.5 * patience);
  if (called_.wait_for(lock, enough, [this] { return missing_.has_value(); })) return *missing_;
  return {0};
}

/// Once, where the thread beside this one asks for it.
void AttentiveRanks::call_roll() {
  if (!wanted_.exchange(false)) return;
  const auto ranks = static_cast<std::size_t>(ranks_.size());
  std::vector<Head> heads(ranks);
  std::vector<std::unique_ptr<Transfer>> under_way(ranks);
  for (int rank = 1; rank < ranks_.size(); ++rank) {
    unanswered_.push_back(put(Question::traffic, rank));
    under_way[static_cast<std::size_t>(rank)] =
        ranks_.receive(memory_of(heads[static_cast<std::size_t>(rank)]), rank, answer_tag);
  }
  std::vector<int> missing;
  const double end = Trace::now() + patience_;
  do {
    missing.clear();
    for (std::size_t rank = 1; rank < ranks; ++rank) {
      if (under_way[rank] && ranks_.done(*under_way[rank])) under_way[rank].reset();
      if (under_way[rank]) missing.push_back(static_cast<int>(rank));
    }
    std::this_thread::yield();
  } while (!missing.empty() && Trace::now() < end);
  unread_ = std::move(heads);
  for (auto& transfer : under_way)
    if (transfer) unanswered_.push_back(std::move(transfer));
  const std::lock_guard lock(mutex_);
  missing_ = missing;
  called_.notify_all();
}

}  // namespace quoin
