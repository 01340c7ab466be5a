// A device in use: memory, queues, events and kernels.

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <span>
#include <string_view>

#include "kernels/march.hpp"
#include "kernels/stretches.hpp"
#include "memory.hpp"
#include "opencl.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/memory_kinds.hpp"
#include "quoin/passes.hpp"
#include "quoin/plugin.hpp"

namespace quoin::opencl {
namespace {

constexpr char source[] =
#include "kernels.inc"
    ;

class ClEvent : public Event {
 public:
  [[nodiscard]] double seconds_since(const Event& earlier) const override {
    const cl_event events[] = {static_cast<const ClEvent&>(earlier).get(), get()};
    check(clWaitForEvents(2, events), "waiting for events");
    return (static_cast<double>(end_of(events[1])) - static_cast<double>(end_of(events[0]))) * 1e-9;
  }
  [[nodiscard]] cl_event get() const {
    if (!handle_) throw Error(ErrorKind::bug, "an event is used before it was recorded");
    return handle_.get();
  }
  void reset(cl_event event) { handle_.reset(event); }

 private:
  static cl_ulong end_of(cl_event event) {
    cl_ulong time = 0;
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr), "reading a time");
    return time;
  }
  EventHandle handle_;
};

class ClQueue : public Queue {
 public:
  ClQueue(cl_context context, const Device& device) : name_(device.info.name) {
    cl_int status = CL_SUCCESS;
    handle_.reset(clCreateCommandQueue(context, device.id, CL_QUEUE_PROFILING_ENABLE, &status));
    check(status, "making a queue", name_);
  }
  void copy_in(Memory& target, std::size_t offset, std::span<const std::byte> bytes) override {
    if (!bytes.empty()) static_cast<ClMemory&>(target).copy_in(get(), offset, bytes);
  }
  void copy_out(std::span<std::byte> target, const Memory& memory, std::size_t offset) override {
    if (!target.empty()) static_cast<const ClMemory&>(memory).copy_out(get(), target, offset);
  }
  std::byte* map(Memory& memory, std::size_t offset, std::size_t bytes) override {
    return static_cast<ClMemory&>(memory).map(get(), offset, bytes);
  }
  void unmap(Memory& memory, std::byte* address) override { static_cast<ClMemory&>(memory).unmap(get(), address); }
  void record(Event& event) override {
    cl_event marker = nullptr;
    check(clEnqueueMarkerWithWaitList(get(), 0, nullptr, &marker), "recording an event", name_);
    static_cast<ClEvent&>(event).reset(marker);
    check(clFlush(get()), "recording an event", name_);  // another queue may wait for it
  }
  void wait(const Event& event) override {
    const cl_event marker = static_cast<const ClEvent&>(event).get();
    check(clEnqueueBarrierWithWaitList(get(), 1, &marker, nullptr), "waiting for another queue", name_);
  }
  void synchronize() override { check(clFinish(get()), "finishing the work of a queue", name_); }
  [[nodiscard]] std::uint64_t launches() const override { return launches_; }

  /// Enough work-groups along x for items[0] work-items, items[1] along y.
  void launch(cl_kernel kernel, const std::size_t (&items)[2], std::size_t group_size, const std::string& name) {
    const std::size_t group[] = {group_size, 1};
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): no group is empty
    const std::size_t whole[] = {(items[0] + group_size - 1) / group_size * group_size, items[1]};
    check(clEnqueueNDRangeKernel(get(), kernel, 2, nullptr, whole, group, 0, nullptr, nullptr), "launching " + name,
          name_);
    ++launches_;
  }
  [[nodiscard]] cl_command_queue get() const { return handle_.get(); }

 private:
  QueueHandle handle_;
  std::string name_;
  std::uint64_t launches_ = 0;
};

/// Work-items of a group that visits nodes or entities.
std::size_t map_items(const Sizes& sizes, Pattern pattern) {
  if (pattern == Pattern::map_groups) return std::min<std::size_t>(sizes.nodes, group_points);
  return pattern == Pattern::own_entities ? sizes.entities : sizes.nodes;
}

/// Whether the kernel needs atomic operations that the host sees, which not every device has, or compiles.
bool adds_with_host(const KernelSpec& spec) { return spec.name == "memory_shared_add"; }

