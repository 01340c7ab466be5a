#include "plugin/loader.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "quoin/words.hpp"

namespace quoin {
namespace {

struct Entry {
  const char* name;
  std::size_t offset;
};
#define ENTRY(name) \
  Entry { #name, offsetof(quoin_table, name) }
constexpr Entry required[] = {
    ENTRY(device_count),  ENTRY(device_info),    ENTRY(executor_create), ENTRY(executor_destroy), ENTRY(supports),
    ENTRY(memory_create), ENTRY(memory_destroy), ENTRY(queue_create),    ENTRY(queue_destroy),    ENTRY(copy_in),
    ENTRY(copy_out),      ENTRY(synchronize),    ENTRY(kernel_create),   ENTRY(kernel_destroy),   ENTRY(launch)};
#undef ENTRY
static_assert(sizeof required / sizeof(Entry) * sizeof(void*) == QUOIN_TABLE_REQUIRED_BYTES);

void examine(const quoin_descriptor* descriptor, Plugin& plugin) {
  const auto refuse = [&plugin](const std::string& why) {
    throw Error(ErrorKind::plugin, why, plugin.candidate.file.string());
  };
  if (descriptor == nullptr) refuse("the plugin refuses this host; rebuild it against this Quoin");
  if (descriptor->magic != QUOIN_ABI_MAGIC) refuse("the descriptor has the wrong magic number; rebuild the plugin");
  if (descriptor->size < sizeof(quoin_descriptor)) refuse("the descriptor is too short; rebuild the plugin");
  if (descriptor->abi_major != QUOIN_ABI_MAJOR) {
    refuse("the plugin was built for version " + std::to_string(descriptor->abi_major) +
           " of the plugin boundary, this is version " + std::to_string(QUOIN_ABI_MAJOR) + "; rebuild it");
  }
  if (descriptor->name == nullptr || plugin.candidate.name != descriptor->name)
    refuse("the manifest and the descriptor give different names; rebuild the plugin");
  if (descriptor->table == nullptr) refuse("the plugin has no function table; rebuild it");

  const std::size_t bytes = std::min<std::size_t>(descriptor->table_bytes, sizeof(quoin_table));
  std::memcpy(&plugin.table, descriptor->table, bytes / sizeof(void*) * sizeof(void*));
  for (const Entry& entry : required) {
    void (*function)() = nullptr;
    std::memcpy(&function, reinterpret_cast<const char*>(&plugin.table) + entry.offset, sizeof function);
    if (function == nullptr) refuse(std::string("the required function '") + entry.name + "' is absent");
  }
  const quoin_table& t = plugin.table;
  const int event_entries = (t.event_create != nullptr) + (t.event_destroy != nullptr) + (t.event_record != nullptr) +
                            (t.event_seconds != nullptr);
  if (event_entries != 0 && event_entries != 4) refuse("the plugin has some of the four event functions, not all");
  if ((t.memory_map == nullptr) != (t.memory_unmap == nullptr))
    refuse("the plugin has one of the functions memory_map and memory_unmap, not both");
  const int sequence_entries = (t.sequence_begin != nullptr) + (t.sequence_end != nullptr) +
                               (t.sequence_run != nullptr) + (t.sequence_destroy != nullptr);
  if (sequence_entries != 0 && sequence_entries != 4)
    refuse("the plugin has some of the four sequence functions, not all");
}

}  // namespace

void open_symbol(const Candidate& candidate, LibraryOpener& opener, const char* name, const char* macro,
                 const std::function<void(void* symbol)>& use) {
  const std::string file = candidate.file.string();
  if (!candidate.refusal.empty()) throw Error(ErrorKind::plugin, "the plugin " + candidate.refusal, file);
  watch_exits();
  const InPlugin here(file, "dlopen");
  void* library = opener.open(candidate.file);
  if (library == nullptr) throw Error(ErrorKind::plugin, "the plugin cannot be opened: " + opener.error(), file);
  void* symbol = opener.symbol(library, name);
  if (symbol == nullptr) {
    throw Error(ErrorKind::plugin,
                "the plugin does not export '" + std::string(name) + "' (" + opener.error() + "): it needs " + macro +
                    " in one of its sources",
                file);
  }
  const InPlugin in_function(file, name);
  use(symbol);
  watch_exits();  // before what the plugin has registered
}

std::shared_ptr<Plugin> load_plugin(const Candidate& candidate, LibraryOpener& opener, const quoin_host& host) {
  auto plugin = std::make_shared<Plugin>();
  plugin->candidate = candidate;
  open_symbol(candidate, opener, QUOIN_PLUGIN_SYMBOL, "QUOIN_BACKEND",
              [&](void* symbol) { examine(reinterpret_cast<quoin_plugin_function>(symbol)(&host), *plugin); });
  return plugin;
}

void raise(int status, quoin_error& error, const std::string& where) {
  error.message[sizeof error.message - 1] = '\0';
  error.where[sizeof error.where - 1] = '\0';
  const bool known = status >= static_cast<int>(ErrorKind::bug) && status <= static_cast<int>(ErrorKind::checkpoint);
  const std::string message = error.message[0] != '\0'
                                  ? printable(error.message)
                                  : "the plugin gave the status " + std::to_string(status) + " and no reason";
  throw Error(known ? static_cast<ErrorKind>(status) : ErrorKind::plugin, message,
              error.where[0] != '\0' ? where + ", " + printable(error.where, /*one_line=*/true) : where);
}

}  // namespace quoin
