#pragma once

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "quoin/backends.hpp"
#include "quoin/error.hpp"

namespace quoin::test {

/// The device under test: QUOIN_TEST_BACKEND is a name or name:device, serial where it is not set. Ends the process
/// with the code that ctest reports as skipped where that device is not there.
inline const Chosen& chosen_device() {
  static const Chosen chosen = [] {
    const char* given = std::getenv("QUOIN_TEST_BACKEND");
    const std::string wanted = given == nullptr ? "serial" : given;
    const std::size_t colon = wanted.find(':');
    const std::string device = colon == std::string::npos ? "0" : wanted.substr(colon + 1);
    try {
      return choose_backend(
          {BackendChoice{.name = wanted.substr(0, colon), .device = device, .options = {}, .place = {}}},
          find_plugins({QUOIN_PLUGIN_DIR}));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::device) throw;
      std::fprintf(stderr, "skipped: %s\n", error.what());
      std::_Exit(77);
    }
  }();
  return chosen;
}
inline std::shared_ptr<Executor> executor() { return chosen_device().executor; }

/// One more on that device. Not for several threads at once.
inline std::shared_ptr<Executor> another_executor() {
  const Chosen& chosen = chosen_device();
  return chosen.backend->executor(chosen.device, {});
}

}  // namespace quoin::test