/// What the text ends with for a kernel: its entry point, from its declaration.
#define QN_ENTRY(name, pattern, meaning, ARGUMENTS, CONSTANTS, cost) \
  "QN_ENTRY_" #pattern "(" #name ", " #ARGUMENTS ")\n",
constexpr const char* entries[] = {QUOIN_FAMILIES(QN_ENTRY)};
#undef QN_ENTRY

class ClKernel : public Kernel {
 public:
  ClKernel(const KernelSpec& spec, cl_program program, const Device& device)
      : spec_(spec),
        entry_(*find_kernel(spec.name)),
        sizes_(device.sizes),
        sweep_columns_(device.info.kind == DeviceKind::cpu ? 2 : 16 / element_size(spec.precision)) {
    cl_int status = CL_SUCCESS;
    handle_.reset(clCreateKernel(program, spec.name.c_str(), &status));
    check(status, "making the kernel " + spec.name, device.info.name);
  }

  void launch(Queue& queue, const Box& box, std::span<const Argument> arguments) override {
    require_arguments(entry_, arguments);
    if (box.points() == 0) return;
    slot_ = 0;
    for (const std::size_t axis : {0, 1}) {
      set(cl_long{box.lower[axis]});
      set(cl_long{box.upper[axis]});
    }
    for (std::size_t k = 0; k < arguments.size(); ++k) bind(entry_.arguments[k].kind, arguments[k]);
    auto& target = static_cast<ClQueue&>(queue);
    std::set<const ClMemory*> lent;
    for (const Argument& argument : arguments)
      if (argument.memory != nullptr && argument.memory->kind() == MemoryKind::pinned)
        lent.insert(static_cast<const ClMemory*>(argument.memory));
    for (const ClMemory* memory : lent) memory->to_device(target.get());
    launch(target, box, arguments);
    for (const ClMemory* memory : lent) memory->to_host(target.get());
  }
  [[nodiscard]] Cost cost(const Box& box) const override { return catalogue_cost(spec_, box); }

