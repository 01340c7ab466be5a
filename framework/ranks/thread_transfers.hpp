#pragma once

#include <functional>
#include <memory>
#include <random>
#include <span>

#include "quoin/communicator.hpp"
#include "ranks/thread_post.hpp"

namespace quoin::testing {

using Random = std::mt19937_64;

/// One rank, and its draws where its messages are shuffled.
struct ThreadRank {
  std::shared_ptr<Post> post;  ///< that its transfers keep
  int number;
  std::optional<Random> random;

  /// A look at what comes, a few from now.
  [[nodiscard]] std::int64_t some_look(int rank) {
    const std::int64_t now = post->looks[static_cast<std::size_t>(rank)];
    return random ? now + static_cast<std::int64_t>((*random)() % 8) : now;
  }
};

std::unique_ptr<Awaited> thread_send(ThreadRank& rank, std::span<const std::byte> bytes, int to, int tag);
std::unique_ptr<Awaited> thread_receive(ThreadRank& rank, std::span<std::byte> bytes, int from, int tag);
std::unique_ptr<Awaited> thread_combine(ThreadRank& rank, std::span<std::byte> value, Communicator::Join join);
void thread_broadcast(ThreadRank& rank, std::span<std::byte> bytes, int root,
                      const std::function<void(Awaited&)>& wait);

}  // namespace quoin::testing
