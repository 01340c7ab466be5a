// The HIP backend: AMD devices through hipcc, NVIDIA devices through nvcc. Memory, streams, events and the
// launch of every catalogue kernel.

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "config.hpp"
#include "kernels.hpp"
#include "memory.hpp"
#include "quoin/memory_kinds.hpp"
#include "quoin/passes.hpp"
#include "quoin/plugin.hpp"

namespace {

using quoin::Argument;
using quoin::Box;
using quoin::DeviceInfo;
using quoin::Error;
using quoin::ErrorKind;
using quoin::KernelSpec;
using quoin::MemoryKind;
using quoin::hip::check;
using quoin::hip::Device;
using quoin::hip::DeviceMemory;

#if defined(__HIP__)
constexpr char platform_name[] = "HIP";
constexpr char platform_note[] = "compiled for the AMD devices " QUOIN_HIP_ARCHITECTURES ", but not run on any of them";
#else
constexpr char platform_name[] = "CUDA";
constexpr char platform_note[] = "compiled by nvcc for the NVIDIA architectures " QUOIN_HIP_ARCHITECTURES;
#endif

/// Both runtimes pack a version into a number, each in its own way.
std::string version_text(int packed) {
#if defined(__HIP__)
  return std::to_string(packed / 10000000) + "." + std::to_string(packed / 100000 % 100) + "." +
         std::to_string(packed % 100000);
#else
  return std::to_string(packed / 1000) + "." + std::to_string(packed % 1000 / 10);
#endif
}

class DeviceEvent : public quoin::Event {
 public:
  explicit DeviceEvent(Device device) : device_(std::move(device)) {
    device_.use();
    check(hipEventCreate(&event_), "cannot make an event", device_.name);
  }
  ~DeviceEvent() override { (void)hipEventDestroy(event_); }
  [[nodiscard]] double seconds_since(const Event& earlier) const override {
    const hipEvent_t start = static_cast<const DeviceEvent&>(earlier).event_;
    float milliseconds = 0;
    hipError_t status = hipEventElapsedTime(&milliseconds, start, event_);
    if (status == hipErrorNotReady) {  // most often both have happened, and asking takes longer than the answer
      (void)hipGetLastError();
      check(hipEventSynchronize(start), "the device failed before an event", device_.name);
      check(hipEventSynchronize(event_), "the device failed before an event", device_.name);
      status = hipEventElapsedTime(&milliseconds, start, event_);
    }
    check(status, "cannot measure between events", device_.name);
    return 1e-3 * static_cast<double>(milliseconds);
  }
  [[nodiscard]] hipEvent_t event() const { return event_; }

 private:
  Device device_;
  hipEvent_t event_ = nullptr;
};

/// Launches that the device takes as one graph.
class DeviceSequence : public quoin::Sequence {
 public:
  /// Of so many launches; `graph` goes. The device has it then, and the first launch takes no longer than others.
  DeviceSequence(Device device, hipStream_t stream, hipGraph_t graph, std::uint64_t count)
      : launches(count), device_(std::move(device)) {
    hipError_t status = hipGraphInstantiate(&graph_, graph, nullptr, nullptr, 0);
    (void)hipGraphDestroy(graph);
    if (status == hipSuccess) status = hipGraphUpload(graph_, stream);
    check(status, "cannot prepare a sequence of launches", device_.name);
  }
  ~DeviceSequence() override { (void)hipGraphExecDestroy(graph_); }
  [[nodiscard]] hipGraphExec_t graph() const { return graph_; }

  const std::uint64_t launches;

 private:
  Device device_;
  hipGraphExec_t graph_ = nullptr;
};

class DeviceQueue : public quoin::Queue {
 public:
  explicit DeviceQueue(Device device)
      : device_(std::move(device)), lets_begin_early_(quoin::hip::lets_begin_early(device_.index)) {
    const DeviceEvent first(device_);
    check(hipStreamCreateWithFlags(&stream_, hipStreamNonBlocking), "cannot make a stream", device_.name);
    (void)hipEventRecord(first.event(), stream_);  // takes ten times as long as those behind it
  }
  ~DeviceQueue() override { (void)hipStreamDestroy(stream_); }

