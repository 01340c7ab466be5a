#pragma once

// What the tests of the plugin boundary share.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "plugin/loader.hpp"
#include "quoin/backends.hpp"
#include "quoin/error.hpp"
#include "quoin/log.hpp"
#include "temporary_folder.hpp"

namespace quoin::testing {

inline std::filesystem::path fake(const std::string& name) {
  return std::filesystem::path(QUOIN_FAKES_DIR) / (name + ".so");
}

/// A private folder that vanishes with the object.
class TemporaryFolder {
 public:
  [[nodiscard]] const std::filesystem::path& path() const { return own_.path; }
  /// A folder inside with the given permissions.
  [[nodiscard]] std::filesystem::path folder(const std::string& name, mode_t mode = 0755) const {
    std::filesystem::create_directories(path() / name);
    EXPECT_EQ(::chmod((path() / name).c_str(), mode), 0);
    return path() / name;
  }

 private:
  test::TemporaryFolder own_;
};

/// Collects what is logged while it lives.
class LogCapture {
 public:
  LogCapture() : sink_(std::make_shared<spdlog::sinks::ostream_sink_mt>(text_)) { log().sinks().push_back(sink_); }
  ~LogCapture() { log().sinks().pop_back(); }
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;
  [[nodiscard]] std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  spdlog::sink_ptr sink_;
};

/// Sets an environment variable while it lives.
class Variable {
 public:
  Variable(std::string name, const std::string& value) : name_(std::move(name)) {
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name_.c_str()); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  std::string name_;
};

/// The quoin::Error that `body` throws.
template <class Body>
Error error_of(const Body& body) {
  try {
    body();
  } catch (const Error& e) {
    return e;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {ErrorKind::bug, "nothing was thrown"};
}

/// Opens plugins, and lets them go at the end of each test.
class WithPlugins : public ::testing::Test {
 protected:
  ~WithPlugins() override { shutdown_backends(); }

  static std::shared_ptr<Executor> executor(const std::string& name,
                                            const std::map<std::string, std::string, std::less<>>& options = {}) {
    return open_backend(inspect_plugin(fake(name)))->executor(0, options);
  }
};

}  // namespace quoin::testing
