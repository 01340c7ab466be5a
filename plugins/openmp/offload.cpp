#include "offload.hpp"

#include <omp.h>

#include <array>
#include <utility>

#include "quoin/bytes.hpp"
#include "quoin/memory_kinds.hpp"
#include "quoin/plugin.hpp"

extern "C" {  // LLVM's, besides those of the standard
void* llvm_omp_target_alloc_host(std::size_t bytes, int device);
void llvm_omp_target_free_host(void* memory, int device);
void* llvm_omp_target_alloc_shared(std::size_t bytes, int device);
void llvm_omp_target_free_shared(void* memory, int device);
}

namespace quoin::openmp {
namespace {

class DeviceMemory : public Memory {
 public:
  DeviceMemory(int device, std::size_t bytes, MemoryKind kind, bool on_host_too, const std::string& device_name)
      : device_(device), bytes_(bytes), kind_(kind), on_host_too_(on_host_too) {
    data_ = take(bytes == 0 ? 1 : bytes);
    if (data_ == nullptr) {
      throw Error(ErrorKind::device,
                  "out of " + std::string(name_of(kind)) + " memory: " + in_bytes(static_cast<double>(bytes)) +
                      " asked for; the OpenMP runtime does not tell how much is free",
                  device_name);
    }
  }
  ~DeviceMemory() override {
    if (kind_ == MemoryKind::device)
      omp_target_free(data_, device_);
    else
      is_shared() ? llvm_omp_target_free_shared(data_, device_) : llvm_omp_target_free_host(data_, device_);
  }
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }
  [[nodiscard]] MemoryKind kind() const override { return kind_; }
  [[nodiscard]] std::byte* on_host() override { return kind_ == MemoryKind::shared_coarse ? nullptr : mapped(); }
  /// For the host, between target regions; null where it has to copy.
  [[nodiscard]] std::byte* mapped() const { return kind_ == MemoryKind::device && !on_host_too_ ? nullptr : data(); }
  /// Where both have it the device sees it at the same address.
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_); }
  /// Of its bytes, for a copy.
  [[nodiscard]] int place() const { return kind_ == MemoryKind::device ? device_ : omp_get_initial_device(); }

 private:
  [[nodiscard]] bool is_shared() const { return kind_ != MemoryKind::pinned && kind_ != MemoryKind::zero_copy; }
  [[nodiscard]] void* take(std::size_t bytes) const {
    if (kind_ == MemoryKind::device) return omp_target_alloc(bytes, device_);
    return is_shared() ? llvm_omp_target_alloc_shared(bytes, device_) : llvm_omp_target_alloc_host(bytes, device_);
  }

  int device_;
  std::size_t bytes_;
  MemoryKind kind_;
  bool on_host_too_;  // the device's own memory is the host's
  void* data_ = nullptr;
};

/// Target regions and copies return when they are done, so there is never anything to wait for.
class OffloadQueue : public HostQueue {
 public:
  OffloadQueue(int device, Architecture architecture, const std::string& device_name)
      : scratch_(device, Target::scratch_bytes, MemoryKind::device, false, device_name),
        target_{device, architecture, scratch_.data()} {}
  [[nodiscard]] const Target& target() const { return target_; }

 private:
  DeviceMemory scratch_;
  Target target_;
};

class ResidentQueue : public OffloadQueue {
 public:
  using OffloadQueue::OffloadQueue;
  void copy_in(Memory& memory, std::size_t offset, std::span<const std::byte> source) override {
    const auto& sink = static_cast<DeviceMemory&>(memory);
    copy(sink.data(), source.data(), source.size(), offset, 0, sink.place(), omp_get_initial_device());
  }
  void copy_out(std::span<std::byte> sink, const Memory& memory, std::size_t offset) override {
    const auto& source = static_cast<const DeviceMemory&>(memory);
    copy(sink.data(), source.data(), sink.size(), 0, offset, omp_get_initial_device(), source.place());
  }
  std::byte* map(Memory& memory, std::size_t offset, std::size_t /*bytes*/) override {
    std::byte* const start = static_cast<DeviceMemory&>(memory).mapped();
    return start == nullptr ? nullptr : start + offset;
  }

