// The reference of the kernels, from their declarations.

#include <array>

#include "commands.hpp"
#include "docs.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {
namespace {

// The arguments of each kernel, in the words of its declaration.
#define QN_ROW(name, kind, intent, extent) "| `" #name "` | " #kind " | " #intent " | `" #extent "` |\n"
#define QN_ROWS(name, pattern, meaning, ARGUMENTS, CONSTANTS, cost) ARGUMENTS(QN_ROW),
constexpr std::array<std::string_view, catalogue.size()> rows{QUOIN_FAMILIES(QN_ROWS)};
#undef QN_ROWS
#undef QN_ROW

std::string text_of(const CatalogueEntry& entry) {
  const auto code = [](std::string_view word) { return "`" + std::string(word) + "`"; };
  std::string text = "### " + code(entry.name) + "\n\n" + std::string(entry.meaning) + ". Pattern " +
                     code(pattern_name(entry.pattern)) + ".";
  for (const ConstantSpec& constant : entry.constants) {
    text += " Constant " + code(constant.name) + ": " + std::to_string(constant.first) + " to " +
            std::to_string(constant.last);
    if (constant.last_in_float != constant.last) text += ", in float to " + std::to_string(constant.last_in_float);
    text += ".";
  }
  return text + "\n\n| argument | kind | intent | what is touched |\n|---|---|---|---|\n" +
         std::string(rows[static_cast<std::size_t>(entry.id)]) + "\n";
}

}  // namespace

std::string kernels_page() {
  std::string text =
      "# The kernels\n\nWhat a backend can be asked for, as `kernels/declare.h` says it. Arguments are in the order of "
      "a "
      "launch.\n\n";
  std::string_view family;
  for (const CatalogueEntry& entry : catalogue) {
    if (entry.family != family) text += "## " + std::string(entry.family) + "\n\n";
    family = entry.family;
    text += text_of(entry);
  }
  return text;
}

}  // namespace quoin
