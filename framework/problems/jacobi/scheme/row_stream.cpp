#include "problems/jacobi/scheme/row_stream.hpp"

#include <algorithm>
#include <vector>

#include "problems/jacobi/scheme/tags.hpp"

namespace quoin {

RowStream::RowStream(Communicator& ranks, const JacobiSetup& setup, const Strip& rows)
    : ranks_(ranks),
      rows_(rows),
      row_bytes_(static_cast<std::size_t>(setup.grid.nx) * element_size(setup.method.precision)) {}

template <class Message>
void RowStream::for_each_message(const Message& message) const {
  constexpr std::size_t bytes = 1U << 20U;
  const auto most = static_cast<std::int64_t>(std::max<std::size_t>(1, bytes / row_bytes_));
  for (std::int64_t first = rows_.first; first < rows_.last; first += most)
    message(first, std::min(first + most, rows_.last));
}

void RowStream::send(int to, const std::function<void(std::int64_t j, std::span<std::byte> row)>& give) const {
  for_each_message([&](std::int64_t first, std::int64_t last) {
    std::vector<std::byte> rows(static_cast<std::size_t>(last - first) * row_bytes_);
    for (std::int64_t j = first; j < last; ++j)
      give(j, std::span(rows).subspan(static_cast<std::size_t>(j - first) * row_bytes_, row_bytes_));
    ranks_.wait(*ranks_.send(rows, to, stream_tag));
  });
}

void RowStream::receive(int from,
                        const std::function<void(std::int64_t j, std::span<const std::byte> row)>& take) const {
  for_each_message([&](std::int64_t first, std::int64_t last) {
    std::vector<std::byte> rows(static_cast<std::size_t>(last - first) * row_bytes_);
    ranks_.wait(*ranks_.receive(rows, from, stream_tag));
    for (std::int64_t j = first; j < last; ++j)
      take(j, std::span<const std::byte>(rows).subspan(static_cast<std::size_t>(j - first) * row_bytes_, row_bytes_));
  });
}

}  // namespace quoin
