#pragma once

// Words for messages.

#include <string>
#include <string_view>
#include <vector>

namespace quoin {

/// The text as a terminal may be given it, whoever wrote it: what would move the cursor, colour, hide or turn round
/// what stands there is escaped, as `\u001b`, and so are bytes that are no UTF-8, as `\xff`. Line ends and tabs stay,
/// but not in what belongs on one line.
std::string printable(std::string_view text, bool one_line = false);

/// `; did you mean 'x'?` with the candidate that is a small slip away from `word`, or an empty text.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace quoin
