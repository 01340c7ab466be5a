// Which plugins this process has open.

#include <mutex>
#include <utility>

#include "base/trace.hpp"
#include "plugin/loader.hpp"
#include "quoin/log.hpp"
#include "quoin/words.hpp"

namespace quoin {
namespace {

void log_for_plugin(std::int32_t level, const char* message) {
  constexpr spdlog::level::level_enum levels[] = {spdlog::level::trace, spdlog::level::debug, spdlog::level::info,
                                                  spdlog::level::warn, spdlog::level::err};
  if (message == nullptr) return;
  log().log(level >= 0 && level < 5 ? levels[level] : spdlog::level::err, "{}", printable(message, /*one_line=*/true));
}

constexpr quoin_host this_host{sizeof(quoin_host), QUOIN_ABI_MAJOR, QUOIN_ABI_MINOR, log_for_plugin,
                               Trace::from_plugin};

class LoadedBackend final : public OpenBackend {
 public:
  explicit LoadedBackend(std::shared_ptr<Plugin> plugin) : plugin_(std::move(plugin)) {}
  [[nodiscard]] const Candidate& candidate() const override { return plugin_->candidate; }
  [[nodiscard]] std::vector<DeviceInfo> devices(const std::string& wanted) override {
    return devices_of(*plugin_, wanted);
  }
  [[nodiscard]] std::shared_ptr<Executor> executor(
      int device, const std::map<std::string, std::string, std::less<>>& options) override {
    return executor_of(plugin_, device, options);
  }
  void shut_down() {
    if (plugin_->executors > 0) {
      log().error("the backend '{}' is still in use and is not shut down", plugin_->candidate.name);
    } else if (plugin_->table.shutdown != nullptr) {
      leave(plugin_->candidate.file.string(), "shutdown", plugin_->table.shutdown);
    }
  }

 private:
  std::shared_ptr<Plugin> plugin_;
};

struct Registry {
  std::mutex mutex;
  std::vector<std::shared_ptr<LoadedBackend>> open;  // in the order in which they were opened
};

// Never destroyed: nothing may happen to a plugin at exit.
Registry& registry() {
  static Registry& instance = *new Registry;
  return instance;
}

}  // namespace

std::shared_ptr<OpenBackend> open_backend(const Candidate& candidate, LibraryOpener& opener) {
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  for (const auto& backend : all.open) {
    if (backend->candidate().file == candidate.file) return backend;
    if (backend->candidate().name == candidate.name) {
      throw Error(ErrorKind::plugin,
                  "the backend '" + candidate.name + "' is already open from '" + backend->candidate().file.string() +
                      "'; one process uses one plugin of a name",
                  candidate.file.string());
    }
  }
  auto backend = std::make_shared<LoadedBackend>(load_plugin(candidate, opener, this_host));
  all.open.push_back(backend);
  log().debug("opened the backend '{}' {} from '{}'", candidate.name, candidate.version, candidate.file.string());
  return backend;
}

bool is_open(const Candidate& candidate) {
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  for (const auto& backend : all.open) {
    if (backend->candidate().file == candidate.file) return true;
  }
  return false;
}

void shutdown_backends() {
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  while (!all.open.empty()) {
    const auto last = std::move(all.open.back());
    all.open.pop_back();
    last->shut_down();
  }
}

}  // namespace quoin
