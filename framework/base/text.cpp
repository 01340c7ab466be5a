#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace quoin {
namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr int most = 60;
  const bool longer = characters(text) > most;
  return "'" + printable(longer ? text.substr(0, byte_of_column(text, most + 1)) : text, true) +
         (longer ? "...'" : "'");
}

std::string closest(std::string_view word, const std::vector<std::string>& candidates) {
  // A third of the word may be wrong, at most three slips: more than that is another word.
  const std::size_t allowed = std::clamp<std::size_t>(word.size() / 3, 1, 3);
  std::string best;
  std::size_t least = allowed + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    if (longer - std::min(word.size(), candidate.size()) >= least) continue;
    const std::size_t slips = distance(word, candidate);
    if (slips < least && slips < longer) {
      least = slips;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string best = closest(word, candidates);
  return best.empty() ? "" : fmt::format("; did you mean '{}'?", best);
}

std::string listed(const std::vector<std::string>& words, std::string_view last) {
  if (words.empty()) return "";
  if (words.size() == 1) return words.front();
  return fmt::format("{} {} {}", fmt::join(words.begin(), words.end() - 1, ", "), last, words.back());
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length == 0 || first > 0xF4) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xC0U) != 0x80U) return 0;
  const unsigned second = byte(1);
  const bool bad = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                   (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return bad ? 0 : length;
}

std::size_t byte_of_column(std::string_view text, int column) {
  std::size_t byte = 0;
  for (int seen = 0; byte < text.size(); ++byte)
    if (starts_character(text[byte]) && ++seen == column) break;
  return byte;
}

int characters(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), starts_character));
}

}  // namespace quoin