 private:
  void launch(ClQueue& target, const Box& box, std::span<const Argument> arguments) {
    const auto nx = static_cast<std::size_t>(box.extent(0));
    const auto ny = static_cast<std::size_t>(box.extent(1));
    switch (entry_.pattern) {
      case Pattern::list_sums:
        return target.launch(handle_.get(), {1, std::min(ny, sizes_.list_groups)}, sizes_.list_sum, spec_.name);
      case Pattern::own_sweeps:
        return launch_sweeps(target, box);
      case Pattern::block_sums:
        return launch_blocks(target, nx, ny, 2);
      case Pattern::map_rim:
        return target.launch(handle_.get(), {static_cast<std::size_t>(rim_points(box)), 1}, sizes_.nodes, spec_.name);
      default:
        return launch_points(target, nx, ny, entries_of(arguments));
    }
  }
  void launch_sweeps(ClQueue& queue, const Box& box) {
    if (spec_.constant("depth", 1) == 1)
      return launch_blocks(queue, static_cast<std::size_t>(box.extent(0)), static_cast<std::size_t>(box.extent(1)),
                           sweep_columns_);
    const kernels::Range range{box.lower[0], box.upper[0], box.lower[1], box.upper[1]};
    const auto grid = spec_.precision == Precision::float64 ? march<double>(range) : march<float>(range);
    queue.launch(
        handle_.get(),
        {static_cast<std::size_t>(grid.columns()) * sizes_.band_lanes, static_cast<std::size_t>(grid.segments)},
        sizes_.band_lanes, spec_.name);
  }
  /// How many entries the nodes read, each a stretch of them.
  [[nodiscard]] std::int64_t entries_of(std::span<const Argument> arguments) const {
    for (std::size_t k = 0; k < arguments.size() && entry_.pattern == Pattern::map_single; ++k)
      if (entry_.arguments[k].name == "entries") return arguments[k].integer_value;
    return 0;
  }
  /// A work-item a node. Narrow planes are one row of work-items, as the kernels' text has it.
  void launch_points(ClQueue& queue, std::size_t nx, std::size_t ny, std::int64_t read) {
    const std::size_t group = map_items(sizes_, entry_.pattern);
    if (nx < group && ny > 1) return queue.launch(handle_.get(), {nx * ny, 1}, group, spec_.name);
    if (ny == 1) {
      const auto lanes = kernels::stretch_lanes(read, element_size(spec_.precision) + sizeof(std::int32_t), nx,
                                                sizes_.stretch_bytes, group);
      if (lanes > 0) nx = std::min(nx, static_cast<std::size_t>(lanes) * sizes_.units);
    }
    queue.launch(handle_.get(), {nx, ny}, group, spec_.name);
  }
  /// A work-item for so many columns of a row of blocks. Narrow planes of whole blocks are one row of work-items.
  void launch_blocks(ClQueue& queue, std::size_t nx, std::size_t ny, std::size_t columns) {
    const std::size_t across = (nx + block_columns - 1) / block_columns * (block_columns / columns);
    const std::size_t down = (ny + block_rows - 1) / block_rows;
    const bool whole = nx % block_columns == 0 && ny % block_rows == 0;
    if (entry_.pattern == Pattern::block_sums && whole && across < sizes_.pairs && down > 1)
      return queue.launch(handle_.get(), {across * down, 1}, sizes_.pairs, spec_.name);
    queue.launch(handle_.get(), {across, down}, sizes_.pairs, spec_.name);
  }
  template <class Value>
  void set(Value value) {
    // A handle is an argument like a number: it is the handle's own bytes that OpenCL asks for.
    constexpr std::size_t bytes = sizeof(Value);  // NOLINT(bugprone-sizeof-expression)
    check(clSetKernelArg(handle_.get(), slot_++, bytes, &value), "giving an argument to " + spec_.name);
  }
  template <class T>
  [[nodiscard]] kernels::MarchGrid march(const kernels::Range& range) const {
    return kernels::MarchGrid::over<T>(range, static_cast<int>(sizes_.band_lanes),
                                       static_cast<std::int64_t>(sizes_.resident_lanes / sizes_.band_lanes), 65535);
  }
  void bind(ArgumentKind kind, const Argument& argument) {
    switch (kind) {
      case ArgumentKind::reals:
      case ArgumentKind::integers:
      case ArgumentKind::indices:
        return set_buffer(argument, element_size(kind, spec_.precision));
      case ArgumentKind::real:
        return spec_.precision == Precision::float64 ? set(cl_double{argument.real_value})
                                                     : set(static_cast<cl_float>(argument.real_value));
      case ArgumentKind::integer:
        return set(cl_long{argument.integer_value});
    }
  }
  void set_buffer(const Argument& argument, std::size_t element) {
    const cl_uint slot = slot_++;
    check(argument.memory == nullptr ? clSetKernelArg(handle_.get(), slot, sizeof(cl_mem), nullptr)
                                     : static_cast<ClMemory*>(argument.memory)->give_to(handle_.get(), slot),
          "giving an argument to " + spec_.name);
    set(static_cast<cl_long>(argument.offset / element));
    set(cl_long{argument.pitch});
  }

  KernelSpec spec_;
  const CatalogueEntry& entry_;
  Sizes sizes_;
  std::size_t sweep_columns_;  // of a work-item that does one sweep: on a GPU as many as it moves at once
  KernelHandle handle_;
  cl_uint slot_ = 0;
};