  void copy_in(quoin::Memory& target, std::size_t offset, std::span<const std::byte> source) override {
    copy(static_cast<DeviceMemory&>(target).data() + offset, source.data(), source.size());
  }
  void copy_out(std::span<std::byte> target, const quoin::Memory& source, std::size_t offset) override {
    copy(target.data(), static_cast<const DeviceMemory&>(source).data() + offset, target.size());
  }
  std::byte* map(quoin::Memory& memory, std::size_t offset, std::size_t /*bytes*/) override {
    std::byte* const start = static_cast<DeviceMemory&>(memory).mapped();
    if (start == nullptr) return nullptr;
    synchronize();
    return start + offset;
  }
  void record(quoin::Event& event) override {
    device_.use();
    check(hipEventRecord(static_cast<DeviceEvent&>(event).event(), stream_), "cannot record an event", device_.name);
  }
  void wait(const quoin::Event& event) override {
    device_.use();
    check(hipStreamWaitEvent(stream_, static_cast<const DeviceEvent&>(event).event(), 0), "cannot wait for an event",
          device_.name);
  }
  void synchronize() override {
    device_.use();
    check(hipStreamSynchronize(stream_), "work on the device failed", device_.name);
  }
  bool begin_sequence() override {
    device_.use();
    check(hipStreamBeginCapture(stream_, hipStreamCaptureModeThreadLocal), "cannot record launches", device_.name);
    recorded_from_ = launches_;
    return true;
  }
  std::unique_ptr<quoin::Sequence> end_sequence() override {
    device_.use();
    const std::uint64_t count = std::exchange(launches_, recorded_from_) - recorded_from_;
    hipGraph_t graph = nullptr;
    check(hipStreamEndCapture(stream_, &graph), "cannot record launches", device_.name);
    return std::make_unique<DeviceSequence>(device_, stream_, graph, count);
  }
  void run_sequence(quoin::Sequence& sequence) override {
    device_.use();
    const auto& own = static_cast<DeviceSequence&>(sequence);
    check(hipGraphLaunch(own.graph(), stream_), "cannot launch a sequence", device_.name);
    launches_ += own.launches;
  }
  [[nodiscard]] std::uint64_t launches() const override { return launches_; }

  /// Calls `put` with where kernels go and counts what the runtime accepted.
  template <class Put>
  void launch(const std::string& kernel, const Put& put) {
    device_.use();
    put(quoin::hip::Target{.stream = stream_, .lets_begin_early = lets_begin_early_});
    check(hipGetLastError(), "cannot launch " + kernel, device_.name);
    ++launches_;
  }

 private:
  void copy(void* target, const void* source, std::size_t bytes) {
    if (bytes == 0) return;
    device_.use();
    check(hipMemcpyAsync(target, source, bytes, hipMemcpyDefault, stream_), "cannot copy", device_.name);
    synchronize();
  }

  Device device_;
  bool lets_begin_early_;
  hipStream_t stream_ = nullptr;
  std::uint64_t launches_ = 0;
  std::uint64_t recorded_from_ = 0;  // launches when a sequence was begun
};

class DeviceKernel : public quoin::Kernel {
 public:
  DeviceKernel(const Device& device, KernelSpec spec) : spec_(std::move(spec)), variant_(quoin::variant_of(spec_)) {
    device.use();
    const quoin::kernels::Resolved nothing[QUOIN_MOST_ARGUMENTS] = {};
    put({.only_loads = true}, {0, 1, 0, 1}, nothing);
    (void)hipGetLastError();  // launches tell what cannot be loaded
  }

  void launch(quoin::Queue& queue, const Box& box, std::span<const Argument> arguments) override {
    quoin::require_arguments(quoin::entry_of(variant_.id), arguments);
    if (box.points() == 0) return;
    quoin::kernels::Resolved resolved[QUOIN_MOST_ARGUMENTS] = {};
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const Argument& a = arguments[k];
      std::byte* data = a.memory == nullptr ? nullptr : static_cast<DeviceMemory*>(a.memory)->data() + a.offset;
      resolved[k] = {data, a.pitch, a.real_value, a.integer_value};
    }
    const quoin::kernels::Range range{box.lower[0], box.upper[0], box.lower[1], box.upper[1]};
    static_cast<DeviceQueue&>(queue).launch(spec_.name,
                                            [&](const quoin::hip::Target& target) { put(target, range, resolved); });
  }
  [[nodiscard]] quoin::Cost cost(const Box& box) const override { return quoin::catalogue_cost(spec_, box); }

 private:
  void put(const quoin::hip::Target& target, const quoin::kernels::Range& range,
           const quoin::kernels::Resolved* arguments) const {
    (quoin::over_entities(variant_.id) ? quoin::hip::launch_entities : quoin::hip::launch_grid)(target, variant_, range,
                                                                                                arguments);
  }

  KernelSpec spec_;
  quoin::Variant variant_;
};

