#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <iterator>
#include <type_traits>

#include "quoin/ranks.hpp"

namespace quoin {
namespace {

/// From the least on; what is not here is a bug.
constexpr std::array<int, 11> codes_from_good = {0, 130, 143, 4, 5, 2, 3, 8, 9, 6, 7};

std::ptrdiff_t badness(int code) { return std::ranges::find(codes_from_good, code) - codes_from_good.begin(); }

/// Whose outcome it is, and what of it has a size.
struct Verdict {
  int code;
  int rank;
  std::array<std::uint64_t, 3> lengths;
};

template <class T>
T value_of(std::span<const std::byte> bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

/// Left is of lower ranks.
Verdict worse(const Verdict& left, const Verdict& right) { return worse_code(right.code, left.code) ? right : left; }

}  // namespace

bool worse_code(int a, int b) { return badness(a) > badness(b); }

RankOutcome agree(Communicator& ranks, const RankOutcome& own) {
  const std::string host = ranks.host().name;
  const Verdict verdict =
      joined_values(ranks, Verdict{own.code, ranks.rank(), {own.text.size(), own.where.size(), host.size()}}, worse);
  const auto [text, where, name] = verdict.lengths;
  std::string all = ranks.rank() == verdict.rank ? own.text + own.where + host : std::string();
  all.resize(text + where + name);
  ranks.broadcast(std::as_writable_bytes(std::span(all)), verdict.rank);
  return {verdict.code, all.substr(0, text), all.substr(text, where), verdict.rank, all.substr(text + where)};
}

std::string share(Communicator& ranks, std::string text) {
  text.resize(share_value(ranks, text.size()));
  ranks.broadcast(std::as_writable_bytes(std::span(text)), 0);
  return text;
}

void share_bytes(Communicator& ranks, std::span<std::byte> bytes) {
  if (ranks.size() == 1) return;
  for (std::size_t first = 0; first < bytes.size(); first += gather_chunk)
    ranks.broadcast(bytes.subspan(first, std::min(gather_chunk, bytes.size() - first)), 0);
}

std::int64_t least_of(Communicator& ranks, std::int64_t value) {
  return joined_values(ranks, value, [](std::int64_t left, std::int64_t right) { return std::min(left, right); });
}

std::int64_t total_of(Communicator& ranks, std::int64_t value) { return joined_values(ranks, value, std::plus<>()); }

template <class T>
std::unique_ptr<Communicator::Transfer> combine_sums(Communicator& ranks, std::span<TreeDigest<T>> sums) {
  using Digest = TreeDigest<T>;
  const auto join = [](std::span<const std::byte> left, std::span<std::byte> right) {
    for (std::size_t at = 0; at < right.size(); at += sizeof(Digest)) {
      auto sum = value_of<Digest>(left.subspan(at));
      sum.append(value_of<Digest>(right.subspan(at)));
      std::memcpy(right.data() + at, &sum, sizeof sum);  // as bytes: they may lie anywhere
    }
  };
  return ranks.combine(std::as_writable_bytes(sums), join);
}

template <class T>
std::vector<T> sums_of(Communicator& ranks, std::vector<TreeDigest<T>> digests) {
  ranks.wait(*combine_sums(ranks, std::span(digests)));
  std::vector<T> sums;
  for (const TreeDigest<T>& digest : digests) sums.push_back(digest.sum());
  return sums;
}

void exchange(Communicator& ranks, std::span<const Parcel> out, std::span<const Parcel> in, int tag) {
  std::vector<std::unique_ptr<Communicator::Transfer>> under_way;
  for (const Parcel& parcel : in) under_way.push_back(ranks.receive(parcel.bytes, parcel.rank, tag));
  for (const Parcel& parcel : out) under_way.push_back(ranks.send(parcel.bytes, parcel.rank, tag));
  for (const auto& transfer : under_way) ranks.wait(*transfer);
}

template std::unique_ptr<Communicator::Transfer> combine_sums(Communicator& ranks, std::span<TreeDigest<float>> sums);
template std::unique_ptr<Communicator::Transfer> combine_sums(Communicator& ranks, std::span<TreeDigest<double>> sums);
template std::vector<float> sums_of(Communicator& ranks, std::vector<TreeDigest<float>> digests);
template std::vector<double> sums_of(Communicator& ranks, std::vector<TreeDigest<double>> digests);

}  // namespace quoin
