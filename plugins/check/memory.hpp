#pragma once

// Memory that notices what is done to it: guard zones around it, a poison that shows where it is used
// before it is set, and a record of all that lives, so that every wait can look at all of it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "quoin/executor.hpp"

namespace quoin::check {

/// As a double a signalling NaN, as a float a NaN, as an integer an absurd index.
inline constexpr std::uint32_t fresh_poison = 0x7ff4f4f4U;  ///< memory that nothing was ever written to
inline constexpr std::uint32_t out_poison = 0x7ff4a5a5U;    ///< what a launch is about to write

/// Fills bytes [first, last) with the poison, in phase with `first` being element-aligned.
void fill_poison(std::byte* data, std::size_t first, std::size_t last, std::uint32_t poison);

/// The bytes behind a memory handle. Pending work keeps them, so that use after the free is noticed
/// and not suffered.
class Allocation {
 public:
  Allocation(std::size_t number, std::size_t bytes);
  [[nodiscard]] std::byte* data() { return storage_.data() + guard; }
  [[nodiscard]] const std::byte* data() const { return storage_.data() + guard; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] std::string name() const;
  /// Empty, or where a guard zone was written to.
  [[nodiscard]] std::string damage() const;

  bool freed = false;
  bool lent = false;  ///< to the host

 private:
  static constexpr std::size_t guard = 4096;
  std::size_t number_;
  std::size_t bytes_;
  std::vector<std::byte> storage_;
};

/// Every allocation of an executor, and violations found where nothing may be thrown.
class Ledger {
 public:
  std::shared_ptr<Allocation> add(std::size_t bytes);
  /// Keeps a violation for the next check.
  void note(const std::string& violation);
  /// Throws ErrorKind::bug where something was noted or a guard zone is damaged.
  void check();

 private:
  std::size_t count_ = 0;
  std::vector<std::weak_ptr<Allocation>> live_;
  std::string noted_;
};

class CheckedMemory : public Memory {
 public:
  CheckedMemory(std::shared_ptr<Ledger> ledger, std::size_t bytes, MemoryKind kind);
  ~CheckedMemory() override;
  [[nodiscard]] std::size_t bytes() const override { return allocation_->bytes(); }
  [[nodiscard]] MemoryKind kind() const override { return kind_; }
  [[nodiscard]] const std::shared_ptr<Allocation>& allocation() const { return allocation_; }

 private:
  std::shared_ptr<Ledger> ledger_;
  std::shared_ptr<Allocation> allocation_;
  MemoryKind kind_;
};

/// The allocation behind [offset, offset + bytes) of `memory`; throws ErrorKind::bug where that leaves it.
std::shared_ptr<Allocation> checked_range(const Memory& memory, std::size_t offset, std::size_t bytes,
                                          const std::string& what);
/// Throws ErrorKind::bug where the allocation is gone.
void check_alive(const Allocation& allocation, const std::string& what);

}  // namespace quoin::check
