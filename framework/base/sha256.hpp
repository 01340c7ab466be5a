#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace quoin {

/// SHA-256 of bytes that come piece by piece. A copy goes on by itself.
class Sha256 {
 public:
  Sha256();
  Sha256(const Sha256& other);
  Sha256(Sha256&&) noexcept = default;
  Sha256& operator=(Sha256 other) noexcept {
    context_.swap(other.context_);
    return *this;
  }
  ~Sha256() = default;
  void add(std::span<const std::byte> bytes);
  /// 64 lower-case hexadecimal digits; further pieces may follow.
  [[nodiscard]] std::string hex() const;

 private:
  std::shared_ptr<void> context_;  // EVP_MD_CTX
};

/// Of all of it, as Sha256::hex.
std::string sha256_of(std::string_view text);

}  // namespace quoin
