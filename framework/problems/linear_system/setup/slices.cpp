#include "problems/linear_system/setup/slices.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <unordered_map>

#include "kernels/declare.h"

namespace quoin {
namespace {

enum Kind : std::int32_t { shifted, masked, gathered };

/// What is in memory once for all that is equal to the bit, in the order in which it came.
template <class T>
class Store {
 public:
  Store(std::vector<T>& all, Sharing sharing) : all_(all), sharing_(sharing) {}

  /// Where the part lies; `shared` says whether it had been there.
  std::int64_t add(const std::vector<T>& part, bool& shared) {
    shared = false;
    if (sharing_ == Sharing::off || given_up_ || part.empty()) return append(part);
    if (equal(newest_, part)) {
      shared = true;
      return newest_;
    }
    const std::uint64_t hash = hash_of(part);
    for (auto [at, end] = known_.equal_range(hash); at != end; ++at) {
      if (!equal(at->second, part)) continue;
      shared = true;
      return newest_ = at->second;
    }
    newest_ = append(part);
    known_.emplace(hash, newest_);
    given_up_ = sharing_ == Sharing::automatic && known_.size() > 100'000;
    return newest_;
  }

 private:
  std::int64_t append(const std::vector<T>& part) {
    const auto at = static_cast<std::int64_t>(all_.size());
    all_.insert(all_.end(), part.begin(), part.end());
    return at;
  }
  [[nodiscard]] bool equal(std::int64_t at, const std::vector<T>& part) const {
    return at >= 0 && all_.size() - static_cast<std::size_t>(at) >= part.size() &&
           std::memcmp(&all_[static_cast<std::size_t>(at)], part.data(), part.size() * sizeof(T)) == 0;
  }
  static std::uint64_t hash_of(const std::vector<T>& part) {
    std::uint64_t hash = part.size();
    for (const T& element : part) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &element, sizeof element);
      hash = std::rotl((hash ^ bits) * 0x9e3779b97f4a7c15U, 29);
    }
    return hash;
  }

  std::vector<T>& all_;
  Sharing sharing_;
  std::unordered_multimap<std::uint64_t, std::int64_t> known_;
  std::int64_t newest_ = -1;
  bool given_up_ = false;
};

/// The segments of a slice: those of the last one may be fewer.
struct Lanes {
  const SparseMatrix& matrix;
  std::int64_t first, count;

  Lanes(const SparseMatrix& segments, std::int64_t slice)
      : matrix(segments),
        first(slice * slice_lanes),
        count(std::min(slice_lanes, segments.rows - slice * slice_lanes)) {}
  [[nodiscard]] std::int64_t begin(std::int64_t lane) const {
    return matrix.at[static_cast<std::size_t>(first + lane)];
  }
  /// Rows of more than a segment are stored elsewhere.
  [[nodiscard]] std::int64_t length(std::int64_t lane) const {
    const std::int64_t entries = begin(lane + 1) - begin(lane);
    return entries > segment_length ? 0 : entries;
  }
  [[nodiscard]] std::int64_t entries() const {
    std::int64_t all = 0;
    for (std::int64_t lane = 0; lane < count; ++lane) all += length(lane);
    return all;
  }
  [[nodiscard]] std::int64_t longest() const {
    std::int64_t most = 0;
    for (std::int64_t lane = 0; lane < count; ++lane) most = std::max(most, length(lane));
    return most;
  }
  /// How far the entry lies behind the diagonal.
  [[nodiscard]] std::int64_t offset(std::int64_t lane, std::int64_t k) const {
    return matrix.column[static_cast<std::size_t>(begin(lane) + k)] - first - lane;
  }
  /// Whether all 32 have their entries where the first has.
  [[nodiscard]] bool equal() const {
    if (count < slice_lanes) return false;
    const std::int64_t length_of_first = length(0);
    for (std::int64_t lane = 1; lane < count; ++lane) {
      if (length(lane) != length_of_first) return false;
      for (std::int64_t k = 0; k < length_of_first; ++k)
        if (offset(lane, k) != offset(0, k)) return false;
    }
    return true;
  }
  /// All offsets that there are, ascending; so many at most, else none.
  void offsets(std::size_t most, std::vector<std::int64_t>& all) const {
    all.clear();
    for (std::int64_t lane = 0; lane < count; ++lane) {
      auto place = all.begin();
      for (std::int64_t k = 0; k < length(lane); ++k) {
        place = std::lower_bound(place, all.end(), offset(lane, k));
        if (place == all.end() || *place != offset(lane, k)) place = all.insert(place, offset(lane, k));
        if (all.size() > most) return all.clear();
      }
    }
  }
};

/// A step more for eight is worth it where columns need not be stored one by one.
std::size_t most_offsets(std::int64_t longest) { return static_cast<std::size_t>(longest * 9 / 8); }

