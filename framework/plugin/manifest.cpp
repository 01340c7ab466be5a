#include "plugin/manifest.hpp"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "quoin/error.hpp"
#include "quoin/plugin_abi.h"

namespace quoin {
namespace {

using nlohmann::json;

constexpr std::size_t longest_manifest = 1U << 20;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::plugin, why); }

/// With libelf's own reason, such as a lack of memory, where it has one.
[[noreturn]] void refuse_file(const std::string& why) {
  const char* reason = elf_errmsg(0);
  refuse(reason == nullptr ? why : why + " (" + reason + ")");
}

/// Lower-case letters, digits, '_' and '-', so that a name can stand in a case file, a path and a message.
bool is_name(const std::string& text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

KeyType key_type(const std::string& name) {
  if (name == "text") return KeyType::text;
  if (name == "choice") return KeyType::choice;
  if (name == "boolean") return KeyType::boolean;
  if (name == "integer") return KeyType::integer;
  if (name == "real") return KeyType::real;
  refuse("has a key of the unknown type '" + name + "'; known are text, choice, boolean, integer and real");
}

/// The conversion of the library takes any number, and those too large for an int have no value in one.
std::pair<int, int> abi_of(const json& abi) {
  const auto is_version = [](const json& part) { return part.is_number_unsigned() && part <= INT_MAX; };
  if (!abi.is_array() || abi.size() != 2 || !is_version(abi[0]) || !is_version(abi[1]))
    refuse("has a manifest whose 'abi' is not [major, minor]");
  return {abi[0].get<int>(), abi[1].get<int>()};
}

/// The values to try for a key, each of them one that a case may give.
std::vector<std::string> candidates_of(const json& values, const Key& key) {
  std::vector<std::string> list;
  for (const json& value : values.get_ref<const json::array_t&>()) {
    list.push_back(value.is_string() ? value.get<std::string>() : value.dump());
    const double number = key.type == KeyType::integer && value.is_number_integer() ? value.get<double>() : NAN;
    const bool in_range = number >= key.minimum.value_or(number) && number <= key.maximum.value_or(number);
    const bool allowed = in_range || std::ranges::find(key.choices, list.back()) != key.choices.end();
    if (!allowed) refuse("has the key '" + key.path + "', which cannot be tuned to " + value.dump());
  }
  if (list.size() < 2 || !key.fallback.empty())
    refuse("has the key '" + key.path + "', which needs two values or more to be tuned, and no default");
  return list;
}

/// A plugin of a time when all kernels had one hash has none of today's families.
Hashes hashes_of(const json& kernels) { return kernels.is_string() ? Hashes{} : kernels.get<Hashes>(); }

Key key_of(const json& entry, const std::string& backend) {
  Key key;
  key.path = entry.at("key").get<std::string>();
  if (!is_name(key.path) || key.path == "name" || key.path == "device")
    refuse("has a key that cannot be called '" + key.path + "'");
  key.type = key_type(entry.at("type").get<std::string>());
  if (entry.contains("default")) {
    const json& fallback = entry["default"];
    key.fallback = fallback.is_string() ? fallback.get<std::string>() : fallback.dump();
  }
  if (entry.contains("choices")) key.choices = entry["choices"].get<std::vector<std::string>>();
  if ((key.type == KeyType::choice) == key.choices.empty())
    refuse("has the key '" + key.path + "', which must have choices if and only if its type is choice");
  if (entry.contains("minimum")) key.minimum = entry["minimum"].get<double>();
  if (entry.contains("maximum")) key.maximum = entry["maximum"].get<double>();
  key.unit = entry.value("unit", "");
  key.meaning = entry.value("meaning", "");
  key.backend = backend;
  if (entry.contains("tune")) key.tune = candidates_of(entry["tune"], key);
  return key;
}

/// An ELF file that is open for reading, as libelf sees it.
class ElfFile {
 public:
  explicit ElfFile(const std::filesystem::path& file)
      : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (descriptor_ < 0) refuse(std::string("cannot be read: ") + std::strerror(errno));
    elf_version(EV_CURRENT);
    elf_errno();  // forgets the error of an earlier file
    elf_ = elf_begin(descriptor_, ELF_C_READ, nullptr);
    if (elf_ == nullptr || elf_kind(elf_) != ELF_K_ELF || elf_getshdrstrndx(elf_, &section_names_) != 0) {
      close();
      refuse_file("is not an ELF shared object");
    }
  }
  ~ElfFile() { close(); }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;
  operator Elf*() const { return elf_; }
  [[nodiscard]] std::size_t section_names() const { return section_names_; }

 private:
  void close() {
    elf_end(elf_);
    ::close(descriptor_);
  }
  int descriptor_;
  Elf* elf_ = nullptr;
  std::size_t section_names_ = 0;
};

