#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/finite.hpp"
#include "base/parallel.hpp"
#include "base/runs.hpp"
#include "problems/dgcvs/scheme/basis.hpp"
#include "problems/dgcvs/scheme/device_level.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/precision.hpp"

namespace quoin {

std::size_t DeviceLevel::row_bytes() const {
  return static_cast<std::size_t>(lanes().stride) * element_size(setup_.method.precision);
}

void DeviceLevel::give_row(Queue& queue, std::int64_t n, std::vector<std::byte>& room, const TakeBytes& take) const {
  HostView lent(queue, own_.memory(), static_cast<std::size_t>(n) * row_bytes(), row_bytes(), room);
  take(lent.read());
}

std::shared_ptr<HostView> DeviceLevel::in_place(Queue& queue) const {
  if (setup_.method.precision != Precision::float64) return nullptr;
  const auto bytes = static_cast<std::size_t>(setup_.values()) * row_bytes();
  auto view = std::make_shared<HostView>(queue, own_.memory(), 0, bytes);
  return view->lent() ? view : nullptr;
}

std::vector<std::byte> DeviceLevel::row(Queue& queue, std::int64_t n) const {
  std::vector<std::byte> values(row_bytes());
  own_.download(queue, values, static_cast<std::size_t>(n) * values.size());
  return values;
}

void DeviceLevel::give_own_row(Queue& queue, std::int64_t n, std::vector<std::byte>& room,
                               const TakeBytes& take) const {
  const std::size_t size = element_size(setup_.method.precision);
  const EntityPart& part = lanes().part;
  give_row(queue, n, room, [&](std::span<const std::byte> values) {
    const auto stretch = [&](std::int64_t lane, std::int64_t count) {
      take(values.subspan(static_cast<std::size_t>(lane) * size, static_cast<std::size_t>(count) * size));
    };
    stretch(0, part.inside.count());
    stretch(lanes().first_boundary, part.boundary.count());
  });
}

std::vector<std::byte> DeviceLevel::own_row(Queue& queue, std::int64_t n) const {
  std::vector<std::byte> room;
  std::vector<std::byte> values;
  give_own_row(queue, n, room,
               [&](std::span<const std::byte> piece) { values.insert(values.end(), piece.begin(), piece.end()); });
  return values;
}

std::vector<ArrayPart::Range> DeviceLevel::own_ranges() const {
  const auto size = static_cast<std::uint64_t>(element_size(setup_.method.precision));
  std::vector<ArrayPart::Range> ranges;
  for (const EntityRange& range : {lanes().part.inside, lanes().part.boundary})
    if (range.count() > 0)
      ranges.push_back(
          {static_cast<std::uint64_t>(all_.of(range.first)) * size, static_cast<std::uint64_t>(range.count()) * size});
  return ranges;
}

std::vector<std::byte> DeviceLevel::whole_row(std::span<const std::byte> of_ranks) const {
  const auto size = static_cast<std::ptrdiff_t>(element_size(setup_.method.precision));
  std::vector<std::byte> whole(static_cast<std::size_t>(all_.stride * size));
  const auto at = [&](std::int64_t lane) { return whole.begin() + lane * size; };
  auto next = of_ranks.begin();
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    const EntityPart part = partition_.own(kind_, rank);
    for (const EntityRange& range : {part.inside, part.boundary}) {
      if (range.count() == 0) continue;
      const auto end = next + range.count() * size;
      std::copy(next, end, at(all_.of(range.first)));
      next = end;
    }
  }
  for (std::int64_t lane = 0; lane < all_.stride; ++lane)
    if (const std::int64_t real = all_.of(all_.entity(lane)); lane != real) std::copy_n(at(real), size, at(lane));
  return whole;
}

void DeviceLevel::take_row(Queue& queue, std::int64_t n, std::span<const std::byte> whole, double ratio) {
  const std::size_t size = element_size(setup_.method.precision);
  std::vector<std::byte> values;
  values.reserve(row_bytes());
  for (std::int64_t lane = 0; lane < lanes().stride; ++lane) {
    const auto value = whole.subspan(static_cast<std::size_t>(all_.of(lanes().entity(lane))) * size, size);
    values.insert(values.end(), value.begin(), value.end());
  }
  set_row(queue, n, std::move(values), ratio);
}

