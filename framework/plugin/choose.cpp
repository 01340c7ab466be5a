// Which backend and which device a run uses.

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>

#include "base/library_folder.hpp"
#include "base/text.hpp"
#include "device/arrays_in.hpp"
#include "plugin/loader.hpp"
#include "plugin/probe.hpp"
#include "quoin/log.hpp"

namespace quoin {
namespace {

std::string joined(const std::set<std::string>& words, const std::string& otherwise) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? otherwise : text;
}

/// What to write in place of a name that is not a backend's but that people try; empty: not known.
std::string advice(const std::string& name, const std::set<std::string>& known) {
  const std::string word = lower_case(name);
  if (word == "gpu" || word == "device") return ": for any GPU write backend: [hip, opencl, openmp]";
  if (word == "cuda" || word == "nvidia") return ": NVIDIA's GPUs are reached with hip, opencl or openmp";
  if (word == "rocm" || word == "amd") return ": AMD's GPUs are reached with hip, opencl or openmp";
  if (word == "cpu" || word == "host" || word == "threads") return ": for the cores of the host write openmp or serial";
  return did_you_mean(name, {known.begin(), known.end()});
}

/// What the build tree that holds this library says of a backend that it has not built; empty where it says nothing, or
/// where the library is installed.
std::string not_built(const std::string& name) {
  if (name.find('/') != std::string::npos) return {};
  std::ifstream file(folder_of_library() / "quoin" / "not-built" / name);
  std::string text;
  std::getline(file, text);
  return text;
}

/// Its name without the words that are numbers, as in `GPU 1 (OpenMP target)`.
std::string model_of(const DeviceInfo& device) {
  std::istringstream words(device.name);
  std::string model;
  for (std::string word; words >> word;)
    if (word.find_first_not_of("0123456789") != std::string::npos) model += word + " ";
  return model;
}

}  // namespace

const Candidate& find_backend(const std::string& name, const std::vector<Candidate>& candidates) {
  const Candidate* refused = nullptr;
  std::set<std::string> names;
  std::set<std::string> folders;
  for (const Candidate& candidate : candidates) {
    folders.insert(candidate.file.parent_path().string());
    if (candidate.refusal.empty()) names.insert(candidate.name);
    if (candidate.name != name) continue;
    if (candidate.refusal.empty()) {
      if (refused != nullptr)
        log().warn("'{}' is used in place of '{}', which {}", candidate.file.string(), refused->file.string(),
                   refused->refusal);
      return candidate;
    }
    if (refused == nullptr) refused = &candidate;
  }
  if (refused != nullptr)
    throw Error(ErrorKind::plugin, "the plugin of the backend '" + name + "' " + refused->refusal,
                refused->file.string());
  if (const std::string how = not_built(name); !how.empty())
    throw Error(ErrorKind::plugin, "the backend '" + name + "' is not built; " + how);
  for (const std::filesystem::path& folder : plugin_folders({})) folders.insert(folder.string());
  throw Error(ErrorKind::plugin, "there is no backend '" + name + "'" + advice(name, names) + "; known are: " +
                                     joined(names, "none") + "; searched were: " + joined(folders, "no folder") +
                                     "; give another folder with --plugin-dir or QUOIN_PLUGIN_PATH");
}

int find_device(const std::vector<DeviceInfo>& devices, const std::string& wanted, const std::string& backend) {
  const char* end = wanted.data() + wanted.size();
  std::size_t index = 0;
  const auto number = std::from_chars(wanted.data(), end, index);
  const bool is_number = !wanted.empty() && number.ptr == end;
  if (is_number && number.ec == std::errc() && index < devices.size()) return static_cast<int>(index);
  if (!is_number && !wanted.empty()) {
    for (std::size_t k = 0; k < devices.size(); ++k) {
      if (lower_case(devices[k].name).find(lower_case(wanted)) != std::string::npos) return static_cast<int>(k);
    }
  }
  std::string known;
  for (std::size_t k = 0; k < devices.size(); ++k)
    known += (k == 0 ? "" : ", ") + std::to_string(k) + " (" + devices[k].name + ")";
  throw Error(ErrorKind::device, "the backend '" + backend + "' has no device '" + wanted +
                                     "'; it has: " + (known.empty() ? "none" : known) +
                                     "; give one of the numbers or a part of a name");
}