 private:
  static void copy(void* sink, const void* source, std::size_t bytes, std::size_t sink_offset,
                   std::size_t source_offset, int sink_device, int source_device) {
    if (bytes == 0) return;
    if (omp_target_memcpy(sink, source, bytes, sink_offset, source_offset, sink_device, source_device) != 0) {
      throw Error(ErrorKind::device,
                  "a copy of " + in_bytes(static_cast<double>(bytes)) + " to or from the device failed");
    }
  }
};

double now() { return std::chrono::duration<double>(HostEvent::Clock::now().time_since_epoch()).count(); }

/// The buffers of one launch, mapped to the device while it lives; a buffer that is given twice is mapped once.
class Mapping {
 public:
  explicit Mapping(int device) : device_(device) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (count_ == 0) return;
    const double begin = now();
    for (std::size_t k = 0; k < count_; ++k) {
      map_out(device_, buffers_[k].memory->data(), buffers_[k].memory->bytes(), buffers_[k].changed);
    }
    quoin::trace("copy out", "end of the data mapping", begin, now());
  }
  /// The device address of the start of `memory`.
  std::byte* address(const HostMemory& memory, bool changed) {
    for (std::size_t k = 0; k < count_; ++k) {
      if (buffers_[k].memory != &memory) continue;
      buffers_[k].changed |= changed;
      return buffers_[k].address;
    }
    auto* address = static_cast<std::byte*>(map_in(device_, memory.data(), memory.bytes()));
    if (address == nullptr) {
      throw Error(ErrorKind::device,
                  in_bytes(static_cast<double>(memory.bytes())) + " could not be mapped to the device");
    }
    buffers_[count_++] = {&memory, address, changed};
    return address;
  }

 private:
  struct Buffer {
    const HostMemory* memory;
    std::byte* address;
    bool changed;
  };
  int device_;
  std::size_t count_ = 0;
  std::array<Buffer, 32> buffers_{};
};

class OffloadKernel : public Kernel {
 public:
  OffloadKernel(KernelSpec spec, Data data) : spec_(std::move(spec)), variant_(variant_of(spec_)), data_(data) {}

  void launch(Queue& queue, const Box& box, std::span<const Argument> arguments) override {
    const CatalogueEntry& entry = entry_of(variant_.id);
    require_arguments(entry, arguments);
    if (box.points() == 0) return;
    auto& offload = static_cast<OffloadQueue&>(queue);
    Mapping mapping(offload.target().device);  // stays empty while data are resident
    kernels::Resolved resolved[QUOIN_MOST_ARGUMENTS] = {};
    const double begin = now();
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const Argument& a = arguments[k];
      std::byte* data = nullptr;
      if (a.memory != nullptr) {
        data = data_ == Data::resident
                   ? static_cast<DeviceMemory*>(a.memory)->data()
                   : mapping.address(*static_cast<HostMemory*>(a.memory), writes(entry.arguments[k]));
        data += a.offset;
      }
      resolved[k] = {data, a.pitch, a.real_value, a.integer_value};
    }
    if (data_ == Data::per_kernel) quoin::trace("copy in", "data mapping", begin, now());
    openmp::launch(offload.target(), variant_, {box.lower[0], box.upper[0], box.lower[1], box.upper[1]}, resolved);
    offload.count_launch();
  }
  [[nodiscard]] Cost cost(const Box& box) const override { return catalogue_cost(spec_, box); }

 private:
  static bool writes(const ArgumentSpec& argument) { return argument.intent != Intent::in; }

  KernelSpec spec_;
  Variant variant_;
  Data data_;
};

}  // namespace

std::unique_ptr<Memory> OffloadExecutor::allocate(std::size_t bytes, MemoryKind kind) {
  require_memory_kind(device(), kind);
  if (data_ == Data::per_kernel) return HostExecutor::allocate(bytes, kind);
  return std::make_unique<DeviceMemory>(device_number_, bytes, kind, architecture_ == Architecture::x86_64,
                                        device().name);
}

std::unique_ptr<Queue> OffloadExecutor::queue() {
  if (data_ == Data::per_kernel) return std::make_unique<OffloadQueue>(device_number_, architecture_, device().name);
  return std::make_unique<ResidentQueue>(device_number_, architecture_, device().name);
}

std::unique_ptr<Kernel> OffloadExecutor::kernel(const KernelSpec& spec) {
  if (!supports(spec)) throw Error(ErrorKind::device, "no kernel named '" + spec.name + "'", device().name);
  return std::make_unique<OffloadKernel>(spec, data_);
}

}  // namespace quoin::openmp
