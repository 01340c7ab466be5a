// The kinds of memory: buffers of the driver, pages of the host, and memory that both share.

#include "memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "quoin/bytes.hpp"
#include "quoin/memory_kinds.hpp"

namespace quoin::opencl {
namespace {

constexpr cl_map_flags both_ways = CL_MAP_READ | CL_MAP_WRITE;

QueueHandle plain_queue(cl_context context, const Device& device) {
  cl_int status = CL_SUCCESS;
  QueueHandle queue(clCreateCommandQueue(context, device.id, 0, &status));
  check(status, "making a queue", device.info.name);
  return queue;
}

/// A memory object of the driver.
class BufferMemory : public ClMemory {
 public:
  /// `lends`: whether the host may look into it without a copy.
  BufferMemory(MemoryHandle handle, std::size_t bytes, MemoryKind kind, bool lends)
      : ClMemory(bytes, kind), handle_(std::move(handle)), lends_(lends) {}

  cl_int give_to(cl_kernel kernel, cl_uint argument) const override {
    const cl_mem object = get();
    return clSetKernelArg(kernel, argument, sizeof(cl_mem), &object);
  }
  void copy_in(cl_command_queue queue, std::size_t offset, std::span<const std::byte> source) override {
    check(clEnqueueWriteBuffer(queue, get(), CL_TRUE, offset, source.size(), source.data(), 0, nullptr, nullptr),
          "copying to the device");
  }
  void copy_out(cl_command_queue queue, std::span<std::byte> target, std::size_t offset) const override {
    check(clEnqueueReadBuffer(queue, get(), CL_TRUE, offset, target.size(), target.data(), 0, nullptr, nullptr),
          "copying from the device");
  }
  std::byte* map(cl_command_queue queue, std::size_t offset, std::size_t bytes) override {
    return lends_ && bytes > 0 ? mapped(queue, CL_TRUE, offset, bytes) : nullptr;
  }
  void unmap(cl_command_queue queue, std::byte* address) override {
    check(clEnqueueUnmapMemObject(queue, get(), address, 0, nullptr, nullptr), "giving memory to the device");
    check(clFinish(queue), "giving memory to the device");
  }

 protected:
  [[nodiscard]] cl_mem get() const { return handle_.get(); }
  [[nodiscard]] std::byte* mapped(cl_command_queue queue, cl_bool wait, std::size_t offset, std::size_t bytes) const {
    cl_int status = CL_SUCCESS;
    void* const host = clEnqueueMapBuffer(queue, get(), wait, both_ways, offset, bytes, 0, nullptr, nullptr, &status);
    check(status, "giving memory to the host");
    return static_cast<std::byte*>(host);
  }

