// The OpenMP backend: GPUs, the host's own threads, and the host as an offload device.

#include <link.h>
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <latch>
#include <utility>

#include "devices.hpp"
#include "offload.hpp"
#include "omptarget.hpp"
#include "quoin/host_memory.hpp"
#include "quoin/passes.hpp"
#include "quoin/plugin.hpp"

/// `columns`: of a tile of a pass of several sweeps.
using Launch = void(std::int64_t columns, const quoin::Variant&, const quoin::kernels::Range&,
                    const quoin::kernels::Resolved*);
Launch launch_threads_v3;
Launch launch_threads_v4;

namespace {

using namespace quoin;
using openmp::Architecture;

/// Lets threads that are done wait for more work no longer than it takes to the next launch: after the 200 ms that are
/// usual the host would long have shared the cores with them, while it makes a start or writes files. A setting of the
/// calling thread, where the user has none.
void wait_briefly() {
  static const bool says_how_to_wait =
      std::getenv("KMP_BLOCKTIME") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr;
  if (!says_how_to_wait) kmp_set_blocktime(/*ms=*/1);
}

/// Starts the runtime's team. The runtime would end the process where the system lets it start no more threads, so as
/// many are tried before. Throws ErrorKind::device where they cannot be had.
void start_team(int threads, const std::string& device) {
  std::latch gate(1);
  std::vector<pthread_t> trial;
  trial.reserve(static_cast<std::size_t>(threads));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  constexpr std::size_t to_spare = 1 << 17;  // what the runtime keeps of a thread
  pthread_attr_setstacksize(&attributes, kmp_get_stacksize_s() + to_spare);
  int code = 0;
  while (code == 0 && static_cast<int>(trial.size()) + 1 < threads) {
    pthread_t thread{};
    const auto wait = [](void* closed) -> void* {
      static_cast<std::latch*>(closed)->wait();
      return nullptr;
    };
    code = pthread_create(&thread, &attributes, wait, &gate);
    if (code == 0) trial.push_back(thread);
  }
  gate.count_down();
  for (const pthread_t thread : trial) pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  if (code != 0)
    throw Error(ErrorKind::device,
                "only " + std::to_string(trial.size() + 1) + " of " + std::to_string(threads) +
                    " threads can be started: " + std::strerror(code) +
                    "; ask for fewer (run.threads, OMP_NUM_THREADS), or raise the limit on processes (ulimit -u) or on "
                    "memory (ulimit -v)",
                device);
  std::atomic<int> there{0};
#pragma omp parallel num_threads(threads)
  ++there;
}

class ThreadsKernel : public HostKernel {
 public:
  ThreadsKernel(const KernelSpec& spec, Function function, int threads)
      : HostKernel(spec, std::move(function)), threads_(threads) {}

 private:
  void run(const kernels::Range& range, const kernels::Resolved* arguments) const override {
    // Settings of the calling thread, which need not be the one of the last launch.
    omp_set_num_threads(threads_);
    wait_briefly();
    HostKernel::run(range, arguments);
  }
  int threads_;
};

class ThreadsExecutor : public HostExecutor {
 public:
  ThreadsExecutor(DeviceInfo info, const HostKernel::Function& function, const Passes& passes, int threads)
      : HostExecutor(std::move(info), function, passes.deepest, passes.by_rows()),
        function_(function),
        threads_(threads) {}
  /// Large memory is handed out to all threads at once, from what is near their cores: the system clears a page for
  /// who writes to it first.
  std::unique_ptr<Memory> allocate(std::size_t bytes, MemoryKind kind) override {
    constexpr std::size_t page = 4096, worth_it = std::size_t{4} << 20U;
    std::unique_ptr<Memory> memory = HostExecutor::allocate(bytes, kind);
    if (bytes < worth_it) return memory;
    start();
    std::byte* const first = memory->on_host();
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t at = 0; at < bytes; at += page) first[at] = std::byte{0};
    return memory;
  }
  std::unique_ptr<Queue> queue() override {
    start();
    return HostExecutor::queue();
  }
  std::unique_ptr<Kernel> kernel(const KernelSpec& spec) override {
    if (!supports(spec)) throw Error(ErrorKind::device, "no kernel named '" + spec.name + "'", device().name);
    auto made = std::make_unique<ThreadsKernel>(spec, function_, threads_);
    made->load();
    return made;
  }

