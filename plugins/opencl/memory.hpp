#pragma once

#include <cstddef>
#include <memory>
#include <set>

#include "opencl.hpp"
#include "quoin/executor.hpp"

namespace quoin::opencl {

/// Memory of one kind. Calls with a queue put their work into it; those that give the host something wait for it.
class ClMemory : public Memory {
 public:
  ClMemory(std::size_t bytes, MemoryKind kind) : bytes_(bytes), kind_(kind) {}
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }
  [[nodiscard]] MemoryKind kind() const override { return kind_; }

  virtual cl_int give_to(cl_kernel kernel, cl_uint argument) const = 0;
  virtual void copy_in(cl_command_queue queue, std::size_t offset, std::span<const std::byte> source) = 0;
  virtual void copy_out(cl_command_queue queue, std::span<std::byte> target, std::size_t offset) const = 0;
  /// As Queue has them.
  virtual std::byte* map(cl_command_queue queue, std::size_t offset, std::size_t bytes) = 0;
  virtual void unmap(cl_command_queue queue, std::byte* address) = 0;
  /// Around a launch, of memory that the host has for good.
  virtual void to_device(cl_command_queue /*queue*/) const {}
  virtual void to_host(cl_command_queue /*queue*/) const {}

 private:
  std::size_t bytes_;
  MemoryKind kind_;
};

/// Kinds that the device has, the first being its own.
std::vector<MemoryKind> memory_kinds(cl_device_id device);

/// Throws ErrorKind::device where there is no such memory, or not so much.
std::unique_ptr<ClMemory> make_memory(cl_context context, const Device& device, std::size_t bytes, MemoryKind kind);

}  // namespace quoin::opencl