/// Writes the slices one after the other.
class Builder {
 public:
  Builder(const SparseMatrix& segments, Sharing sharing, Slices& slices)
      : segments_(segments), slices_(slices), values_(slices.value, sharing), patterns_(slices.pattern, sharing) {}

  void add(std::int64_t slice) {
    const Lanes lanes(segments_, slice);
    pattern_.clear();
    const std::int64_t longest = lanes.longest();
    if (lanes.equal()) {
      for (std::int64_t k = 0; k < longest; ++k) pattern_.push_back(static_cast<std::int32_t>(lanes.offset(0, k)));
      fill(lanes, longest);
      return keep(shifted, longest);
    }
    lanes.offsets(most_offsets(longest), offsets_);
    if (longest > 0 && offsets_.empty()) {
      gather(lanes, longest);
      return keep(gathered, longest);
    }
    mask(lanes);
    keep(masked, static_cast<std::int64_t>(offsets_.size()));
  }

 private:
  double& slot(std::int64_t step, std::int64_t lane) {
    return value_[static_cast<std::size_t>(step * slice_lanes + lane)];
  }
  [[nodiscard]] double entry(const Lanes& lanes, std::int64_t lane, std::int64_t k) const {
    return segments_.value[static_cast<std::size_t>(lanes.begin(lane) + k)];
  }

  /// The entries of each lane in its first steps.
  void fill(const Lanes& lanes, std::int64_t steps) {
    value_.assign(static_cast<std::size_t>(steps * slice_lanes), -0.0);
    for (std::int64_t lane = 0; lane < lanes.count; ++lane)
      for (std::int64_t k = 0; k < lanes.length(lane); ++k) slot(k, lane) = entry(lanes, lane, k);
  }

  void gather(const Lanes& lanes, std::int64_t steps) {
    fill(lanes, steps);
    pattern_.assign(value_.size(), QN_NOTHING);
    for (std::int64_t lane = 0; lane < lanes.count; ++lane)
      for (std::int64_t k = 0; k < lanes.length(lane); ++k)
        pattern_[static_cast<std::size_t>(k * slice_lanes + lane)] =
            static_cast<std::int32_t>(lanes.offset(lane, k) + lane);
  }

  /// Each entry in the step of its offset.
  void mask(const Lanes& lanes) {
    value_.assign(offsets_.size() * slice_lanes, -0.0);
    std::vector<std::uint32_t> bits(offsets_.size());
    for (std::int64_t lane = 0; lane < lanes.count; ++lane) {
      auto place = offsets_.begin();
      for (std::int64_t k = 0; k < lanes.length(lane); ++k) {
        place = std::find(place, offsets_.end(), lanes.offset(lane, k));
        const std::int64_t step = place - offsets_.begin();
        slot(step, lane) = entry(lanes, lane, k);
        bits[static_cast<std::size_t>(step)] |= std::uint32_t{1} << lane;
      }
    }
    for (std::size_t step = 0; step < offsets_.size(); ++step) {
      pattern_.push_back(static_cast<std::int32_t>(offsets_[step]));
      pattern_.push_back(static_cast<std::int32_t>(bits[step]));
    }
  }

  void keep(Kind kind, std::int64_t steps) {
    bool shared = false;
    slices_.pattern_at.push_back(patterns_.add(pattern_, shared));
    slices_.value_at.push_back(values_.add(value_, shared));
    slices_.shared += shared;
    slices_.steps.push_back(static_cast<std::int32_t>(steps));
    slices_.kind.push_back(kind);
  }

  const SparseMatrix& segments_;
  Slices& slices_;
  Store<double> values_;
  Store<std::int32_t> patterns_;
  std::vector<double> value_;
  std::vector<std::int32_t> pattern_;
  std::vector<std::int64_t> offsets_;
};

}  // namespace

Slices slices_of(const SparseMatrix& segments, Sharing sharing) {
  Slices slices;
  Builder builder(segments, sharing, slices);
  for (std::int64_t slice = 0; slice < slices_in(segments.rows); ++slice) builder.add(slice);
  return slices;
}

SliceSample sample_slices(const SparseMatrix& segments) {
  const std::int64_t count = slices_in(segments.rows);
  const std::int64_t every = count > 1024 ? 64 : 1;
  double slots = 0.0;
  double entries = 0.0;
  double aligned = 0.0;
  double seen = 0.0;
  std::vector<std::int64_t> offsets;
  for (std::int64_t slice = 0; slice < count; slice += every) {
    const Lanes lanes(segments, slice);
    const std::int64_t longest = lanes.longest();
    lanes.offsets(most_offsets(longest), offsets);
    const bool in_line = longest == 0 || !offsets.empty();
    slots += static_cast<double>(slice_lanes * (in_line ? static_cast<std::int64_t>(offsets.size()) : longest));
    entries += static_cast<double>(lanes.entries());
    aligned += in_line ? 1.0 : 0.0;
    seen += 1.0;
  }
  return {slots / std::max(1.0, entries), aligned / std::max(1.0, seen)};
}

}  // namespace quoin
