#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <string>

#include "quoin/communicator.hpp"
#include "quoin/error.hpp"

namespace quoin::test {

template <class T>
std::span<std::byte> memory_of(T& value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

template <class T>
void send(Communicator& ranks, const T& value, int to, int tag) {
  ranks.wait(*ranks.send(std::as_bytes(std::span(&value, 1)), to, tag));
}

template <class T>
T receive(Communicator& ranks, int from, int tag) {
  T value{};
  ranks.wait(*ranks.receive(memory_of(value), from, tag));
  return value;
}

/// What an action ends by: `bug: message`, with its place but for the host, `exception: message`, or `done`.
inline std::string end_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    const std::string kind = error.kind() == ErrorKind::bug ? "bug" : std::to_string(error.exit_code());
    return kind + ": " + error.where().substr(0, error.where().find(" (")) + ": " + error.what();
  } catch (const std::exception& error) {
    return std::string("exception: ") + error.what();
  }
  return "done";
}

}  // namespace quoin::test
