#include "memory.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "quoin/error.hpp"
#include "quoin/host_memory.hpp"

namespace quoin::check {
namespace {
constexpr auto guard_byte = static_cast<std::byte>(0xfd);
}

void fill_poison(std::byte* data, std::size_t first, std::size_t last, std::uint32_t poison) {
  for (std::size_t k = first; k < last; ++k) {
    data[k] = static_cast<std::byte>(poison >> (8U * ((k - first) % 4U)));  // little-endian
  }
}

Allocation::Allocation(std::size_t number, std::size_t bytes)
    : number_(number), bytes_(bytes), storage_(bytes + 2 * guard, guard_byte) {
  fill_poison(data(), 0, bytes, fresh_poison);
}

std::string Allocation::name() const {
  return "allocation " + std::to_string(number_) + " of " + std::to_string(bytes_) + " bytes";
}

std::string Allocation::damage() const {
  for (std::size_t k = 0; k < storage_.size(); ++k) {
    if (k == guard) k += bytes_;  // a bound of the memory itself: go on behind it
    if (storage_[k] != guard_byte) {
      const bool before = k < guard;
      const std::size_t distance = before ? guard - k : k - guard - bytes_;
      return name() + " was written to " + std::to_string(distance) + " bytes " +
             (before ? "before its start" : "past its end");
    }
  }
  return {};
}

std::shared_ptr<Allocation> Ledger::add(std::size_t bytes) {
  std::erase_if(live_, [](const auto& entry) { return entry.expired(); });
  auto made = std::make_shared<Allocation>(++count_, bytes);
  live_.push_back(made);
  return made;
}

void Ledger::note(const std::string& violation) {
  if (noted_.empty()) noted_ = violation;
}

void Ledger::check() {
  for (const auto& entry : live_) {
    if (const auto allocation = entry.lock()) note(allocation->damage());
  }
  if (!noted_.empty()) throw Error(ErrorKind::bug, std::exchange(noted_, {}));
}

CheckedMemory::CheckedMemory(std::shared_ptr<Ledger> ledger, std::size_t bytes, MemoryKind kind)
    : ledger_(std::move(ledger)), kind_(kind) {
  [[maybe_unused]] const HostMemory plain(bytes, kind);  // refuses impossible sizes with the usual text
  allocation_ = ledger_->add(bytes);
}

CheckedMemory::~CheckedMemory() {
  ledger_->note(allocation_->damage());
  allocation_->freed = true;
}

std::shared_ptr<Allocation> checked_range(const Memory& memory, std::size_t offset, std::size_t bytes,
                                          const std::string& what) {
  const auto& allocation = static_cast<const CheckedMemory&>(memory).allocation();
  if (offset > allocation->bytes() || bytes > allocation->bytes() - offset) {
    throw Error(ErrorKind::bug, what + ": bytes " + std::to_string(offset) + " to " + std::to_string(offset + bytes) +
                                    " lie outside " + allocation->name());
  }
  if (allocation->lent)
    throw Error(ErrorKind::bug, what + ": the host has " + allocation->name() + ", mapped and not unmapped");
  return allocation;
}

void check_alive(const Allocation& allocation, const std::string& what) {
  if (allocation.freed)
    throw Error(ErrorKind::bug,
                what + ": " + allocation.name() + " was freed while this work was pending; wait before freeing");
}

}  // namespace quoin::check
