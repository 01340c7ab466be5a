#include "base/sha256.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <array>

#include "quoin/error.hpp"

namespace quoin {
namespace {

void require(bool ok) {
  if (!ok) throw Error(ErrorKind::io, "OpenSSL cannot compute SHA-256; is there memory left?");
}

/// Whether OpenSSL has what it keeps for the whole process. Where it had no memory for that, using it would crash.
bool has_library() { return OSSL_LIB_CTX_get0_global_default() != nullptr; }

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new(), [](void* c) { EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(c)); }) {
  require(has_library() && context_ &&
          EVP_DigestInit_ex(static_cast<EVP_MD_CTX*>(context_.get()), EVP_sha256(), nullptr) == 1);
}

Sha256::Sha256(const Sha256& other) : Sha256() {
  require(EVP_MD_CTX_copy_ex(static_cast<EVP_MD_CTX*>(context_.get()),
                             static_cast<EVP_MD_CTX*>(other.context_.get())) == 1);
}

void Sha256::add(std::span<const std::byte> bytes) {
  require(EVP_DigestUpdate(static_cast<EVP_MD_CTX*>(context_.get()), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::hex() const {
  const Sha256 copy(*this);
  std::array<unsigned char, 32> digest{};
  require(EVP_DigestFinal_ex(static_cast<EVP_MD_CTX*>(copy.context_.get()), digest.data(), nullptr) == 1);
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string sha256_of(std::string_view text) {
  Sha256 hash;
  hash.add(std::as_bytes(std::span(text)));
  return hash.hex();
}

}  // namespace quoin
