#pragma once

// Words for messages about a case file.

#include <string>
#include <string_view>
#include <vector>

namespace quoin {

/// What a user wrote, in quotes, safe to print: control characters escaped, cut after 60 characters.
std::string shown(std::string_view text);

/// `; did you mean 'x'?` with the candidate that is a small slip away from `word`, or an empty text.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// The candidate that is a small slip away from `word` (Damerau and Levenshtein's distance); empty where there is none.
std::string closest(std::string_view word, const std::vector<std::string>& candidates);

/// `a, b and c`, or with another last word.
std::string listed(const std::vector<std::string>& words, std::string_view last = "and");

/// The byte at which character `column` (from 1) of a UTF-8 text starts.
std::size_t byte_of_column(std::string_view text, int column);
/// How many characters a UTF-8 text has.
int characters(std::string_view text);

}  // namespace quoin
