#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "problems/jacobi/setup/setup.hpp"
#include "quoin/communicator.hpp"

namespace quoin {

/// Rows of a grid on their way to another rank: raw values in the precision of the run, a megabyte or a row at a time.
class RowStream {
 public:
  RowStream(Communicator& ranks, const JacobiSetup& setup, const Strip& rows);

  /// Called for each row in order; `row` is to be filled.
  void send(int to, const std::function<void(std::int64_t j, std::span<std::byte> row)>& give) const;
  /// Called for each row in order.
  void receive(int from, const std::function<void(std::int64_t j, std::span<const std::byte> row)>& take) const;

 private:
  template <class Message>
  void for_each_message(const Message& message) const;

  Communicator& ranks_;
  Strip rows_;
  std::size_t row_bytes_;
};

}  // namespace quoin