std::vector<double> DeviceLevel::spatial_coefficients(Queue& queue, std::span<const std::int64_t> entities) const {
  // A copy takes as long as some thousand values: what lies nearer than that comes in one.
  constexpr std::int64_t near = 4096;
  const Precision precision = setup_.method.precision;
  const auto space = static_cast<std::size_t>(dgcvs_space(setup_.method.order));
  const std::size_t rows = setup_.sampled_rows();
  std::vector<double> values(rows * entities.size());
  std::vector<std::int64_t> lane;
  for (const std::int64_t entity : entities) lane.push_back(lanes().of(entity));
  std::vector<std::byte> room;
  for (const auto& [first, end] : runs_of(lane, near)) {
    const std::size_t bytes = static_cast<std::size_t>(lane[end - 1] - lane[first] + 1) * element_size(precision);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto unknown = static_cast<std::int64_t>(row % space) +
                           static_cast<std::int64_t>(row / space) * dgcvs_basis(setup_.method.order);
      HostView lent(queue, own_.memory(),
                    static_cast<std::size_t>(unknown * lanes().stride + lane[first]) * element_size(precision), bytes,
                    room);
      const std::span<const std::byte> raw = lent.read();
      for (std::size_t k = first; k < end; ++k)
        values[row * entities.size() + k] = value_at(raw, static_cast<std::size_t>(lane[k] - lane[first]), precision);
    }
  }
  return values;
}

std::vector<double> DeviceLevel::at_centres(Queue& queue) const {
  const std::size_t row = static_cast<std::size_t>(lanes().stride) * element_size(setup_.method.precision);
  std::vector<std::int64_t> values;
  for (std::size_t v = 0; v < setup_.law.size(); ++v)
    values.push_back(static_cast<std::int64_t>(v) * dgcvs_basis(setup_.method.order));
  for (std::int64_t behind = setup_.unknowns(); behind < setup_.values(); ++behind) values.push_back(behind);
  std::vector<std::byte> raw(values.size() * row);
  for (std::size_t k = 0; k < values.size(); ++k)
    own_.download(queue, std::span(raw).subspan(k * row, row), static_cast<std::size_t>(values[k]) * row);
  return from_precision(raw, setup_.method.precision);
}

namespace {

/// By all cores.
template <class T>
bool are_finite(std::span<const std::byte> raw) {
  const std::span numbers(reinterpret_cast<const T*>(raw.data()), raw.size() / sizeof(T));
  std::atomic<bool> all = true;
  const auto look = [&](const Part& part) {
    const auto first = static_cast<std::size_t>(part.first);
    if (!all_finite(numbers.subspan(first, static_cast<std::size_t>(part.last) - first))) all = false;
  };
  constexpr std::int64_t least = 1 << 15;
  parallel_parts(std::ssize(numbers), look, least);
  return all;
}

}  // namespace

bool DeviceLevel::finite(Queue& queue) const {
  const auto finite = setup_.method.precision == Precision::float64 ? are_finite<double> : are_finite<float>;
  const auto rows = static_cast<std::size_t>(setup_.values());
  if (HostView whole(queue, own_.memory(), 0, rows * row_bytes()); whole.lent()) return finite(whole.read());
  std::vector<std::byte> room;
  bool all = true;
  for (std::int64_t n = 0; all && n < setup_.values(); ++n)
    give_row(queue, n, room, [&](std::span<const std::byte> values) { all = finite(values); });
  return all;
}

/// That value n belongs to.
int DeviceLevel::power_of_time(std::int64_t n) const {
  const std::vector<Member> members = basis_members(setup_.method.order);
  if (n >= setup_.unknowns()) return 0;
  return members[static_cast<std::size_t>(n) % members.size()].k;
}

void DeviceLevel::stretch_time(Queue& queue, double ratio) {
  for (std::int64_t n = 0; n < setup_.values(); ++n)
    if (power_of_time(n) > 0) set_row(queue, n, row(queue, n), ratio);
}

/// In the time of steps `ratio` times as long.
void DeviceLevel::set_row(Queue& queue, std::int64_t n, std::vector<std::byte> raw, double ratio) {
  const int power = power_of_time(n);
  if (power > 0 && ratio != 1.0) {
    std::vector<double> values = from_precision(raw, setup_.method.precision);
    for (int k = 0; k < power; ++k)
      for (double& value : values) value *= ratio;
    store_values(values, setup_.method.precision, raw.data());
  }
  own_.upload(queue, raw, static_cast<std::size_t>(n) * row_bytes());
}

void DeviceLevel::set_coefficients(Queue& queue, std::span<const std::byte> raw) { own_.upload(queue, raw); }

}  // namespace quoin
