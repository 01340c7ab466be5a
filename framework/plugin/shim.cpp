// The host side of the boundary: quoin::Executor and its companions over a plugin's function table.

#include <chrono>
#include <cstring>
#include <exception>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "plugin/known_kernels.hpp"
#include "plugin/loader.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/words.hpp"

namespace quoin {
namespace {

struct Stream;

/// An executor's handle. Everything made from it shares it, so that it is destroyed last.
struct Device {
  std::shared_ptr<Plugin> plugin;
  DeviceInfo info;
  std::string where;
  quoin_executor* handle = nullptr;
  std::vector<Stream*> streams;
  Copied copied;

  Device(std::shared_ptr<Plugin> plugin_, DeviceInfo info_, std::string where_)
      : plugin(std::move(plugin_)), info(std::move(info_)), where(std::move(where_)) {}
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() {
    if (handle == nullptr) return;
    leave(where, "executor_destroy", table().executor_destroy, handle);
    --plugin->executors;
  }
  [[nodiscard]] const quoin_table& table() const { return plugin->table; }
  /// Waits for what is pending: an error that ends a run may leave work behind that uses what is destroyed next.
  void settle() const noexcept;
};
using SharedDevice = std::shared_ptr<Device>;

/// A handle that an entry was asked to make.
template <class Handle>
Handle* made(Handle* handle, const char* what, const Device& device) {
  if (handle == nullptr)
    throw Error(ErrorKind::plugin, std::string("the plugin reported success but made no ") + what, device.where);
  return handle;
}

/// The object behind an interface, which must come from the same executor.
template <class Own, class Interface>
Own& own(Interface& object, const Device& device) {
  if (typeid(object) != typeid(Own) || static_cast<Own&>(object).device().get() != &device)
    throw Error(ErrorKind::bug, "an object of one executor was given to another", device.where);
  return static_cast<Own&>(object);
}

class PluginMemory final : public Memory {
 public:
  PluginMemory(SharedDevice device, std::size_t bytes, MemoryKind kind)
      : device_(std::move(device)), bytes_(bytes), kind_(kind) {
    call(device_->where, "memory_create", device_->table().memory_create, device_->handle, std::uint64_t{bytes},
         static_cast<std::int32_t>(kind), &handle_);
    made(handle_, "memory", *device_);
  }
  ~PluginMemory() override {
    device_->settle();
    leave(device_->where, "memory_destroy", device_->table().memory_destroy, handle_);
  }
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }
  [[nodiscard]] MemoryKind kind() const override { return kind_; }
  [[nodiscard]] std::byte* on_host() override {
    void* address = nullptr;
    if (device_->table().memory_on_host != nullptr)
      call(device_->where, "memory_on_host", device_->table().memory_on_host, handle_, &address);
    return static_cast<std::byte*>(address);
  }
  [[nodiscard]] const SharedDevice& device() const { return device_; }
  [[nodiscard]] quoin_memory* handle() const { return handle_; }

 private:
  SharedDevice device_;
  std::size_t bytes_;
  MemoryKind kind_;
  quoin_memory* handle_ = nullptr;
};

/// A queue's handle, shared with the events that were last recorded in it.
struct Stream {
  SharedDevice device;
  quoin_queue* handle = nullptr;
  std::uint64_t launches = 0;
  bool pending = false;       ///< something was queued since it was last waited for
  std::exception_ptr failed;  ///< what became of work that nobody else has waited for yet