 private:
  void start() {
    wait_briefly();
    if (!started_) start_team(threads_, device().name);
    started_ = true;
  }

  HostKernel::Function function_;
  int threads_;
  bool started_ = false;
};

std::string text(const Options& options, std::string_view key, const char* fallback) {
  const auto found = options.find(key);
  return found == options.end() ? fallback : found->second;
}

class OpenmpBackend : public Backend {
 public:
  void want(std::string_view device) override {
    host_alone_ = openmp::means_host_threads(device, threads_name(), openmp::gpu_driver_found);
  }

  std::vector<DeviceInfo> devices() override {
    std::vector<DeviceInfo> list;
    for (const Device& device : found()) list.push_back(device.info);
    return list;
  }

  std::unique_ptr<Executor> executor(int index, const Options& options) override {
    const Device& device = found().at(static_cast<std::size_t>(index));
    const std::string threads = text(options, "threads", "0");
    const std::string data = text(options, "data", "resident");
    if (device.number == host_threads) {
      if (data != "resident") refuse("data", data, "is for offload devices", device);
      Launch& launch = host_has_v4() ? launch_threads_v4 : launch_threads_v3;
      const Passes passes = passes_of(options);
      const auto function = [&launch, columns = passes.tile_columns](
                                const Variant& variant, const kernels::Range& range,
                                const kernels::Resolved* arguments) { launch(columns, variant, range, arguments); };
      return std::make_unique<ThreadsExecutor>(device.info, function, passes, thread_count(threads, device));
    }
    if (threads != "0") refuse("threads", threads, "is for the device 'host threads'", device);
    const bool passes = options.contains("sweep_depth");
    if (passes && device.info.kind != DeviceKind::gpu)
      refuse("sweep_depth", text(options, "sweep_depth", ""), "is for GPUs and the device 'host threads'", device);
    if (options.contains("sweep_columns"))
      refuse("sweep_columns", text(options, "sweep_columns", ""), "is for the device 'host threads'", device);
    if (data != "resident" && data != "per_kernel") refuse("data", data, "must be resident or per_kernel", device);
    if (device.architecture == Architecture::host) throw Error(ErrorKind::device, on_host, device.info.name);
    DeviceInfo info = device.info;
    if (data == "per_kernel") info.memories = {MemoryKind::device};  // of which both have a copy in turn, and no other
    return std::make_unique<openmp::OffloadExecutor>(
        std::move(info), device.number, device.architecture,
        data == "resident" ? openmp::Data::resident : openmp::Data::per_kernel,
        passes ? std::min<std::int64_t>(passes_of(options).deepest, openmp::sweep_depth)
               : openmp::machine_of(device.architecture).sweep_depth);
  }

 private:
  static constexpr int host_threads = -1;
  static constexpr const char* on_host =
      "target regions for this device would run on the host; unset OMP_TARGET_OFFLOAD or set it to MANDATORY, or ask "
      "for the device 'host threads'";

  struct Device {
    int number;  ///< of the OpenMP runtime, or host_threads
    Architecture architecture;
    DeviceInfo info;
    openmp::Place place;
  };

  [[noreturn]] static void refuse(const std::string& key, const std::string& value, const char* reason,
                                  const Device& device) {
    throw Error(ErrorKind::case_file, "`" + key + ": " + value + "` " + reason, device.info.name);
  }

  static int thread_count(const std::string& value, const Device& device) {
    int count = -1;
    const char* const end = value.data() + value.size();
    if (std::from_chars(value.data(), end, count).ptr != end || count < 0 || count > openmp::max_threads)
      refuse("threads", value, "must be a number of threads up to 4096, 0 for all", device);
    if (count == 0) count = openmp::threads_of_environment(std::getenv("OMP_NUM_THREADS"));
    if (count == 0) count = omp_get_num_procs();
    return std::min(count, omp_get_thread_limit());  // OMP_THREAD_LIMIT
  }

