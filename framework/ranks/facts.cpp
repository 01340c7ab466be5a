#include "ranks/facts.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "quoin/bytes.hpp"
#include "quoin/error.hpp"
#include "quoin/ranks.hpp"

namespace quoin {
namespace {

double number_of(const std::string& text) {
  double value = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Of ranks that have one device.
struct Sharers {
  std::vector<std::size_t> ranks;
  double bytes = 0.0;
};

}  // namespace

std::vector<RankFacts> gather_facts(Communicator& ranks, const RankFacts& own) {
  // Each word ends with a byte of 0, which is in none of them.
  std::string words;
  for (std::string word : {ranks.host().name, own.backend, own.device, own.share.place,
                           fmt::format("{}", own.share.bytes), fmt::format("{}", own.share.memory)}) {
    std::erase(word, '\0');
    words += word + '\0';
  }
  const std::vector<std::byte> bytes = gather(ranks, std::as_bytes(std::span(words)));
  const std::string all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::vector<RankFacts> facts;
  if (all.empty()) return facts;
  std::size_t at = 0;
  const auto word = [&] {
    const std::size_t end = all.find('\0', at);
    std::string found = all.substr(at, end - at);
    at = end + 1;
    return found;
  };
  for (int rank = 0; rank < ranks.size(); ++rank) {
    RankFacts& of_rank = facts.emplace_back();
    for (std::string* const fact : {&of_rank.host, &of_rank.backend, &of_rank.device, &of_rank.share.place})
      *fact = word();
    for (double* const fact : {&of_rank.share.bytes, &of_rank.share.memory}) *fact = number_of(word());
  }
  return facts;
}

void require_room_on_devices(const std::vector<RankFacts>& ranks) {
  std::map<std::pair<std::string, std::string>, Sharers> devices;  // by host and place
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto& [place, bytes, memory] = ranks[rank].share;
    if (place.empty() || memory <= 0.0) continue;
    Sharers& sharers = devices[{ranks[rank].host, place}];
    sharers.ranks.push_back(rank);
    sharers.bytes += bytes;
  }
  for (const auto& [key, sharers] : devices) {
    const RankFacts& first = ranks[sharers.ranks.front()];
    if (sharers.bytes <= first.share.memory) continue;
    throw Error(
        ErrorKind::device,
        fmt::format("the ranks {} of {} share this device; together they need {} of its memory and it has {}; "
                    "start fewer ranks there, or make the problem smaller",
                    fmt::join(sharers.ranks, ", "), first.host, in_bytes(sharers.bytes), in_bytes(first.share.memory)),
        first.device);
  }
}

}  // namespace quoin
