#pragma once

// The ranks of a run: processes that each own a part of a problem. Bytes alone pass between them. No rank's numbers are
// added by what carries them: sums are the framework's tree (quoin/tree_digest.hpp), joined by combine().
//
// All ranks make the collective calls combine() and broadcast() in the same order. Where another rank has failed, every
// call that waits throws, instead of waiting for ever. Errors are quoin::Error whose where() names rank and host: those
// of the rank that failed, where one has, with the kind of its error, else those of this one. A rank or tag that cannot
// be is ErrorKind::bug. One thread of a rank uses its communicator.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "quoin/error.hpp"

namespace quoin {

class Communicator {
 public:
  /// The machine that a rank runs on, and its place among the ranks there.
  struct Host {
    std::string name;
    int rank = 0;
    int size = 1;
  };

  /// A transfer under way. The memory that it was given stays where it is until it is done, and that of a send as it
  /// is. One that is destroyed before is waited for; while an exception takes this rank out of its work, it is given up
  /// instead, since the others may wait for what this rank no longer sends.
  class Transfer {
   public:
    Transfer() = default;
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;
    virtual ~Transfer() = default;
  };

  /// right = left joined with right, where left is of lower ranks. Associative to the bit; it need not commute.
  using Join = std::function<void(std::span<const std::byte> left, std::span<std::byte> right)>;

  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  /// From 0.
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  [[nodiscard]] virtual Host host() const = 0;

  /// Tags are 0 to 32766; the framework's own calls (quoin/ranks.hpp) use the highest.
  static constexpr int last_tag = 32766;

  /// Messages between two ranks with one tag arrive in the order in which they were sent, at receives in the order in
  /// which these were called. A rank may send to itself, and a message may have no bytes. A send may be done only once
  /// its receive is called: two ranks that wait for what they send before they call that wait for ever.
  [[nodiscard]] virtual std::unique_ptr<Transfer> send(std::span<const std::byte> bytes, int to, int tag) = 0;
  /// A message of another length throws ErrorKind::bug where it is waited for.
  [[nodiscard]] virtual std::unique_ptr<Transfer> receive(std::span<std::byte> bytes, int from, int tag) = 0;
  /// The values of all ranks, joined in the order of ranks, to all. Calls of `join` may bracket as they like, on any
  /// rank. Values of other lengths are ErrorKind::bug, here and in broadcast().
  [[nodiscard]] virtual std::unique_ptr<Transfer> combine(std::span<std::byte> value, Join join) = 0;
  /// The bytes of rank `root`, equally many, to all.
  virtual void broadcast(std::span<std::byte> bytes, int root) = 0;

  /// Whether it is done. Makes progress and does not wait; throws as wait() does.
  [[nodiscard]] virtual bool done(Transfer& transfer) = 0;
  virtual void wait(Transfer& transfer) = 0;

  /// Has `call` called now and then by this rank's calls that wait, for as long as they do; by none where it is empty.
  /// It may send, receive and ask done(), and not wait. What it throws, the call throws that waits.
  virtual void while_waiting(std::function<void()> call) { (void)call; }

  /// Tells all other ranks, as far as they can be reached: their calls that wait then throw an Error of that kind and
  /// text.
  virtual void report_failure(const Error& error) noexcept = 0;
  /// Ends all ranks, this one with the exit code.
  [[noreturn]] virtual void abort(int code) noexcept = 0;
};

/// A run of one process: rank 0 of 1.
[[nodiscard]] std::unique_ptr<Communicator> one_process();

}  // namespace quoin