 private:
  MemoryHandle handle_;
  bool lends_;
};

/// Memory of the host. Once it has asked where that is, it has it but for the time of launches that use it.
class PinnedMemory : public BufferMemory {
 public:
  /// `queue`: for its first and last moments.
  PinnedMemory(MemoryHandle handle, std::size_t bytes, QueueHandle queue)
      : BufferMemory(std::move(handle), bytes, MemoryKind::pinned, true), queue_(std::move(queue)) {}
  ~PinnedMemory() override {
    if (host_ != nullptr && clEnqueueUnmapMemObject(queue_.get(), get(), host_, 0, nullptr, nullptr) == CL_SUCCESS)
      clFinish(queue_.get());
  }
  [[nodiscard]] std::byte* on_host() override {
    if (host_ == nullptr) host_ = mapped(queue_.get(), CL_TRUE, 0, std::max<std::size_t>(bytes(), 1));
    return host_;
  }
  void copy_in(cl_command_queue queue, std::size_t offset, std::span<const std::byte> source) override {
    if (host_ == nullptr) return BufferMemory::copy_in(queue, offset, source);
    check(clFinish(queue), "finishing the work of a queue");
    std::ranges::copy(source, host_ + offset);
  }
  void copy_out(cl_command_queue queue, std::span<std::byte> target, std::size_t offset) const override {
    if (host_ == nullptr) return BufferMemory::copy_out(queue, target, offset);
    check(clFinish(queue), "finishing the work of a queue");
    std::copy_n(host_ + offset, target.size(), target.begin());
  }
  std::byte* map(cl_command_queue queue, std::size_t offset, std::size_t bytes) override {
    if (host_ == nullptr) return BufferMemory::map(queue, offset, bytes);
    check(clFinish(queue), "finishing the work of a queue");
    return host_ + offset;
  }
  void unmap(cl_command_queue queue, std::byte* address) override {
    if (host_ == nullptr) BufferMemory::unmap(queue, address);
  }
  void to_device(cl_command_queue queue) const override {
    if (host_ != nullptr)
      check(clEnqueueUnmapMemObject(queue, get(), host_, 0, nullptr, nullptr), "giving memory to the device");
  }
  /// Once the queue has come so far.
  void to_host(cl_command_queue queue) const override {
    if (host_ != nullptr && mapped(queue, CL_FALSE, 0, std::max<std::size_t>(bytes(), 1)) != host_)
      throw Error(ErrorKind::device, "the driver has moved memory that the host has a pointer to");
  }

 private:
  QueueHandle queue_;
  std::byte* host_ = nullptr;
};

struct Free {
  void operator()(void* pages) const { std::free(pages); }
};
using Pages = std::unique_ptr<void, Free>;
constexpr std::size_t page = 4096;  // bytes; what drivers ask of memory that is not copied

/// Pages of the host that the driver uses where they are.
struct OwnPages {
  Pages pages;
};
class ZeroCopyMemory : private OwnPages, public BufferMemory {  // the pages go last
 public:
  ZeroCopyMemory(Pages host, MemoryHandle handle, std::size_t bytes)
      : OwnPages{std::move(host)}, BufferMemory(std::move(handle), bytes, MemoryKind::zero_copy, true) {}
};

/// Memory at one address for host and device.
class SharedMemory : public ClMemory {
 public:
  SharedMemory(cl_context context, void* start, std::size_t bytes, MemoryKind kind)
      : ClMemory(bytes, kind), context_(context), start_(static_cast<std::byte*>(start)) {}
  ~SharedMemory() override { clSVMFree(context_, start_); }

  [[nodiscard]] std::byte* on_host() override { return coarse() ? nullptr : start_; }
  cl_int give_to(cl_kernel kernel, cl_uint argument) const override {
    return clSetKernelArgSVMPointer(kernel, argument, start_);
  }
  void copy_in(cl_command_queue queue, std::size_t offset, std::span<const std::byte> source) override {
    copy(queue, start_ + offset, source.data(), source.size());
  }
  void copy_out(cl_command_queue queue, std::span<std::byte> target, std::size_t offset) const override {
    copy(queue, target.data(), start_ + offset, target.size());
  }
  std::byte* map(cl_command_queue queue, std::size_t offset, std::size_t bytes) override {
    if (bytes == 0) return nullptr;
    if (coarse())
      check(clEnqueueSVMMap(queue, CL_TRUE, both_ways, start_ + offset, bytes, 0, nullptr, nullptr),
            "giving memory to the host");
    check(clFinish(queue), "finishing the work of a queue");
    return start_ + offset;
  }
  void unmap(cl_command_queue queue, std::byte* address) override {
    if (!coarse()) return;
    check(clEnqueueSVMUnmap(queue, address, 0, nullptr, nullptr), "giving memory to the device");
    check(clFinish(queue), "giving memory to the device");
  }

 private:
  static void copy(cl_command_queue queue, void* target, const void* source, std::size_t bytes) {
    check(clEnqueueSVMMemcpy(queue, CL_TRUE, target, source, bytes, 0, nullptr, nullptr), "copying");
  }
  [[nodiscard]] bool coarse() const { return kind() == MemoryKind::shared_coarse; }