  /// Looks for devices once: the runtime does not change its mind either. Where the host's threads are meant it does
  /// not look for others until they are asked for.
  const std::vector<Device>& found() {
    if (found_.empty() || (found_.size() == 1 && !host_alone_)) {
      if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
        throw Error(ErrorKind::device,
                    "this processor has no AVX2 and FMA (x86-64-v3); the openmp backend needs both, because a "
                    "software fma is 3 to 6 times slower");
      }
      openmp::threads_of_environment(std::getenv("OMP_NUM_THREADS"));  // before the runtime looks at it
      kmp_set_warnings_off();  // such as that a team is smaller than asked for, which is said where it matters
      std::vector<Device> list = host_alone_ ? std::vector<Device>() : offload_devices();
      DeviceInfo threads = host_device(threads_name());
      threads.units = static_cast<std::uint32_t>(omp_get_num_procs());
      threads.subgroup = host_has_v4() ? 8 : 4;
      list.push_back({host_threads, Architecture::host, threads, openmp::Place::host_threads});
      openmp::arrange(list, &Device::place);
      found_ = std::move(list);
    }
    return found_;
  }

  static const char* threads_name() { return host_has_v4() ? "host threads, AVX-512" : "host threads, AVX2"; }

  static std::vector<Device> offload_devices() {
    openmp::open_omptarget();
    std::vector<Device> list;
    std::array<int, 4> named{};
    for (int number = 0; number < omp_get_num_devices(); ++number) {
      const Architecture architecture = openmp::probe(number);
      const int ordinal = named[static_cast<std::size_t>(architecture)]++;
      list.push_back({number, architecture, describe(architecture, ordinal), place_of(architecture)});
    }
    remove_copies_of_images();
    return list;
  }

  /// The runtime copies an image for the host's own processor to a file, loads it, once a device, and leaves the file.
  static void remove_copies_of_images() {
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void*) {
          if (std::string_view(object->dlpi_name).starts_with("/tmp/tmpfile_")) unlink(object->dlpi_name);
          return 0;
        },
        nullptr);
  }

  static openmp::Place place_of(Architecture architecture) {
    if (architecture == Architecture::host) return openmp::Place::nowhere;
    return architecture == Architecture::x86_64 ? openmp::Place::host_offload : openmp::Place::gpu;
  }

  static DeviceInfo describe(Architecture architecture, int ordinal) {
    const std::string number = std::to_string(ordinal);
    DeviceInfo info;
    switch (architecture) {
      case Architecture::host:
        info.name = "no device " + number;
        info.note = on_host;
        return info;
      case Architecture::x86_64:
        info = host_device("x86-64 offload " + number);
        break;
      case Architecture::nvptx:
        info.name = "NVIDIA GPU " + number + " (OpenMP target)";
        info.kind = DeviceKind::gpu;
        break;
      case Architecture::amdgcn:
        info.name = "AMD GPU " + number + " (OpenMP target)";
        info.kind = DeviceKind::gpu;
        info.note = "compiled for gfx90a; never run on a real device";
        break;
    }
    info.subgroup = openmp::machine_of(architecture).subgroup;
    // The runtime does not tell what a GPU's shared memory can beyond the least.
    if (info.kind == DeviceKind::gpu)
      info.memories = {MemoryKind::device, MemoryKind::pinned, MemoryKind::shared_coarse};
    return info;
  }

  bool host_alone_ = false;  ///< others are not wanted
  std::vector<Device> found_;
};

}  // namespace

QUOIN_BACKEND(OpenmpBackend, "openmp", "1.0.0",
              R"([
  {"key": "threads", "type": "integer", "default": "0", "minimum": 0, "maximum": 4096,
   "meaning": "threads of the device 'host threads'; 0 for what OMP_NUM_THREADS says, or else one a core"},
  {"key": "data", "type": "choice", "choices": ["resident", "per_kernel"], "default": "resident",
   "meaning": "whether data stay on an offload device, or are mapped to and from it around each kernel"},)" QUOIN_PASSES_KEYS
              "]")