class ClExecutor : public Executor {
 public:
  explicit ClExecutor(Device of) : device_(std::move(of)) {
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                reinterpret_cast<cl_context_properties>(device_.platform), 0};
    cl_int status = CL_SUCCESS;
    context_.reset(clCreateContext(properties, 1, &device_.id, report, nullptr, &status));
    check(status, "making a context", device_.info.name);
  }
  [[nodiscard]] const DeviceInfo& device() const override { return device_.info; }
  [[nodiscard]] bool supports(const KernelSpec& spec) const override {
    const auto& precisions = device_.info.precisions;
    // A pass is written for 2, 4 and 8 sweeps.
    const auto depth = static_cast<std::uint64_t>(spec.constant("depth", 1));
    return in_catalogue(spec) && pass_holds(static_cast<std::int64_t>(device_.sizes.sweep_depth), spec) &&
           std::has_single_bit(depth) &&
           std::find(precisions.begin(), precisions.end(), spec.precision) != precisions.end() &&
           (!adds_with_host(spec) || (has_memory_kind(device_.info, MemoryKind::shared_atomic) && builds(spec)));
  }
  [[nodiscard]] Layout layout(const FieldSpec& spec) const override { return default_layout(spec); }

  std::unique_ptr<Memory> allocate(std::size_t bytes, MemoryKind kind) override {
    return make_memory(context_.get(), device_, bytes, kind);
  }
  std::unique_ptr<Queue> queue() override { return std::make_unique<ClQueue>(context_.get(), device_); }
  std::unique_ptr<Event> event() override { return std::make_unique<ClEvent>(); }
  std::unique_ptr<Kernel> kernel(const KernelSpec& spec) override {
    if (!supports(spec)) {
      throw Error(ErrorKind::device, "no kernel '" + spec.name + "' in that precision", device_.info.name);
    }
    return std::make_unique<ClKernel>(spec, program_of(spec), device_);
  }

 private:
  cl_program program_of(const KernelSpec& spec) const {
    const std::string options = options_of(spec);
    ProgramHandle& program = programs_[options];
    if (!program) program = build_program(context_.get(), device_, source_of(spec), options);
    return program.get();
  }
  [[nodiscard]] bool builds(const KernelSpec& spec) const {
    try {
      return program_of(spec) != nullptr;
    } catch (const Error& error) {
      log(LogLevel::debug, spec.name + " is not offered: " + error.what());
      return false;
    }
  }
  /// What the driver says of errors, on a thread of its own; the call that failed says so too.
  static void CL_CALLBACK report(const char* text, const void*, std::size_t, void*) {
    const std::string_view line(text);
    log(LogLevel::warning, std::string(line.substr(0, line.find('\n'))));
  }

  static std::string source_of(const KernelSpec& spec) {
    return std::string(source) + entries[static_cast<std::size_t>(find_kernel(spec.name)->id)];
  }

  [[nodiscard]] std::string options_of(const KernelSpec& spec) const {
    // The atomic operations are of OpenCL C 2.0, which a device of 3.0 need not know, such as PoCL 5.
    const char* const with_host = device_.info.version.starts_with("OpenCL 2") ? "-cl-std=CL2.0" : "-cl-std=CL3.0";
    std::string options = adds_with_host(spec) ? with_host : "-cl-std=CL1.2";
    if (device_.info.error_bound == 0) options += " -cl-fp32-correctly-rounded-divide-sqrt";
    const auto define = [&](std::string_view name, const std::string& value) {
      options.append(" -D ").append(name).append("=").append(value);
    };
    define("ONLY_" + spec.name, "1");
    define("QN_REAL", spec.precision == Precision::float64 ? "double" : "float");
    define("UNROLLED", device_.info.kind == DeviceKind::cpu ? "0" : "1");
    define("NODES", std::to_string(map_items(device_.sizes, find_kernel(spec.name)->pattern)));
    define("PAIRS", std::to_string(device_.sizes.pairs));
    define("LIST_SUM", std::to_string(device_.sizes.list_sum));
    define("LANES", std::to_string(device_.sizes.band_lanes));
    const bool shuffles = device_.sizes.band_lanes == device_.sizes.shuffling_lanes;
    define("SHUFFLES", shuffles ? "1" : "0");
    define("COPIES", shuffles && device_.sizes.copies_rows ? "1" : "0");
    for (const ConstantSpec& constant : find_kernel(spec.name)->constants) {
      const std::string name(constant.name);
      define("CONSTANT_" + name, std::to_string(spec.constant(name, constant.first)));
    }
    return options;
  }

  Device device_;
  ContextHandle context_;
  mutable std::map<std::string, ProgramHandle> programs_;  // by their options
};

}  // namespace

std::unique_ptr<Executor> make_executor(Device device, const Options& options) {
  Sizes& sizes = device.sizes;
  const auto size = [&](const char* key, std::size_t& value, std::int64_t step, std::int64_t most) {
    value = static_cast<std::size_t>(number_option(options, key, static_cast<std::int64_t>(value), step, step, most));
  };
  size("sweep_depth", sizes.sweep_depth, 1, 8);
  size("sweep_lanes", sizes.band_lanes, 16, 64);
  return std::make_unique<ClExecutor>(std::move(device));
}

}  // namespace quoin::opencl
