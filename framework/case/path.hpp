#pragma once

// Paths of keys: names with dots between them, where a `*` of the table stands for any name that a user gives.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quoin {

using Names = std::vector<std::string>;

/// Letters, digits, _ and -: what may stand for a `*`.
bool is_name(std::string_view text);

/// The parts between the dots.
Names split_path(std::string_view path);

std::string join_path(const std::string& section, const std::string& name);

/// What stands in `path` for each `*` of `pattern`; nothing where the two differ otherwise.
std::optional<Names> match_path(std::string_view pattern, std::string_view path);

/// What follows in `pattern` where it lies in the section `path` (empty: the whole file); otherwise nothing.
std::optional<std::string_view> match_section(std::string_view pattern, std::string_view path);

/// `pattern` with the names in place of its `*`, in their order.
std::string fill_path(std::string_view pattern, const Names& names);

}  // namespace quoin
