#pragma once

// Words for messages about a case file.

#include <string>
#include <string_view>
#include <vector>

#include "quoin/words.hpp"

namespace quoin {

/// What a user wrote, in quotes, printable on one line, cut after 60 characters.
std::string shown(std::string_view text);

/// The candidate that is a small slip away from `word` (Damerau and Levenshtein's distance); empty where there is none.
std::string closest(std::string_view word, const std::vector<std::string>& candidates);

/// `a, b and c`, or with another last word.
std::string listed(const std::vector<std::string>& words, std::string_view last = "and");

/// With the letters A to Z small; all else stays.
std::string lower_case(std::string_view text);

/// The length of the UTF-8 sequence that starts `text`, 0 where it is malformed, overlong or a surrogate.
std::size_t utf8_length(std::string_view text);
/// The byte at which character `column` (from 1) of a UTF-8 text starts.
std::size_t byte_of_column(std::string_view text, int column);
/// How many characters a UTF-8 text has.
int characters(std::string_view text);

}  // namespace quoin
