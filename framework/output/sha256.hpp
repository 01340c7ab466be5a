#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace quoin {

/// SHA-256 of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();
  void add(std::span<const std::byte> bytes);
  /// 64 lower-case hexadecimal digits; further pieces may follow.
  [[nodiscard]] std::string hex() const;

 private:
  std::shared_ptr<void> context_;  // EVP_MD_CTX
};

}  // namespace quoin
