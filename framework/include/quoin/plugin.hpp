#pragma once

// What a backend plugin is written against. Derive from quoin::Backend and quoin::Executor, then put
//
//   QUOIN_BACKEND(MyBackend, "mine", "1.0.0", "[]")
//
// into one source file. The macro writes the manifest into the shared object and exports the C
// function table (plugin_abi.h); nothing else of the plugin is visible to the host. At global scope, once.

#include <algorithm>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quoin/catalogue.hpp"
#include "quoin/error.hpp"
#include "quoin/executor.hpp"
#include "quoin/kernels_hash.h"
#include "quoin/plugin_abi.h"
#include "quoin/toolchain.h"

namespace quoin {

/// The case file's backend section as written: key to value, without `name` and `device`.
using Options = std::map<std::string, std::string, std::less<>>;

enum class LogLevel : std::int32_t { trace = 0, debug = 1, info = 2, warning = 3, error = 4 };

/// A backend: the devices it can use and an executor on each. One object is made when it is first needed and
/// deleted by the host's shutdown call, after every executor is gone. No device call before or after that: none in
/// static constructors and destructors.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;
  /// Said before devices(): what the case says of the device, a number or a part of its name, or nothing. Devices that
  /// this cannot mean may be left out, so that what serves them need not start. Ranks take turns at those whose names
  /// differ by a number alone.
  virtual void want(std::string_view /*device*/) {}
  /// Every usable device. Throws ErrorKind::device with the reason where the driver or runtime fails.
  virtual std::vector<DeviceInfo> devices() = 0;
  /// `device` counts in the order that devices() gave last.
  virtual std::unique_ptr<Executor> executor(int device, const Options& options) = 0;
};

/// Sends a line to the host's log under the backend's name. Does nothing before the plugin has been opened.
inline void log(LogLevel level, const std::string& message);
/// Adds a span to the timeline of a traced run: `begin` and `end` are seconds of std::chrono::steady_clock.
inline void trace(const char* category, const std::string& name, double begin, double end);

