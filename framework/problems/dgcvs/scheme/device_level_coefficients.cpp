#include "base/runs.hpp"
#include "problems/dgcvs/scheme/basis.hpp"
#include "problems/dgcvs/scheme/device_level.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/precision.hpp"

namespace quoin {

std::vector<std::byte> DeviceLevel::coefficients(Queue& queue) const {
  std::vector<std::byte> raw(own_.size());
  own_.download(queue, raw);
  return raw;
}

std::vector<std::byte> DeviceLevel::own_coefficients(Queue& queue) const {
  const std::vector<std::byte> raw = coefficients(queue);
  const std::size_t size = element_size(setup_.method.precision);
  const EntityPart& part = lanes().part;
  std::vector<std::byte> own;
  own.reserve(static_cast<std::size_t>(part.count() * setup_.unknowns()) * size);
  const auto add = [&](std::int64_t row, std::int64_t lane, std::int64_t count) {
    const auto values = std::span(raw).subspan(static_cast<std::size_t>(row * lanes().stride + lane) * size,
                                               static_cast<std::size_t>(count) * size);
    own.insert(own.end(), values.begin(), values.end());
  };
  for (std::int64_t row = 0; row < setup_.unknowns(); ++row) {
    add(row, 0, part.inside.count());
    add(row, lanes().first_boundary, part.boundary.count());
  }
  return own;
}

std::vector<std::byte> DeviceLevel::whole_of(std::span<const std::byte> of_ranks) const {
  const std::size_t size = element_size(setup_.method.precision);
  std::vector<std::byte> whole(static_cast<std::size_t>(setup_.unknowns() * all_.stride) * size);
  const auto at = [&](std::int64_t row, std::int64_t lane) {
    return whole.begin() + static_cast<std::ptrdiff_t>(row * all_.stride + lane) * static_cast<std::ptrdiff_t>(size);
  };
  auto next = of_ranks.begin();
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    const EntityPart part = partition_.own(kind_, rank);
    for (std::int64_t row = 0; row < setup_.unknowns(); ++row) {
      for (const EntityRange& range : {part.inside, part.boundary}) {
        if (range.count() == 0) continue;
        const auto end = next + range.count() * static_cast<std::ptrdiff_t>(size);
        std::copy(next, end, at(row, all_.of(range.first)));
        next = end;
      }
    }
  }
  for (std::int64_t lane = 0; lane < all_.stride; ++lane) {
    const std::int64_t real = all_.of(all_.entity(lane));
    for (std::int64_t row = 0; lane != real && row < setup_.unknowns(); ++row)
      std::copy_n(at(row, real), size, at(row, lane));
  }
  return whole;
}

void DeviceLevel::take_coefficients(Queue& queue, std::span<const std::byte> whole) {
  const std::size_t size = element_size(setup_.method.precision);
  std::vector<std::int64_t> from;  // of each lane
  for (std::int64_t lane = 0; lane < lanes().stride; ++lane) from.push_back(all_.of(lanes().entity(lane)));
  std::vector<std::byte> raw;
  raw.reserve(own_.size());
  for (std::int64_t row = 0; row < setup_.unknowns(); ++row) {
    for (const std::int64_t lane : from) {
      const auto value = whole.subspan(static_cast<std::size_t>(row * all_.stride + lane) * size, size);
      raw.insert(raw.end(), value.begin(), value.end());
    }
  }
  set_coefficients(queue, raw);
}

std::vector<double> DeviceLevel::spatial_coefficients(Queue& queue, std::span<const std::int64_t> entities) const {
  // A copy takes as long as some thousand values: what lies nearer than that comes in one.
  constexpr std::int64_t near = 4096;
  const Precision precision = setup_.method.precision;
  const auto space = static_cast<std::size_t>(dgcvs_space(setup_.method.order));
  std::vector<double> values(setup_.law.size() * space * entities.size());
  std::vector<std::int64_t> lane;
  for (const std::int64_t entity : entities) lane.push_back(lanes().of(entity));
  std::vector<std::byte> raw;
  for (const auto& [first, end] : runs_of(lane, near)) {
    raw.resize(static_cast<std::size_t>(lane[end - 1] - lane[first] + 1) * element_size(precision));
    for (std::size_t row = 0; row < setup_.law.size() * space; ++row) {
      const auto unknown = static_cast<std::int64_t>(row % space) +
                           static_cast<std::int64_t>(row / space) * dgcvs_basis(setup_.method.order);
      own_.download(queue, raw,
                    static_cast<std::size_t>(unknown * lanes().stride + lane[first]) * element_size(precision));
      for (std::size_t k = first; k < end; ++k)
        values[row * entities.size() + k] = value_at(raw, static_cast<std::size_t>(lane[k] - lane[first]), precision);
    }
  }
  return values;
}

std::vector<double> DeviceLevel::at_centres(Queue& queue) const {
  const std::size_t row = static_cast<std::size_t>(lanes().stride) * element_size(setup_.method.precision);
  std::vector<std::byte> raw(setup_.law.size() * row);
  for (std::size_t v = 0; v < setup_.law.size(); ++v)
    own_.download(queue, std::span(raw).subspan(v * row, row),
                  v * static_cast<std::size_t>(dgcvs_basis(setup_.method.order)) * row);
  return from_precision(raw, setup_.method.precision);
}

void DeviceLevel::stretch_time(Queue& queue, double ratio) {
  std::vector<double> values = from_precision(coefficients(queue), setup_.method.precision);
  const std::vector<Member> members = basis_members(setup_.method.order);
  for (std::size_t n = 0; n < static_cast<std::size_t>(setup_.unknowns()); ++n) {
    const auto row = std::span(values).subspan(n * static_cast<std::size_t>(lanes().stride),
                                               static_cast<std::size_t>(lanes().stride));
    for (int k = 0; k < members[n % members.size()].k; ++k)
      for (double& value : row) value *= ratio;
  }
  set_coefficients(queue, in_precision(values, setup_.method.precision));
}

void DeviceLevel::set_coefficients(Queue& queue, std::span<const std::byte> raw) { own_.upload(queue, raw); }

}  // namespace quoin