  cl_context context_;
  std::byte* start_;
};

bool is_shared(MemoryKind kind) {
  return kind == MemoryKind::shared_coarse || kind == MemoryKind::shared_fine || kind == MemoryKind::shared_atomic;
}

cl_svm_mem_flags flags_of_shared(MemoryKind kind) {
  cl_svm_mem_flags flags = CL_MEM_READ_WRITE;
  if (kind != MemoryKind::shared_coarse) flags |= CL_MEM_SVM_FINE_GRAIN_BUFFER;
  if (kind == MemoryKind::shared_atomic) flags |= CL_MEM_SVM_ATOMICS;
  return flags;
}

}  // namespace

std::vector<MemoryKind> memory_kinds(cl_device_id device) {
  std::vector<MemoryKind> kinds{MemoryKind::device, MemoryKind::pinned};
  cl_device_svm_capabilities shared = 0;  // a device of OpenCL 1.2 does not know the question
  if (clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof shared, &shared, nullptr) != CL_SUCCESS) shared = 0;
  if ((shared & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) != 0) kinds.push_back(MemoryKind::shared_coarse);
  const bool fine = (shared & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
  if (fine) kinds.push_back(MemoryKind::shared_fine);
  if (fine && (shared & CL_DEVICE_SVM_ATOMICS) != 0) kinds.push_back(MemoryKind::shared_atomic);
  kinds.push_back(MemoryKind::zero_copy);
  return kinds;
}

std::unique_ptr<ClMemory> make_memory(cl_context context, const Device& device, std::size_t bytes, MemoryKind kind) {
  require_memory_kind(device.info, kind);
  const auto require = [&](cl_int status) {
    check(status,
          "allocating memory (" + in_bytes(static_cast<double>(bytes)) + " asked for; the device has " +
              in_bytes(static_cast<double>(device.info.memory_bytes)) + ", at most " +
              in_bytes(static_cast<double>(device.largest_allocation)) + " in one piece)",
          device.info.name);
  };
  if (bytes > device.largest_allocation) require(CL_INVALID_BUFFER_SIZE);
  const std::size_t some = std::max<std::size_t>(bytes, 1);
  if (is_shared(kind)) {
    void* const start = clSVMAlloc(context, flags_of_shared(kind), some, 0);
    if (start == nullptr) require(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    return std::make_unique<SharedMemory>(context, start, bytes, kind);
  }

  Pages pages;
  cl_mem_flags flags = CL_MEM_READ_WRITE;
  if (kind == MemoryKind::pinned) flags |= CL_MEM_ALLOC_HOST_PTR;
  if (kind == MemoryKind::zero_copy) {
    flags |= CL_MEM_USE_HOST_PTR;
    pages.reset(std::aligned_alloc(page, (some + page - 1) / page * page));
    if (pages == nullptr) require(CL_OUT_OF_HOST_MEMORY);
  }
  cl_int status = CL_SUCCESS;
  MemoryHandle handle(clCreateBuffer(context, flags, some, pages.get(), &status));
  // Drivers allocate at first use; this is one, so that a lack of memory shows here.
  QueueHandle queue = plain_queue(context, device);
  if (status == CL_SUCCESS) {
    const cl_mem object = handle.get();
    status = clEnqueueMigrateMemObjects(queue.get(), 1, &object, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, nullptr,
                                        nullptr);
    if (status == CL_SUCCESS) status = clFinish(queue.get());
  }
  require(status);
  if (kind == MemoryKind::pinned) return std::make_unique<PinnedMemory>(std::move(handle), bytes, std::move(queue));
  if (kind == MemoryKind::zero_copy)
    return std::make_unique<ZeroCopyMemory>(std::move(pages), std::move(handle), bytes);
  return std::make_unique<BufferMemory>(std::move(handle), bytes, kind, device.shares_memory);
}

}  // namespace quoin::opencl