// Hidden, whatever the plugin is compiled with: each plugin has its own copy of all this. Without it, g++ would
// merge the statics below across every plugin of the process.
#pragma GCC visibility push(hidden)
namespace sdk {

/// The host that opened this plugin, and the backend's name.
struct Attached {
  const quoin_host* host = nullptr;
  const char* name = "";
};

inline Attached& attached() {
  static Attached instance;
  return instance;
}

template <std::size_t N>
void copy_text(char (&target)[N], std::string_view text) {
  const std::size_t n = std::min(text.size(), N - 1);
  std::memcpy(target, text.data(), n);
  target[n] = '\0';
}

/// Runs `body`; a throw becomes a status and a text.
template <class Body>
int guarded(quoin_error* error, const Body& body) noexcept {
  int status = static_cast<int>(ErrorKind::plugin);
  try {
    body();
    return 0;
  } catch (const Error& e) {
    status = e.exit_code();
    copy_text(error->message, e.what());
    copy_text(error->where, e.where());
  } catch (const std::bad_alloc&) {
    status = static_cast<int>(ErrorKind::device);
    copy_text(error->message, "the plugin ran out of host memory");
  } catch (const std::exception& e) {
    copy_text(error->message, std::string_view(e.what()).empty() ? "the plugin threw without a text" : e.what());
  } catch (...) {
    copy_text(error->message, "the plugin threw something that is no std::exception");
  }
  return status;
}

/// Gives an object to the host as a handle.
template <class Handle, class T>
Handle* handed_over(std::unique_ptr<T> object) {
  if (object == nullptr) throw Error(ErrorKind::plugin, "the plugin gave a null pointer for an object");
  return reinterpret_cast<Handle*>(object.release());
}

template <class T, class Handle>
void destroy(Handle* handle) noexcept {
  delete reinterpret_cast<T*>(handle);
}

inline KernelSpec spec_of(const quoin_kernel_spec& c) {
  KernelSpec spec{c.name, static_cast<Precision>(c.precision), {}};
  for (std::uint64_t k = 0; k < c.constant_count; ++k)
    spec.constants.push_back({c.constants[k].name, c.constants[k].value});
  return spec;
}

inline Box box_of(const quoin_box& c) {
  Box box;
  std::copy_n(c.lower, 3, box.lower.begin());
  std::copy_n(c.upper, 3, box.upper.begin());
  std::copy_n(c.origin, 3, box.origin.begin());
  return box;
}

inline void tell(const DeviceInfo& device, quoin_device_info& info) {
  info.kind = static_cast<int32_t>(device.kind);
  copy_text(info.name, device.name);
  info.memory_bytes = device.memory_bytes;
  info.units = device.units;
  info.subgroup = device.subgroup;
  info.peak_bandwidth = device.peak_bandwidth;
  info.memory_kinds = 0;
  for (const MemoryKind kind : device.memories) info.memory_kinds |= 1U << static_cast<unsigned>(kind);
  info.precisions = 0;
  for (const Precision p : device.precisions) info.precisions |= p == Precision::float64 ? 8U : 4U;
  info.error_bound = device.error_bound;
  copy_text(info.note, device.note);
  if (info.size < sizeof info) return;  // a host of version 1.0
  copy_text(info.driver, device.driver);
  copy_text(info.version, device.version);
}

/// The C function table over a Backend class. Handles are the C++ objects themselves.
template <class BackendClass>
struct Table {
  static BackendClass*& slot() {
    static BackendClass* instance = nullptr;
    return instance;
  }
  static BackendClass& backend() {
    static std::mutex making;
    const std::lock_guard<std::mutex> lock(making);
    if (slot() == nullptr) slot() = new BackendClass;
    return *slot();
  }
  static Executor& of(quoin_executor* e) { return *reinterpret_cast<Executor*>(e); }
  static Queue& of(quoin_queue* q) { return *reinterpret_cast<Queue*>(q); }
  static Memory& of(quoin_memory* m) { return *reinterpret_cast<Memory*>(m); }
  static Event& of(quoin_event* e) { return *reinterpret_cast<Event*>(e); }
  static Kernel& of(quoin_kernel* k) { return *reinterpret_cast<Kernel*>(k); }
  static Sequence& of(quoin_sequence* s) { return *reinterpret_cast<Sequence*>(s); }

