#include "ranks/thread_post.hpp"

#include <thread>
#include <utility>

#include "ranks/address.hpp"

namespace quoin::testing {
namespace {

std::size_t index_of(int rank) { return static_cast<std::size_t>(rank); }

}  // namespace

Post::Post(int ranks, std::string host)
    : looks(index_of(ranks)),
      rounds_of(index_of(ranks)),
      host_(std::move(host)),
      waiting_(index_of(ranks)),
      ended_(index_of(ranks)) {}

/// Whether it is done now.
bool Post::look(int rank, Awaited& awaited, std::unique_lock<std::mutex>& lock) {
  if (awaited.taken) return true;
  const std::int64_t now = ++looks[index_of(rank)];
  if (!awaited.there() || awaited.seen_at() > now) return false;
  awaited.taken = true;
  awaited.take(lock);
  return true;
}

void Post::wait(int rank, Awaited& awaited) {
  std::unique_lock lock(mutex);
  const Awaited*& waiting = waiting_[index_of(rank)];
  while (!look(rank, awaited, lock)) {
    if (awaited.there()) {
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
      continue;
    }
    throw_if_hopeless(rank, awaited);
    waiting = &awaited;
    if (all_wait()) {
      failure_ = Failure{ErrorKind::bug, "ranks wait for each other: " + who_waits(), place_of(rank, host_)};
      changed.notify_all();
    } else {
      changed.wait(lock);
    }
    waiting = nullptr;
  }
}

bool Post::done(int rank, Awaited& awaited) {
  std::unique_lock lock(mutex);
  if (look(rank, awaited, lock)) return true;
  if (!awaited.there()) throw_if_hopeless(rank, awaited);
  lock.unlock();
  std::this_thread::yield();
  return false;
}

void Post::wait_for_last(int rank, Awaited& awaited) noexcept {
  try {
    wait(rank, awaited);
  } catch (...) {
    fail(rank, std::current_exception());
  }
}

void Post::throw_if_hopeless(int rank, const Awaited& awaited) const {
  if (failure_) throw Error(failure_->kind, failure_->message, failure_->place);
  if (!ended_[index_of(awaited.awaited_rank())]) return;
  throw Error(ErrorKind::bug,
              "waits for " + awaited.name() + ", but rank " + std::to_string(awaited.awaited_rank()) + " has ended",
              place_of(rank, host_));
}

/// And none of them can go on, or will learn that it waits for one that has ended.
bool Post::all_wait() const {
  for (std::size_t rank = 0; rank < waiting_.size(); ++rank) {
    if (ended_[rank]) continue;
    const Awaited* awaited = waiting_[rank];
    if (awaited == nullptr || awaited->there() || ended_[index_of(awaited->awaited_rank())]) return false;
  }
  return true;
}

std::string Post::who_waits() const {
  std::string text;
  for (std::size_t rank = 0; rank < waiting_.size(); ++rank)
    if (!ended_[rank])
      text += (text.empty() ? "rank " : "; rank ") + std::to_string(rank) + " for " + waiting_[rank]->name();
  return text;
}

void Post::end(int rank) {
  const std::lock_guard lock(mutex);
  ended_[index_of(rank)] = true;
  changed.notify_all();
}

void Post::fail(int rank, const std::exception_ptr& error) {
  Failure failure{ErrorKind::bug, "rank " + std::to_string(rank) + " has failed", place_of(rank, host_)};
  try {
    std::rethrow_exception(error);
  } catch (const Error& thrown) {
    failure.kind = thrown.kind();
    failure.message += ": " + (thrown.where().empty() ? "" : thrown.where() + ": ") + thrown.what();
  } catch (const std::exception& thrown) {
    failure.message += std::string(": ") + thrown.what();
  } catch (...) {
  }
  const std::lock_guard lock(mutex);
  ended_[index_of(rank)] = true;
  if (!first_) first_ = error;
  if (!failure_) failure_ = failure;
  changed.notify_all();
}

void Post::close() const {
  if (first_) std::rethrow_exception(first_);
  for (const auto& [address, channel] : channels) {
    const auto& [from, to, tag] = address;
    if (!channel.messages.empty())
      throw Error(ErrorKind::bug, message_name(from, tag) + " was never received", place_of(to, host_));
  }
}

}  // namespace quoin::testing