class DeviceExecutor : public quoin::Executor {
 public:
  /// `deepest`: Jacobi sweeps of a pass, at most hip::sweep_depth.
  DeviceExecutor(int index, DeviceInfo info, std::int64_t deepest)
      : info_(std::move(info)), device_{index, info_.name}, deepest_(deepest) {}
  [[nodiscard]] const DeviceInfo& device() const override { return info_; }
  [[nodiscard]] bool supports(const KernelSpec& spec) const override {
    return quoin::in_catalogue(spec) && quoin::pass_holds(deepest_, spec);
  }
  [[nodiscard]] quoin::Layout layout(const quoin::FieldSpec& spec) const override {
    return quoin::default_layout(spec, 128);  // rows that begin with a cache line
  }
  std::unique_ptr<quoin::Memory> allocate(std::size_t bytes, MemoryKind kind) override {
    quoin::require_memory_kind(info_, kind);
    return std::make_unique<DeviceMemory>(device_, bytes, kind);
  }
  std::unique_ptr<quoin::Queue> queue() override { return std::make_unique<DeviceQueue>(device_); }
  std::unique_ptr<quoin::Event> event() override { return std::make_unique<DeviceEvent>(device_); }
  std::unique_ptr<quoin::Kernel> kernel(const KernelSpec& spec) override {
    if (!supports(spec)) throw Error(ErrorKind::device, "no kernel named '" + spec.name + "'", info_.name);
    return std::make_unique<DeviceKernel>(device_, spec);
  }

 private:
  DeviceInfo info_;
  Device device_;
  std::int64_t deepest_;
};

class HipBackend : public quoin::Backend {
 public:
  std::vector<DeviceInfo> devices() override {
    int count = 0;
    const hipError_t status = hipGetDeviceCount(&count);
    if (status != hipSuccess || count == 0)
      throw Error(ErrorKind::device, std::string("no GPU can be used: ") + hipGetErrorString(status) +
                                         "; is its kernel driver installed, and may this user open the device? (" +
                                         platform_note + ")");
    std::vector<DeviceInfo> list;
    for (int index = 0; index < count; ++index) list.push_back(describe(index));
    return list;
  }
  std::unique_ptr<quoin::Executor> executor(int device, const quoin::Options& options) override {
    constexpr std::int64_t deepest = quoin::hip::sweep_depth;
    const DeviceInfo info = devices().at(static_cast<std::size_t>(device));
    refuse_without_code(device, info.name);
    return std::make_unique<DeviceExecutor>(
        device, info, std::min(quoin::number_option(options, "sweep_depth", deepest, 1, 1, 8), deepest));
  }

 private:
  /// The runtime for AMD devices may end the process where it finds no code for a device.
  static void refuse_without_code([[maybe_unused]] int index, [[maybe_unused]] const std::string& where) {
#if defined(__HIP__)
    hipDeviceProp_t properties;
    check(hipGetDeviceProperties(&properties, index), "cannot read the device's properties", where);
    const std::string_view name = properties.gcnArchName;  // such as gfx90a:sramecc+:xnack-
    const std::string_view architecture = name.substr(0, name.find(':'));
    if (std::string_view(QUOIN_HIP_ARCHITECTURES).find(architecture) == std::string_view::npos)
      throw Error(ErrorKind::device,
                  "this plugin has code for " QUOIN_HIP_ARCHITECTURES " and none for " + std::string(architecture) +
                      "; build it with -DQUOIN_HIP_ARCHITECTURES=" + std::string(architecture),
                  where);
#endif
  }
  static DeviceInfo describe(int index) {
    const std::string where = "device " + std::to_string(index);
    hipDeviceProp_t properties;
    check(hipGetDeviceProperties(&properties, index), "cannot read the device's properties", where);
    DeviceInfo info;
    info.name = properties.name;
    info.kind = quoin::DeviceKind::gpu;
    info.memory_bytes = properties.totalGlobalMem;
    info.units = static_cast<std::uint32_t>(properties.multiProcessorCount);
    info.subgroup = static_cast<std::uint32_t>(properties.warpSize);
    info.memories = quoin::hip::memory_kinds(index);
    int kilohertz = 0;
    int bits = 0;
    if (hipDeviceGetAttribute(&kilohertz, hipDeviceAttributeMemoryClockRate, index) == hipSuccess &&
        hipDeviceGetAttribute(&bits, hipDeviceAttributeMemoryBusWidth, index) == hipSuccess)
      info.peak_bandwidth = 2e3 * kilohertz * bits / 8;  // two transfers a clock
    info.note = platform_note;
    int driver = 0;
    int runtime = 0;
    if (hipDriverGetVersion(&driver) == hipSuccess && hipRuntimeGetVersion(&runtime) == hipSuccess)
      info.driver = platform_name + (" driver " + version_text(driver)) + ", runtime " + version_text(runtime);
#if defined(__HIP__)
    info.version = properties.gcnArchName;
#else
    info.version = "compute capability " + std::to_string(properties.major) + "." + std::to_string(properties.minor);
#endif
    return info;
  }
};

}  // namespace

QUOIN_BACKEND(HipBackend, "hip", "1.0.0", R"([
  {"key": "sweep_depth", "type": "integer", "minimum": 1, "maximum": 8, "tune": [1, 2, 8],
   "meaning": "Jacobi sweeps of one pass through memory at most; AMD devices do no more than 4"}])")