/// The texts of those entries of the dynamic section.
std::vector<std::string> dynamic_texts(const std::filesystem::path& file, std::initializer_list<GElf_Sxword> tags) {
  const ElfFile elf(file);
  std::vector<std::string> texts;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNAMIC) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    GElf_Dyn entry;
    for (int k = 0; data != nullptr && gelf_getdyn(data, k, &entry) != nullptr && entry.d_tag != DT_NULL; ++k) {
      const bool wanted = std::ranges::find(tags, entry.d_tag) != tags.end();
      const char* text = wanted ? elf_strptr(elf, header.sh_link, entry.d_un.d_val) : nullptr;
      if (text != nullptr) texts.emplace_back(text);
    }
  }
  return texts;
}

}  // namespace

Manifest parse_manifest(std::string_view text) {
  try {
    const json whole = json::parse(text);
    Manifest manifest;
    std::tie(manifest.abi_major, manifest.abi_minor) = abi_of(whole.at("abi"));
    manifest.name = whole.at("name").get<std::string>();
    if (!is_name(manifest.name)) refuse("has a manifest with a name that is not made of a-z, 0-9, '_' and '-'");
    manifest.version = whole.value("version", "");
    manifest.toolchain = whole.value("toolchain", "");
    const std::string kind = whole.value("kind", "backend");
    if (kind == "problem") manifest.kind = PluginKind::problem;
    if (kind == "communicator") manifest.kind = PluginKind::communicator;
    if (manifest.abi_major != QUOIN_ABI_MAJOR) return manifest;
    manifest.kernels = hashes_of(whole.at("kernels"));
    if (manifest.kind == PluginKind::problem) {
      manifest.interface = whole.at("interface").get<std::string>();
      return manifest;
    }
    for (const json& entry : whole.at("keys").get_ref<const json::array_t&>())
      manifest.keys.push_back(key_of(entry, manifest.name));
    return manifest;
  } catch (const json::exception& e) {
    refuse(std::string("has a manifest that cannot be read: ") + e.what());
  }
}

std::string manifest_text(const std::filesystem::path& file) {
  const ElfFile elf(file);
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* name = elf_strptr(elf, elf.section_names(), header.sh_name);
    if (name == nullptr || std::strcmp(name, QUOIN_MANIFEST_SECTION) != 0) continue;
    if (header.sh_size > longest_manifest) refuse("has a manifest of more than 1 MiB");
    const Elf_Data* data = elf_rawdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) refuse_file("has an empty manifest");
    // The text ends at its NUL; sanitizers pad the section behind it.
    const char* text = static_cast<const char*>(data->d_buf);
    return {text, strnlen(text, data->d_size)};
  }
  refuse("has no section " QUOIN_MANIFEST_SECTION ": it is no Quoin plugin, or was not built with QUOIN_BACKEND");
}

std::vector<std::string> needed_libraries(const std::filesystem::path& file) {
  return dynamic_texts(file, {DT_NEEDED});
}

std::vector<std::string> own_search_paths(const std::filesystem::path& file) {
  return dynamic_texts(file, {DT_RPATH, DT_RUNPATH});
}

}  // namespace quoin
