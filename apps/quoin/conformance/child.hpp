#pragma once

// Work in a process of its own, so that whatever a plugin does ends there.

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace quoin::conformance {

using Message = nlohmann::json;

/// Sends a message to the process that waits.
using Send = std::function<void(const Message&)>;

/// Does `work` in a child of this process, which ends when `work` returns, and gives each message to `hear`. What is
/// printed on standard output there goes to standard error. Returns how the child ended, empty where it did so in
/// order. One that says nothing for so many seconds, 0 for any time, is killed. The runtimes of GPUs do not work in a
/// child of a process that has used them: this one must not have.
std::string in_child(const std::function<void(const Send&)>& work, const std::function<void(const Message&)>& hear,
                     double seconds);

}  // namespace quoin::conformance
