#include "quoin/field.hpp"

#include <algorithm>
#include <vector>

#include "quoin/host_view.hpp"
#include "quoin/precision.hpp"

namespace quoin {

Field::Field(const std::shared_ptr<Executor>& executor, std::int64_t nx, std::int64_t ny, std::int64_t ring,
             Precision precision, std::int64_t ghost_rows)
    : nx_(nx),
      ny_(ny),
      ring_(ring),
      ghost_rows_(ghost_rows),
      precision_(precision),
      layout_(executor->layout({{nx, ny, 1}, element_size(precision), ghost_rows})),
      buffer_(executor, layout_.bytes) {}

Argument Field::argument() { return Argument::buffer(buffer_.memory(), offset(0, 0), layout_.pitch); }

std::size_t Field::offset(std::int64_t i, std::int64_t j) const {
  return static_cast<std::size_t>(layout_.origin + j * layout_.pitch + i) * element_size(precision_);
}

std::int64_t Field::rows_per_copy() const {
  // A few megabytes a copy: far beyond its latency, and nothing beside the field itself.
  constexpr std::int64_t bytes = 4 << 20;
  return std::max<std::int64_t>(1, bytes / (layout_.pitch * static_cast<std::int64_t>(element_size(precision_))));
}

void Field::upload(Queue& queue, std::int64_t first, std::int64_t last, const Fill& fill) {
  if (precision_ == Precision::float64) {
    return upload_raw(queue, first, last, [&](std::int64_t j, std::span<std::byte> raw) {
      fill(j, {reinterpret_cast<double*>(raw.data()), raw.size() / sizeof(double)});
    });
  }
  std::vector<double> row(static_cast<std::size_t>(nx_ + 2 * ring_));
  upload_raw(queue, first, last, [&](std::int64_t j, std::span<std::byte> raw) {
    std::ranges::fill(row, 0.0);
    fill(j, row);
    store_values(row, precision_, raw.data());
  });
}

void Field::upload_raw(Queue& queue, std::int64_t first, std::int64_t last, const RawFill& fill) {
  const std::size_t row_bytes = static_cast<std::size_t>(nx_ + 2 * ring_) * element_size(precision_);
  std::vector<std::byte> staging;
  for (std::int64_t next = 0; first < last; first = next) {
    next = std::min(first + rows_per_copy(), last);
    HostView rows(queue, buffer_.memory(), offset(-ring_, first), offset(nx_ + ring_, next - 1) - offset(-ring_, first),
                  staging);
    std::ranges::fill(rows.bytes(), std::byte{0});
    for (std::int64_t j = first; j < next; ++j)
      fill(j, rows.bytes().subspan(offset(-ring_, j) - offset(-ring_, first), row_bytes));
    rows.store();
  }
}

void Field::download(Queue& queue, std::int64_t first, std::int64_t last, const Read& read) const {
  std::vector<std::byte> staging;
  const std::size_t row_bytes = static_cast<std::size_t>(nx_) * element_size(precision_);
  for (std::int64_t next = 0; first < last; first = next) {
    next = std::min(first + rows_per_copy(), last);
    HostView rows(queue, buffer_.memory(), offset(0, first), offset(nx_, next - 1) - offset(0, first), staging);
    const std::span<const std::byte> values = rows.read();
    for (std::int64_t j = first; j < next; ++j) read(j, values.subspan(offset(0, j) - offset(0, first), row_bytes));
  }
}

std::size_t Field::bytes_of_rows(std::int64_t rows) const {
  return rows == 0 ? 0 : offset(nx_ + ring_, rows - 1) - offset(-ring_, 0);
}

void Field::copy_rows_out(Queue& queue, std::int64_t first, std::span<std::byte> rows) const {
  buffer_.download(queue, rows, offset(-ring_, first));
}

void Field::copy_rows_in(Queue& queue, std::int64_t first, std::span<const std::byte> rows) {
  buffer_.upload(queue, rows, offset(-ring_, first));
}

std::vector<std::byte> Field::values(Queue& queue) const {
  std::vector<std::byte> values;
  values.reserve(static_cast<std::size_t>(nx_ * ny_) * element_size(precision_));
  download(queue, [&values](std::int64_t /*j*/, std::span<const std::byte> row) {
    values.insert(values.end(), row.begin(), row.end());
  });
  return values;
}

void Field::download_row(Queue& queue, std::int64_t j, std::span<double> row) const {
  std::vector<std::byte> raw(static_cast<std::size_t>(nx_) * element_size(precision_));
  buffer_.download(queue, raw, offset(0, j));
  std::ranges::copy(from_precision(raw, precision_), row.begin());
}

Field::Fill fill_of(std::span<const std::byte> values, Precision precision) {
  return [values, precision](std::int64_t j, std::span<double> row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = value_at(values, static_cast<std::size_t>(j) * row.size() + i, precision);
  };
}

double field_bytes(std::int64_t nx, std::int64_t ny, Precision precision) {
  // A ring, and rows that are padded by three lines of 128 bytes at most.
  const double row = (static_cast<double>(nx) + 2.0) * static_cast<double>(element_size(precision)) + 384.0;
  return row * (static_cast<double>(ny) + 2.0);
}

}  // namespace quoin