  explicit Stream(SharedDevice device_) : device(std::move(device_)) {
    call(device->where, "queue_create", device->table().queue_create, device->handle, &handle);
    made(handle, "queue", *device);
    device->streams.push_back(this);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    settle();
    std::erase(device->streams, this);
    leave(device->where, "queue_destroy", device->table().queue_destroy, handle);
  }
  /// Before work is queued.
  void begin() {
    if (failed) std::rethrow_exception(std::exchange(failed, nullptr));
    pending = true;
  }
  void synchronize() {
    begin();
    call(device->where, "synchronize", device->table().synchronize, handle);
    pending = false;
  }
  void settle() noexcept {
    if (!pending || failed) return;
    try {
      synchronize();
    } catch (...) {
      failed = std::current_exception();
    }
  }
};

void Device::settle() const noexcept {
  for (Stream* stream : streams) stream->settle();
}

class PluginEvent final : public Event {
 public:
  explicit PluginEvent(SharedDevice device) : device_(std::move(device)) {
    if (table().event_create == nullptr) return;
    call(device_->where, "event_create", table().event_create, device_->handle, &handle_);
    made(handle_, "event", *device_);
  }
  ~PluginEvent() override {
    if (handle_ != nullptr) leave(device_->where, "event_destroy", table().event_destroy, handle_);
  }
  void record(const std::shared_ptr<Stream>& stream) {
    if (handle_ != nullptr) {
      call(device_->where, "event_record", table().event_record, stream->handle, handle_);
    } else {
      stream->synchronize();
      when_ = std::chrono::steady_clock::now();
    }
    stream_ = stream;
  }
  void hold_back(const Stream& later) const {
    if (stream_ == nullptr) return;  // never recorded: nothing to wait for
    if (handle_ != nullptr && table().event_wait != nullptr) {
      call(device_->where, "event_wait", table().event_wait, later.handle, handle_);
    } else if (handle_ != nullptr) {
      stream_->synchronize();
    }
  }
  [[nodiscard]] double seconds_since(const Event& earlier) const override {
    const auto& from = own<const PluginEvent>(earlier, *device_);
    if (stream_ == nullptr || from.stream_ == nullptr)
      throw Error(ErrorKind::bug, "an event was asked for its time before it was recorded", device_->where);
    if (handle_ == nullptr) return std::chrono::duration<double>(when_ - from.when_).count();
    double seconds = 0.0;
    call(device_->where, "event_seconds", table().event_seconds, from.handle_, handle_, &seconds);
    return seconds;
  }
  [[nodiscard]] const SharedDevice& device() const { return device_; }

 private:
  [[nodiscard]] const quoin_table& table() const { return device_->table(); }
  SharedDevice device_;
  quoin_event* handle_ = nullptr;
  std::shared_ptr<Stream> stream_;  // of the last record
  std::chrono::steady_clock::time_point when_{};
};

class PluginSequence final : public Sequence {
 public:
  /// Of so many launches.
  PluginSequence(SharedDevice device, quoin_sequence* handle, std::uint64_t count)
      : launches(count), device_(std::move(device)), handle_(handle) {}
  ~PluginSequence() override {
    device_->settle();
    leave(device_->where, "sequence_destroy", device_->table().sequence_destroy, handle_);
  }
  [[nodiscard]] const SharedDevice& device() const { return device_; }
  [[nodiscard]] quoin_sequence* handle() const { return handle_; }

  const std::uint64_t launches;