  static int device_count(int32_t* count, quoin_error* error) {
    return guarded(error, [&] { *count = static_cast<int32_t>(backend().devices().size()); });
  }
  static int device_info(int32_t device, quoin_device_info* info, quoin_error* error) {
    return guarded(error, [&] {
      const std::vector<DeviceInfo> all = backend().devices();
      if (device < 0 || static_cast<std::size_t>(device) >= all.size())
        throw Error(ErrorKind::device, "there is no device " + std::to_string(device) + " any more");
      tell(all[static_cast<std::size_t>(device)], *info);
    });
  }
  static int executor_create(int32_t device, const quoin_option* options, uint64_t count, quoin_executor** executor,
                             quoin_error* error) {
    return guarded(error, [&] {
      Options map;
      for (uint64_t k = 0; k < count; ++k) map[options[k].key] = options[k].value;
      *executor = handed_over<quoin_executor>(backend().executor(device, map));
    });
  }
  static int supports(quoin_executor* executor, const quoin_kernel_spec* spec, int32_t* answer, quoin_error* error) {
    return guarded(error, [&] { *answer = of(executor).supports(spec_of(*spec)) ? 1 : 0; });
  }
  static int memory_create(quoin_executor* executor, uint64_t bytes, int32_t kind, quoin_memory** memory,
                           quoin_error* error) {
    return guarded(error, [&] {
      *memory = handed_over<quoin_memory>(of(executor).allocate(bytes, static_cast<MemoryKind>(kind)));
    });
  }
  static int queue_create(quoin_executor* executor, quoin_queue** queue, quoin_error* error) {
    return guarded(error, [&] { *queue = handed_over<quoin_queue>(of(executor).queue()); });
  }
  static int copy_in(quoin_queue* queue, quoin_memory* target, uint64_t offset, const void* source, uint64_t bytes,
                     quoin_error* error) {
    return guarded(error, [&] {
      of(queue).copy_in(of(target), offset, {static_cast<const std::byte*>(source), bytes});
    });
  }
  static int copy_out(quoin_queue* queue, void* target, const quoin_memory* source, uint64_t offset, uint64_t bytes,
                      quoin_error* error) {
    return guarded(error, [&] {
      of(queue).copy_out({static_cast<std::byte*>(target), bytes}, of(const_cast<quoin_memory*>(source)), offset);
    });
  }
  static int synchronize(quoin_queue* queue, quoin_error* error) {
    return guarded(error, [&] { of(queue).synchronize(); });
  }
  static int kernel_create(quoin_executor* executor, const quoin_kernel_spec* spec, quoin_kernel** kernel,
                           quoin_error* error) {
    return guarded(error, [&] { *kernel = handed_over<quoin_kernel>(of(executor).kernel(spec_of(*spec))); });
  }
  static int launch(quoin_kernel* kernel, quoin_queue* queue, const quoin_box* box, const quoin_argument* arguments,
                    uint64_t count, quoin_error* error) {
    return guarded(error, [&] {
      if (count > QUOIN_MOST_ARGUMENTS) throw Error(ErrorKind::bug, "a launch with too many arguments");
      Argument list[QUOIN_MOST_ARGUMENTS];
      const auto* next = reinterpret_cast<const char*>(arguments);
      for (uint64_t k = 0; k < count; ++k) {
        const auto& a = *reinterpret_cast<const quoin_argument*>(next);
        next += a.size;  // a newer host's arguments are longer
        list[k] = {static_cast<Argument::Kind>(a.kind),
                   reinterpret_cast<Memory*>(a.memory),
                   a.offset,
                   a.pitch,
                   a.real_value,
                   a.integer_value};
      }
      of(kernel).launch(of(queue), box_of(*box), {list, static_cast<std::size_t>(count)});
    });
  }
  static void shutdown() { delete std::exchange(slot(), nullptr); }
  static int layout(quoin_executor* executor, const quoin_field_spec* spec, quoin_layout* layout, quoin_error* error) {
    return guarded(error, [&] {
      const Layout l =
          of(executor).layout({{spec->extent[0], spec->extent[1], spec->extent[2]}, spec->element_bytes, spec->ghost});
      layout->ghost = l.ghost;
      layout->pitch = l.pitch;
      layout->origin = l.origin;
      layout->bytes = l.bytes;
    });
  }
  static int event_create(quoin_executor* executor, quoin_event** event, quoin_error* error) {
    return guarded(error, [&] { *event = handed_over<quoin_event>(of(executor).event()); });
  }
  static int event_record(quoin_queue* queue, quoin_event* event, quoin_error* error) {
    return guarded(error, [&] { of(queue).record(of(event)); });
  }
  static int event_seconds(const quoin_event* earlier, const quoin_event* later, double* seconds, quoin_error* error) {
    return guarded(error, [&] {
      *seconds = of(const_cast<quoin_event*>(later)).seconds_since(of(const_cast<quoin_event*>(earlier)));
    });
  }
  static int event_wait(quoin_queue* queue, const quoin_event* event, quoin_error* error) {
    return guarded(error, [&] { of(queue).wait(of(const_cast<quoin_event*>(event))); });
  }
  static int cost(quoin_kernel* kernel, const quoin_box* box, quoin_cost* cost, quoin_error* error) {
    return guarded(error, [&] {
      const Cost c = of(kernel).cost(box_of(*box));
      cost->bytes = c.bytes;
      cost->flops = c.flops;
    });
  }
  static int launches(quoin_queue* queue, uint64_t* count, quoin_error* error) {
    return guarded(error, [&] { *count = of(queue).launches(); });
  }
  static int memory_on_host(quoin_memory* memory, void** address, quoin_error* error) {
    return guarded(error, [&] { *address = of(memory).on_host(); });
  }
  static int memory_map(quoin_queue* queue, quoin_memory* memory, uint64_t offset, uint64_t bytes, void** address,
                        quoin_error* error) {
    return guarded(error, [&] { *address = of(queue).map(of(memory), offset, bytes); });
  }
  static int memory_unmap(quoin_queue* queue, quoin_memory* memory, void* address, quoin_error* error) {
    return guarded(error, [&] { of(queue).unmap(of(memory), static_cast<std::byte*>(address)); });
  }
  static int executor_info(quoin_executor* executor, quoin_device_info* info, quoin_error* error) {
    return guarded(error, [&] { tell(of(executor).device(), *info); });
  }
  static int device_wanted(const char* device, quoin_error* error) {
    return guarded(error, [&] { backend().want(device); });
  }
  static int sequence_begin(quoin_queue* queue, int32_t* answer, quoin_error* error) {
    return guarded(error, [&] { *answer = of(queue).begin_sequence() ? 1 : 0; });
  }
  static int sequence_end(quoin_queue* queue, quoin_sequence** sequence, quoin_error* error) {
    return guarded(error, [&] { *sequence = handed_over<quoin_sequence>(of(queue).end_sequence()); });
  }
  static int sequence_run(quoin_queue* queue, quoin_sequence* sequence, quoin_error* error) {
    return guarded(error, [&] { of(queue).run_sequence(of(sequence)); });
  }

