#include "report/html.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cmath>
#include <string_view>

#include "report/script.hpp"
#include "report/style.hpp"

namespace quoin::html {
namespace {

/// How many bytes the UTF-8 character at `at` has; 0 for what is none, or a control character.
std::size_t character(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
  const unsigned first = byte(at);
  if (first < 0x80U) return first >= 0x20U || first == '\n' || first == '\t' ? 1 : 0;
  const std::size_t length = first >= 0xF0U && first < 0xF5U   ? 4
                             : first >= 0xE0U && first < 0xF0U ? 3
                             : first >= 0xC2U && first < 0xE0U ? 2
                                                               : 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(at + k) & 0xC0U) != 0x80U) return 0;
  const unsigned second = byte(at + 1);
  const bool wrong = (first == 0xE0U && second < 0xA0U) || (first == 0xEDU && second >= 0xA0U) ||  // surrogates
                     (first == 0xF0U && second < 0x90U) || (first == 0xF4U && second >= 0x90U);
  return wrong ? 0 : length;
}

/// For a data URI within double quotes.
std::string percent_encoded(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte > 0x20U && byte < 0x7FU && std::string_view("%#\"'<>&`{}|\\^").find(c) == std::string::npos;
    if (plain) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", byte);
    }
  }
  return result;
}

/// Base 64.
std::string encoded(const void* bytes, std::size_t count) {
  std::string text(4 * ((count + 2) / 3) + 1, '\0');
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), static_cast<const unsigned char*>(bytes),
                  static_cast<int>(count));
  text.pop_back();  // a zero
  return text;
}

/// By which the page allows this script and no other.
std::string script_hash() {
  std::array<unsigned char, 32> digest{};
  EVP_Digest(script, std::string_view(script).size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  return encoded(digest.data(), digest.size());
}

std::string with_unit(const std::string& text, const std::string& unit) {
  return unit.empty() ? text : text + "&nbsp;" + escaped(unit);
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character(text, at);
    if (length == 0) result += "\xEF\xBF\xBD";
    if (length == 1) {
      switch (text[at]) {
        case '&':
          result += "&amp;";
          break;
        case '<':
          result += "&lt;";
          break;
        case '>':
          result += "&gt;";
          break;
        case '"':
          result += "&quot;";
          break;
        case '\'':
          result += "&#39;";
          break;
        default:
          result += text[at];
      }
    } else {
      result.append(text, at, length);
    }
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

std::string value(double number, const std::string& unit) { return value(Json(number), unit); }

std::string value(const Json& json, const std::string& unit) {
  if (json.is_null()) return "not known";
  if (json.is_string()) return with_unit(escaped(json.get<std::string>()), unit);
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (!json.is_number()) return escaped(text);
  const double number = json.get<double>();
  const std::string shown = json.is_number_float() ? fmt::format("{:.5g}", number) : text;
  if (!std::isfinite(number)) text = shown;
  return with_unit(fmt::format("<data value=\"{}\">{}</data>", text, shown), unit);
}

std::string cell(const Json& json, const std::string& path) {
  return number_at(json, path) ? value(json[Json::json_pointer(path)]) : "-";
}

std::string table(const std::string& caption, const std::vector<std::string>& heads,
                  const std::vector<std::vector<std::string>>& rows) {
  // The arrow keys scroll what has the focus.
  std::string text = fmt::format(
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table>\n<caption>{0}</caption>\n"
      "<thead><tr>",
      escaped(caption));
  for (const std::string& head : heads) text += "<th scope=\"col\">" + escaped(head) + "</th>";
  text += "</tr></thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : rows) {
    text += "<tr>";
    for (const std::string& cell : row)
      text += &cell == &row.front() ? "<th scope=\"row\">" + cell + "</th>" : "<td>" + cell + "</td>";
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string facts(const Facts& list) {
  std::string text = "<dl>\n";
  for (const auto& [name, what] : list) text += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(name), what);
  return text + "</dl>\n";
}

std::string section(const std::string& id, const std::string& title, const std::string& content) {
  return fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", escaped(id), escaped(title), content);
}

std::string note(const std::string& text) { return "<p class=\"note\">" + escaped(text) + "</p>\n"; }

std::string details(const std::string& title, const std::string& markup) {
  return "<details><summary>" + escaped(title) + "</summary>\n" + markup + "</details>\n";
}

std::string long_text(const std::string& text) { return "<pre>" + escaped(text) + "</pre>\n"; }

std::string figure(const std::string& svg, const std::string& caption, const std::string& alt,
                   const std::string& over) {
  return fmt::format(
      "<figure><div class=\"drawing\"><img alt=\"{}\" src=\"data:image/svg+xml,{}\">{}</div>"
      "<figcaption>{}</figcaption></figure>\n",
      escaped(alt), percent_encoded(svg), over, escaped(caption));
}

std::string numbers(const std::vector<float>& values) { return encoded(values.data(), values.size() * sizeof(float)); }

std::string data(const std::string& id, const Json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace))
    text += c == '<' ? "\\u003c" : std::string(1, c);  // in strings alone, where it would end the element
  return "<script type=\"application/json\" id=\"" + id + "\">" + text + "</script>\n";
}

std::string page(const std::string& title, int reload_seconds, const std::string& content) {
  const std::string reload =
      reload_seconds > 0 ? fmt::format("<meta http-equiv=\"refresh\" content=\"{}\">\n", reload_seconds) : "";
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
         "'unsafe-inline'; script-src 'sha256-" +
         script_hash() + "'\">\n" + reload + "<title>" + escaped(title) + "</title>\n<style>\n" + style +
         "</style>\n</head>\n<body>\n" + content +
         (content.find("<script type=") == std::string::npos ? "" : fmt::format("<script>{}</script>\n", script)) +
         "</body>\n</html>\n";
}

}  // namespace quoin::html
