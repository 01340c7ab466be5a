#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "quoin/communicator.hpp"
#include "quoin/error.hpp"

namespace quoin::testing {

/// Bytes that lie here, or with the sender, who waits for a receive to be called.
struct Message {
  std::span<const std::byte> bytes;
  std::vector<std::byte> own;
  bool with_sender = true;
  std::int64_t seen_at = 0;  ///< the receiver's look that first sees it

  void keep() {
    own.assign(bytes.begin(), bytes.end());
    bytes = own;
    with_sender = false;
  }
};

/// From one rank to another with one tag. The n-th receive gets the n-th message.
struct Channel {
  std::int64_t sent = 0;
  std::int64_t asked = 0;
  std::int64_t seen_at = 0;                                   ///< of the last message: none overtakes another
  std::map<std::int64_t, std::shared_ptr<Message>> messages;  ///< not yet received
  std::set<std::int64_t> given_up;                            ///< receives to come to nothing
};

/// One collective call.
struct Round {
  std::string call;
  int caller = 0;  ///< the first
  int came = 0;
  std::vector<std::optional<std::vector<std::byte>>> values{};  ///< of each rank that has come
};

/// What a rank waits for. Its questions are asked under the post's lock, by other ranks too.
class Awaited : public Communicator::Transfer {
 public:
  /// The transfer can be done, though the rank may not see it before some look.
  [[nodiscard]] virtual bool there() const = 0;
  [[nodiscard]] virtual std::int64_t seen_at() const { return 0; }
  /// The rank without which it is not there.
  [[nodiscard]] virtual int awaited_rank() const = 0;
  /// `a message of rank 1 with tag 3`.
  [[nodiscard]] virtual std::string name() const = 0;
  /// Does it, once; may let go of the lock.
  virtual void take(std::unique_lock<std::mutex>& lock) = 0;

  bool taken = false;

 protected:
  /// An exception has come since it was made: it goes because of that.
  [[nodiscard]] bool given_up() const { return std::uncaught_exceptions() > exceptions_; }

 private:
  int exceptions_ = std::uncaught_exceptions();
};

/// What lies between the ranks, and who waits for what.
class Post {
 public:
  Post(int ranks, std::string host);

  [[nodiscard]] int ranks() const { return static_cast<int>(ended_.size()); }
  [[nodiscard]] const std::string& host() const { return host_; }

  /// Throw where it can never be done.
  void wait(int rank, Awaited& awaited);
  [[nodiscard]] bool done(int rank, Awaited& awaited);
  /// Waits for one that goes. Since nobody could catch an error of that, it is the rank's failure.
  void wait_for_last(int rank, Awaited& awaited) noexcept;

  /// Of a rank, to its body's end.
  void end(int rank);
  void fail(int rank, const std::exception_ptr& error);
  /// After the end of all: throws what went wrong.
  void close() const;

  /// What the transfers work on, under the lock. Whoever changes it says so.
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::tuple<int, int, int>, Channel> channels;  ///< by sender, receiver and tag
  std::vector<std::int64_t> looks;                        ///< that each rank has taken at what may have come
  std::vector<std::int64_t> rounds_of;                    ///< collective calls of each rank
  std::map<std::int64_t, std::shared_ptr<Round>> rounds;  ///< to which not all have come

 private:
  struct Failure {
    ErrorKind kind;
    std::string message;
    std::string place;
  };

  bool look(int rank, Awaited& awaited, std::unique_lock<std::mutex>& lock);
  void throw_if_hopeless(int rank, const Awaited& awaited) const;
  [[nodiscard]] bool all_wait() const;
  [[nodiscard]] std::string who_waits() const;

  std::string host_;
  std::vector<const Awaited*> waiting_;
  std::vector<bool> ended_;
  std::optional<Failure> failure_;
  std::exception_ptr first_;  ///< the error that the failure was
};

}  // namespace quoin::testing
