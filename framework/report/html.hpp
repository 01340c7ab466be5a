#pragma once

#include <string>
#include <vector>

#include "report/results.hpp"

namespace quoin::html {

/// Any text as the content of an element or of a quoted attribute; what is no UTF-8 or no character becomes U+FFFD.
std::string escaped(const std::string& text);

/// A value of a summary, already markup: a number as people read it with all of its digits in `data`, a text escaped.
std::string value(const Json& json, const std::string& unit = "");
std::string value(double number, const std::string& unit = "");
/// The number at that path of an object, or a dash.
std::string cell(const Json& json, const std::string& path);

/// Rows of markup under heads of text; it scrolls by itself where it is too wide.
std::string table(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows);
/// Names and values side by side.
using Facts = std::vector<std::pair<std::string, std::string>>;
std::string facts(const Facts& list);

std::string section(const std::string& id, const std::string& title, const std::string& content);
std::string note(const std::string& text);
/// What can be opened to read a long text.
std::string details(const std::string& title, const std::string& text);
/// An SVG as a picture of its own, which can do nothing to the page but follows its colours.
std::string figure(const std::string& svg, const std::string& caption);

/// Pages of markup of which one is seen: the last, or the one that a slider is set to. A label tells which.
using Labelled = std::vector<std::pair<std::string, std::string>>;
std::string slides(const Labelled& list);

/// The page: its title, whether it reloads itself, what is in it.
std::string page(const std::string& title, int reload_seconds, const std::string& content);

}  // namespace quoin::html