int find_device(const std::vector<DeviceInfo>& devices, const BackendChoice& choice) {
  const int named = find_device(devices, choice.device, choice.name);
  const bool indexed = choice.device.find_first_not_of("0123456789") == std::string::npos;
  if (indexed && choice.device != BackendChoice{}.device) return named;
  std::vector<int> alike;
  for (std::size_t k = 0; k < devices.size(); ++k)
    if (model_of(devices[k]) == model_of(devices[static_cast<std::size_t>(named)]))
      alike.push_back(static_cast<int>(k));
  const auto first = static_cast<std::size_t>(std::ranges::find(alike, named) - alike.begin());
  return alike[(first + static_cast<std::size_t>(choice.turn)) % alike.size()];
}

BackendChoosing::BackendChoosing(std::vector<BackendChoice> wanted, std::vector<Candidate> candidates,
                                 LibraryOpener& opener, Tuned tuned)
    : wanted_(std::move(wanted)), candidates_(std::move(candidates)), opener_(opener), tuned_(std::move(tuned)) {
  if (wanted_.empty()) throw Error(ErrorKind::bug, "no backend was asked for");
  const auto first = std::ranges::find_if(candidates_, [this](const Candidate& candidate) {
    return candidate.name == wanted_.front().name && candidate.refusal.empty();
  });
  if (first != candidates_.end() && probes(*first, 0)) first_ = probing(*first, 0);
}

BackendChoosing::~BackendChoosing() = default;

/// One that is open has not crashed; where there is another one to try, an executor is made there, too.
bool BackendChoosing::probes(const Candidate& candidate, std::size_t number) const {
  return !is_open(candidate) || !is_last(number);
}

std::unique_ptr<Probing> BackendChoosing::probing(const Candidate& candidate, std::size_t number) const {
  constexpr double seconds = 20.0;
  return std::make_unique<Probing>(candidate, seconds, &wanted_[number], /*with_executor=*/!is_last(number));
}

Chosen BackendChoosing::use(std::size_t number, const Suits& suits) {
  const BackendChoice& choice = wanted_[number];
  const Candidate& candidate = find_backend(choice.name, candidates_);
  if (probes(candidate, number)) {
    const std::unique_ptr<Probing> child = first_ ? std::move(first_) : probing(candidate, number);
    const Probed probed = child->answer();
    if (!probed.reason.empty())
      throw Error(probed.kind, "the backend '" + choice.name + "' cannot be used: " + probed.reason,
                  candidate.file.string());
  }
  Chosen chosen;
  chosen.backend = open_backend(candidate, opener_);
  const std::vector<DeviceInfo> devices = chosen.backend->devices(choice.device);
  chosen.device = find_device(devices, choice);
  if (tuned_) chosen.tuned = tuned_(choice, candidate, devices[static_cast<std::size_t>(chosen.device)]);
  OptionMap options = choice.options;
  options.insert(chosen.tuned.begin(), chosen.tuned.end());
  chosen.executor = chosen.backend->executor(chosen.device, options);
  chosen.memory = choice.memory;
  chosen.executor = with_arrays_in(chosen.memory, std::move(chosen.executor));
  if (suits) suits(chosen);
  return chosen;
}

Chosen BackendChoosing::choose(const Suits& suits) {
  for (std::size_t number = 0;; ++number) {
    try {
      return use(number, suits);
    } catch (const Error& e) {
      if (wanted_.size() > 1) log().warn("the backend '{}' is not used: {}", wanted_[number].name, e.what());
      if (is_last(number)) throw;
    }
  }
}

Chosen choose_backend(const std::vector<BackendChoice>& wanted, const std::vector<Candidate>& candidates,
                      LibraryOpener& opener, const Tuned& tuned, const Suits& suits) {
  return BackendChoosing(wanted, candidates, opener, tuned).choose(suits);
}

}  // namespace quoin
