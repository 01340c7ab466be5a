#pragma once

// Memory of every kind, each by the runtime's own way.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "quoin/bytes.hpp"
#include "quoin/error.hpp"
#include "quoin/executor.hpp"
#include "runtime.hpp"

namespace quoin::hip {

/// Throws where the runtime did not do `what`.
inline void check(hipError_t status, const std::string& what, const std::string& where) {
  if (status == hipSuccess) return;
  throw Error(ErrorKind::device,
              what + ": " + hipGetErrorString(status) + " (" + hipGetErrorName(status) + ", error " +
                  std::to_string(static_cast<int>(status)) + ")",
              where);
}

/// A device and its place in messages. The runtime's current device belongs to the calling thread, so that every
/// entry chooses it anew.
struct Device {
  int index;
  std::string name;
  void use() const { check(hipSetDevice(index), "cannot use the device", name); }
};

/// Kinds that the device has, the first being its own.
inline std::vector<MemoryKind> memory_kinds(int device) {
  const auto has = [device](auto attribute) {
    int value = 0;
    return hipDeviceGetAttribute(&value, attribute, device) == hipSuccess && value != 0;
  };
  std::vector<MemoryKind> kinds{MemoryKind::device, MemoryKind::pinned};
  if (has(hipDeviceAttributeManagedMemory)) {
    kinds.push_back(MemoryKind::shared_coarse);
    if (has(hipDeviceAttributeConcurrentManagedAccess)) {
      kinds.push_back(MemoryKind::shared_fine);
      kinds.push_back(MemoryKind::shared_atomic);
    }
  }
  kinds.push_back(MemoryKind::zero_copy);
  return kinds;
}

class DeviceMemory : public Memory {
 public:
  DeviceMemory(Device device, std::size_t bytes, MemoryKind kind)
      : device_(std::move(device)), bytes_(bytes), kind_(kind) {
    device_.use();
    const std::size_t asked = std::max<std::size_t>(bytes, 1);
    const hipError_t status = take(asked);
    if (status == hipSuccess) return;
    (void)hipGetLastError();  // an allocation that failed is no reason to refuse the next launch
    give_back();
    std::size_t free = 0;
    std::size_t total = 0;
    std::string rest;
    if (kind == MemoryKind::device && hipMemGetInfo(&free, &total) == hipSuccess)
      rest = ", " + in_bytes(static_cast<double>(free)) + " of " + in_bytes(static_cast<double>(total)) + " free";
    check(status, "out of memory: " + in_bytes(static_cast<double>(bytes)) + " asked for" + rest, device_.name);
  }
  ~DeviceMemory() override { give_back(); }
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }
  [[nodiscard]] MemoryKind kind() const override { return kind_; }
  [[nodiscard]] std::byte* on_host() override { return kind_ == MemoryKind::shared_coarse ? nullptr : mapped(); }
  /// For the host, once no work is under way; null where it has to copy.
  [[nodiscard]] std::byte* mapped() const { return static_cast<std::byte*>(host_); }
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  hipError_t take(std::size_t bytes) {
    switch (kind_) {
      case MemoryKind::device:
        return hipMalloc(&data_, bytes);
      case MemoryKind::pinned:
        if (const hipError_t status = hipHostMalloc(&data_, bytes, QUOIN_HOST_NOT_COHERENT); status != hipSuccess)
          return status;
        break;
      case MemoryKind::zero_copy:
        return take_pages((bytes + page - 1) / page * page);
      default:
        if (const hipError_t status = hipMallocManaged(&data_, bytes, hipMemAttachGlobal); status != hipSuccess)
          return status;
        if (kind_ == MemoryKind::shared_coarse) keep_on_device(data_, bytes, device_.index);
    }
    host_ = data_;
    return hipSuccess;
  }
  hipError_t take_pages(std::size_t bytes) {
    host_ = std::aligned_alloc(page, bytes);
    if (host_ == nullptr) return hipErrorOutOfMemory;
    hipError_t status = hipHostRegister(host_, bytes, hipHostRegisterMapped);
    registered_ = status == hipSuccess;
    if (registered_) status = hipHostGetDevicePointer(&data_, host_, 0);
    return status;
  }
  void give_back() {
    switch (kind_) {
      case MemoryKind::pinned:
        (void)hipHostFree(data_);
        return;
      case MemoryKind::zero_copy:
        if (registered_) (void)hipHostUnregister(host_);
        std::free(host_);
        return;
      default:
        (void)hipFree(data_);
    }
  }

  static constexpr std::size_t page = 4096;
  Device device_;
  void* data_ = nullptr;
  void* host_ = nullptr;
  bool registered_ = false;
  std::size_t bytes_;
  MemoryKind kind_;
};

}  // namespace quoin::hip