 private:
  SharedDevice device_;
  quoin_sequence* handle_;
};

class PluginQueue final : public Queue {
 public:
  explicit PluginQueue(SharedDevice device) : stream_(std::make_shared<Stream>(std::move(device))) {}
  void copy_in(Memory& target, std::size_t offset, std::span<const std::byte> source) override {
    const auto& memory = checked(target, offset, source.size());
    stream_->begin();
    const auto before = std::chrono::steady_clock::now();
    call(device()->where, "copy_in", table().copy_in, stream_->handle, memory.handle(), std::uint64_t{offset},
         static_cast<const void*>(source.data()), std::uint64_t{source.size()});
    Copied& copied = device()->copied;
    copied.to_device += source.size();
    copied.seconds_to_device += std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  }
  void copy_out(std::span<std::byte> target, const Memory& source, std::size_t offset) override {
    const auto& memory = checked(source, offset, target.size());
    stream_->begin();
    call(device()->where, "copy_out", table().copy_out, stream_->handle, static_cast<void*>(target.data()),
         memory.handle(), std::uint64_t{offset}, std::uint64_t{target.size()});
    device()->copied.from_device += target.size();
  }
  std::byte* map(Memory& memory, std::size_t offset, std::size_t bytes) override {
    const auto& own_memory = checked(memory, offset, bytes);
    if (table().memory_map == nullptr) return nullptr;
    stream_->begin();
    void* address = nullptr;
    call(device()->where, "memory_map", table().memory_map, stream_->handle, own_memory.handle(), std::uint64_t{offset},
         std::uint64_t{bytes}, &address);
    return static_cast<std::byte*>(address);
  }
  void unmap(Memory& memory, std::byte* address) override {
    stream_->begin();
    call(device()->where, "memory_unmap", table().memory_unmap, stream_->handle,
         own<PluginMemory>(memory, *device()).handle(), static_cast<void*>(address));
  }
  bool begin_sequence() override {
    if (table().sequence_begin == nullptr) return false;
    stream_->begin();
    std::int32_t answer = 0;
    call(device()->where, "sequence_begin", table().sequence_begin, stream_->handle, &answer);
    recorded_from_ = stream_->launches;
    return answer != 0;
  }
  std::unique_ptr<Sequence> end_sequence() override {
    const std::uint64_t count = std::exchange(stream_->launches, recorded_from_) - recorded_from_;
    quoin_sequence* handle = nullptr;
    call(device()->where, "sequence_end", table().sequence_end, stream_->handle, &handle);
    made(handle, "sequence", *device());
    return std::make_unique<PluginSequence>(device(), handle, count);
  }
  void run_sequence(Sequence& sequence) override {
    const auto& mine = own<PluginSequence>(sequence, *device());
    stream_->begin();
    call(device()->where, "sequence_run", table().sequence_run, stream_->handle, mine.handle());
    stream_->launches += mine.launches;
  }
  void record(Event& event) override { own<PluginEvent>(event, *device()).record(stream_); }
  void wait(const Event& event) override { own<const PluginEvent>(event, *device()).hold_back(*stream_); }
  void synchronize() override { stream_->synchronize(); }
  [[nodiscard]] std::uint64_t launches() const override {
    std::uint64_t count = stream_->launches;
    if (table().launches != nullptr) call(device()->where, "launches", table().launches, stream_->handle, &count);
    return count;
  }
  [[nodiscard]] const SharedDevice& device() const { return stream_->device; }
  [[nodiscard]] Stream& stream() const { return *stream_; }

 private:
  [[nodiscard]] const quoin_table& table() const { return device()->table(); }
  const PluginMemory& checked(const Memory& memory, std::size_t offset, std::size_t bytes) const {
    if (offset > memory.bytes() || bytes > memory.bytes() - offset) {
      throw Error(ErrorKind::bug,
                  "a copy of " + std::to_string(bytes) + " bytes at " + std::to_string(offset) +
                      " leaves the memory of " + std::to_string(memory.bytes()) + " bytes",
                  device()->where);
    }
    return own<const PluginMemory>(memory, *device());
  }
  std::shared_ptr<Stream> stream_;
  std::uint64_t recorded_from_ = 0;  // launches when a sequence was begun
};

quoin_box to_c(const Box& box) {
  return {sizeof(quoin_box),
          0,
          {box.lower[0], box.lower[1], box.lower[2]},
          {box.upper[0], box.upper[1], box.upper[2]},
          {box.origin[0], box.origin[1], box.origin[2]}};
}

/// A KernelSpec in C; the strings and constants live as long as this object and the specification.
struct SpecInC {
  std::vector<quoin_constant> constants;
  quoin_kernel_spec spec{};

  explicit SpecInC(const KernelSpec& from) {
    for (const Constant& c : from.constants) constants.push_back({c.name.c_str(), c.value});
    spec = {sizeof spec, static_cast<std::int32_t>(from.precision), from.name.c_str(), constants.data(),
            constants.size()};
  }
};

class PluginKernel final : public Kernel {
 public:
  PluginKernel(SharedDevice device, KernelSpec spec)
      : device_(std::move(device)),
        spec_(std::move(spec)),
        known_(known_kernel(spec_.name)),
        where_(device_->where + ", kernel " + spec_.name) {
    const SpecInC c(spec_);
    call(where_, "kernel_create", table().kernel_create, device_->handle, &c.spec, &handle_);
    made(handle_, "kernel", *device_);
  }
  ~PluginKernel() override { leave(where_, "kernel_destroy", table().kernel_destroy, handle_); }

