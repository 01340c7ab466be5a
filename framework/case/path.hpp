#pragma once

// Paths of keys: names with dots between them, where a `*` of the table stands for any name that a user gives.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quoin {

using Names = std::vector<std::string>;

/// Letters, digits, _ and -: what stands in a path without quotes.
bool is_name(std::string_view text);

/// Letters, digits and _, no digit first: what formulas can call by its name.
bool is_variable(std::string_view text);

/// Where the first part of the path ends: at a dot outside quotes, or at the end.
std::size_t part_end(std::string_view path);

/// The parts between the dots, as they stand.
Names split_path(std::string_view path);

/// The name that a part stands for, without its quotes; nothing where its quotes are not closed. See path_part().
std::optional<std::string> part_name(std::string_view part);

std::string join_path(const std::string& section, const std::string& name);

/// What stands in `path` for each `*` of `pattern`; nothing where the two differ in more.
std::optional<Names> match_path(std::string_view pattern, std::string_view path);

/// What follows in `pattern` where it lies in the section `path` (empty: the whole file); otherwise nothing.
std::optional<std::string_view> match_section(std::string_view pattern, std::string_view path);

/// `pattern` with the names in place of its `*`, in their order.
std::string fill_path(std::string_view pattern, const Names& names);

}  // namespace quoin