  static constexpr quoin_table table{device_count,
                                     device_info,
                                     executor_create,
                                     destroy<Executor, quoin_executor>,
                                     supports,
                                     memory_create,
                                     destroy<Memory, quoin_memory>,
                                     queue_create,
                                     destroy<Queue, quoin_queue>,
                                     copy_in,
                                     copy_out,
                                     synchronize,
                                     kernel_create,
                                     destroy<Kernel, quoin_kernel>,
                                     launch,
                                     shutdown,
                                     layout,
                                     event_create,
                                     destroy<Event, quoin_event>,
                                     event_record,
                                     event_seconds,
                                     event_wait,
                                     cost,
                                     launches,
                                     memory_on_host,
                                     memory_map,
                                     memory_unmap,
                                     executor_info,
                                     device_wanted,
                                     sequence_begin,
                                     sequence_end,
                                     sequence_run,
                                     destroy<Sequence, quoin_sequence>};
};

}  // namespace sdk
#pragma GCC visibility pop

inline void log(LogLevel level, const std::string& message) {
  const sdk::Attached& to = sdk::attached();
  if (to.host != nullptr) to.host->log(static_cast<std::int32_t>(level), (to.name + (": " + message)).c_str());
}

inline void trace(const char* category, const std::string& name, double begin, double end) {
  const quoin_host* host = sdk::attached().host;
  if (host != nullptr && host->trace != nullptr) host->trace(category, name.c_str(), begin, end);
}

}  // namespace quoin

/// Registers CLASS, a quoin::Backend, as the backend NAME. KEYS is a JSON array with the keys that
/// the backend adds to the case file's `backend` section; the plugin guide gives its form.
// clang-format off
#define QUOIN_BACKEND(CLASS, NAME, VERSION, KEYS)                                                                    \
  __attribute__((used, section(QUOIN_MANIFEST_SECTION))) static const char quoin_manifest[] =                        \
      "{\"name\":\"" NAME "\",\"version\":\"" VERSION "\","                                                          \
      "\"abi\":[" QUOIN_TEXT(QUOIN_ABI_MAJOR) "," QUOIN_TEXT(QUOIN_ABI_MINOR) "],"                                   \
      "\"toolchain\":\"" QUOIN_TOOLCHAIN "\",\"kernels\":" QUOIN_KERNELS ",\"keys\":" KEYS "}";                      \
  extern "C" __attribute__((visibility("default"))) const quoin_descriptor* quoin_plugin(const quoin_host* host) {   \
    static const quoin_descriptor descriptor{QUOIN_ABI_MAGIC, sizeof(quoin_descriptor), QUOIN_ABI_MAJOR,             \
                                             QUOIN_ABI_MINOR, sizeof(quoin_table), NAME, VERSION, QUOIN_TOOLCHAIN,   \
                                             &quoin::sdk::Table<CLASS>::table};                                      \
    if (host == nullptr || host->abi_major != QUOIN_ABI_MAJOR) return nullptr;                                       \
    quoin::sdk::attached() = {host, NAME};                                                                           \
    return &descriptor;                                                                                              \
  }
// clang-format on