  void launch(Queue& queue, const Box& box, std::span<const Argument> arguments) override {
    if (known_.entry != nullptr) {
      require_arguments(*known_.entry, arguments);
      require_whole_blocks(*known_.entry, box);
    }
    if (arguments.size() > QUOIN_MOST_ARGUMENTS)
      throw Error(ErrorKind::bug, "a launch with " + std::to_string(arguments.size()) + " arguments", where_);
    quoin_argument list[QUOIN_MOST_ARGUMENTS];  // on the stack: a launch allocates nothing
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const Argument& a = arguments[k];
      list[k] = {sizeof(quoin_argument),
                 static_cast<std::int32_t>(a.kind),
                 a.memory == nullptr ? nullptr : own<PluginMemory>(*a.memory, *device_).handle(),
                 a.offset,
                 a.pitch,
                 a.real_value,
                 a.integer_value};
    }
    Stream& stream = own<PluginQueue>(queue, *device_).stream();
    stream.begin();
    const quoin_box c_box = to_c(box);
    call(where_, "launch", table().launch, handle_, stream.handle, &c_box, &std::as_const(list[0]),
         std::uint64_t{arguments.size()});
    ++stream.launches;
  }
  [[nodiscard]] Cost cost(const Box& box) const override {
    if (table().cost == nullptr) return known_.set == nullptr ? Cost{} : known_.set->cost(spec_, box);
    const quoin_box c_box = to_c(box);
    quoin_cost answer{sizeof answer, 0, 0.0, 0.0};
    call(where_, "cost", table().cost, handle_, &c_box, &answer);
    return {answer.bytes, answer.flops};
  }

 private:
  [[nodiscard]] const quoin_table& table() const { return device_->table(); }
  SharedDevice device_;
  KernelSpec spec_;
  KnownKernel known_;
  std::string where_;
  quoin_kernel* handle_ = nullptr;
};

/// Whether every node that the layout promises lies inside its bytes: the host fills and reads them without looking. In
/// double, where absurd numbers do not wrap around.
bool holds(const Layout& layout, const FieldSpec& spec) {
  const auto ghost = static_cast<double>(layout.ghost);
  const auto pitch = static_cast<double>(layout.pitch);
  const auto width = static_cast<double>(spec.extent[0]);
  const double rows = static_cast<double>(spec.extent[1]) * static_cast<double>(spec.extent[2]);
  const double first = static_cast<double>(layout.origin) - ghost * pitch - ghost;
  const double end = static_cast<double>(layout.origin) + (rows - 1.0 + ghost) * pitch + width + ghost;
  return layout.ghost >= spec.ghost && pitch >= width + 2 * ghost && first >= 0.0 &&
         end * static_cast<double>(spec.element_bytes) <= static_cast<double>(layout.bytes);
}

/// The kernel's family, where the plugin was built from another of that name; else empty.
std::string other_kernels(const Plugin& plugin, const std::string& kernel) {
  const CatalogueEntry* const entry = known_kernel(kernel).entry;
  if (entry == nullptr) return {};
  const auto theirs = plugin.candidate.kernels.find(entry->family);
  const auto ours = known_families().find(entry->family);
  const bool other = theirs != plugin.candidate.kernels.end() && theirs->second != ours->second;
  return other ? std::string(entry->family) : std::string();
}

class PluginExecutor final : public Executor {
 public:
  explicit PluginExecutor(SharedDevice device) : device_(std::move(device)) {}
  [[nodiscard]] const DeviceInfo& device() const override { return device_->info; }
  [[nodiscard]] bool supports(const KernelSpec& spec) const override {
    if (!other_kernels(*device_->plugin, spec.name).empty()) return false;
    const SpecInC c(spec);
    std::int32_t answer = 0;
    call(device_->where, "supports", device_->table().supports, device_->handle, &c.spec, &answer);
    return answer != 0;
  }
  [[nodiscard]] Layout layout(const FieldSpec& spec) const override {
    if (device_->table().layout == nullptr) return default_layout(spec);
    const quoin_field_spec in{sizeof in,
                              static_cast<std::uint32_t>(spec.element_bytes),
                              {spec.extent[0], spec.extent[1], spec.extent[2]},
                              spec.ghost};
    quoin_layout out{sizeof out, 0, 0, 0, 0, 0};
    call(device_->where, "layout", device_->table().layout, device_->handle, &in, &out);
    const Layout layout{out.ghost, out.pitch, out.origin, out.bytes};
    if (!holds(layout, spec))
      throw Error(ErrorKind::plugin, "the plugin gave a layout that does not hold the field with its ghosts",
                  device_->where);
    return layout;
  }
  std::unique_ptr<Memory> allocate(std::size_t bytes, MemoryKind kind) override {
    return std::make_unique<PluginMemory>(device_, bytes, kind);
  }
  std::unique_ptr<Queue> queue() override { return std::make_unique<PluginQueue>(device_); }
  std::unique_ptr<Event> event() override { return std::make_unique<PluginEvent>(device_); }
  std::unique_ptr<Kernel> kernel(const KernelSpec& spec) override {
    if (const std::string family = other_kernels(*device_->plugin, spec.name); !family.empty())
      throw Error(ErrorKind::plugin,
                  "the plugin was built from other kernels of the family '" + family +
                      "' than this Quoin, and does not offer '" + spec.name + "': rebuild it",
                  device_->where);
    return std::make_unique<PluginKernel>(device_, spec);
  }
  [[nodiscard]] Copied copied() const override { return device_->copied; }

