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

/// Rows of markup under heads of text, the first of a row its name; it scrolls by itself where it is too wide.
std::string table(const std::string& caption, const std::vector<std::string>& heads,
                  const std::vector<std::vector<std::string>>& rows);
/// Names and values side by side.
using Facts = std::vector<std::pair<std::string, std::string>>;
std::string facts(const Facts& list);

std::string section(const std::string& id, const std::string& title, const std::string& content);
std::string note(const std::string& text);
/// What can be opened.
std::string details(const std::string& title, const std::string& markup);
std::string long_text(const std::string& text);
/// An SVG as a picture of its own, which can do nothing to the page but follows its colours; `alt` is for who cannot
/// see it, the markup `over` lies upon it.
std::string figure(const std::string& svg, const std::string& caption, const std::string& alt,
                   const std::string& over = "");

/// Numbers of 32 bits as a text, and JSON, for the page's script.
std::string numbers(const std::vector<float>& values);
std::string data(const std::string& id, const Json& json);

/// The page: its title, whether it reloads itself, what is in it.
std::string page(const std::string& title, int reload_seconds, const std::string& content);

}  // namespace quoin::html
