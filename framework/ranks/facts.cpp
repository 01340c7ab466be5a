#include "ranks/facts.hpp"

#include <span>
#include <string>

#include "quoin/ranks.hpp"

namespace quoin {

std::vector<RankFacts> gather_facts(Communicator& ranks, const std::string& backend, const std::string& device) {
  // Each word ends with a byte of 0, which is in none of them.
  std::string own;
  for (std::string word : {ranks.host().name, backend, device}) {
    std::erase(word, '\0');
    own += word + '\0';
  }
  const std::vector<std::byte> bytes = gather(ranks, std::as_bytes(std::span(own)));
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
    facts.emplace_back();
    for (std::string* const fact : {&facts.back().host, &facts.back().backend, &facts.back().device}) *fact = word();
  }
  return facts;
}

}  // namespace quoin