 private:
  SharedDevice device_;
};

template <std::size_t N>
std::string text_of(const char (&text)[N]) {
  return printable({text, strnlen(text, N)}, /*one_line=*/true);
}

/// Of a device, by the entry `name` that is asked with `of`.
template <class Entry, class Of>
DeviceInfo device_info(const std::string& where, const char* name, Entry entry, Of of) {
  quoin_device_info c{};
  c.size = sizeof c;
  call(where, name, entry, of, &c);
  DeviceInfo info;
  info.name = text_of(c.name);
  info.kind = static_cast<DeviceKind>(c.kind);
  info.memory_bytes = c.memory_bytes;
  info.units = c.units;
  info.subgroup = c.subgroup;
  info.peak_bandwidth = c.peak_bandwidth;
  info.memories.clear();
  for (unsigned k = 0; k < memory_kind_names.size(); ++k) {
    if ((c.memory_kinds >> k & 1U) != 0) info.memories.push_back(static_cast<MemoryKind>(k));
  }
  info.precisions.clear();
  for (const Precision p : {Precision::float64, Precision::float32}) {
    if ((c.precisions & static_cast<unsigned>(p)) != 0) info.precisions.push_back(p);
  }
  info.error_bound = c.error_bound;
  info.note = text_of(c.note);
  info.driver = text_of(c.driver);
  info.version = text_of(c.version);
  return info;
}

DeviceInfo device_info(const Plugin& plugin, int device) {
  return device_info(plugin.candidate.file.string() + ", device " + std::to_string(device), "device_info",
                     plugin.table.device_info, std::int32_t{device});
}

}  // namespace

std::vector<DeviceInfo> devices_of(const Plugin& plugin, const std::string& wanted) {
  constexpr std::int32_t most = 4096;
  const std::string where = plugin.candidate.file.string();
  if (plugin.table.device_wanted != nullptr) call(where, "device_wanted", plugin.table.device_wanted, wanted.c_str());
  std::int32_t count = 0;
  call(where, "device_count", plugin.table.device_count, &count);
  if (count < 0 || count > most)
    throw Error(ErrorKind::plugin, "the plugin reports " + std::to_string(count) + " devices", where);
  std::vector<DeviceInfo> devices;
  devices.reserve(static_cast<std::size_t>(count));
  for (std::int32_t k = 0; k < count; ++k) devices.push_back(device_info(plugin, k));
  return devices;
}

std::shared_ptr<Executor> executor_of(std::shared_ptr<Plugin> plugin, int device,
                                      const std::map<std::string, std::string, std::less<>>& options) {
  DeviceInfo info = device_info(*plugin, device);
  std::string where = plugin->candidate.file.string() + ", device " + std::to_string(device) + " (" + info.name + ")";
  const auto shared = std::make_shared<Device>(std::move(plugin), std::move(info), std::move(where));
  std::vector<quoin_option> list;
  list.reserve(options.size());
  for (const auto& [key, value] : options) list.push_back({key.c_str(), value.c_str()});
  quoin_executor* handle = nullptr;
  call(shared->where, "executor_create", shared->table().executor_create, std::int32_t{device},
       std::as_const(list).data(), std::uint64_t{list.size()}, &handle);
  shared->handle = made(handle, "executor", *shared);
  ++shared->plugin->executors;
  if (shared->table().executor_info != nullptr)
    shared->info = device_info(shared->where, "executor_info", shared->table().executor_info, handle);
  return std::make_shared<PluginExecutor>(shared);
}

}  // namespace quoin
