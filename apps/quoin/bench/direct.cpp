#include "bench/direct.hpp"

#include <dlfcn.h>

#include <array>
#include <chrono>
#include <cmath>

#include "quoin/catalogue.hpp"
#include "quoin/error.hpp"
#include "quoin/log.hpp"

namespace quoin::bench {
namespace {

enum Which : std::size_t {
  even,
  odd,
  rhs,
  weights,
  partials,
  norms,
  control
};  // u after iterations 0, 2, ...; 1, 3, ...

template <class... Parameters, class... Arguments>
void call(int (*entry)(Parameters...), Arguments... arguments) {
  quoin_error error{};
  error.size = sizeof error;
  const int status = entry(arguments..., &error);
  if (status != 0) throw Error(static_cast<ErrorKind>(status), error.message, error.where);
}

void log_for_plugin(std::int32_t level, const char* message) {
  constexpr std::int32_t warning = 3;
  log().log(level >= warning ? spdlog::level::warn : spdlog::level::debug, "{}", message);
}

/// The descriptor of a plugin that the framework has accepted before.
const quoin_descriptor& descriptor_of(const std::filesystem::path& plugin) {
  static constexpr quoin_host host{sizeof(quoin_host), QUOIN_ABI_MAJOR, QUOIN_ABI_MINOR, log_for_plugin, nullptr};
  void* library = dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  void* symbol = library == nullptr ? nullptr : dlsym(library, QUOIN_PLUGIN_SYMBOL);
  if (symbol == nullptr) throw Error(ErrorKind::plugin, "the plugin cannot be opened", plugin.string());
  const quoin_descriptor* found = reinterpret_cast<quoin_plugin_function>(symbol)(&host);
  if (found == nullptr) throw Error(ErrorKind::plugin, "the plugin refuses this program", plugin.string());
  return *found;
}

quoin_executor* executor_on(const quoin_table& table, int device, const OptionMap& options) {
  std::vector<quoin_option> list;
  for (const auto& [key, value] : options) list.push_back({key.c_str(), value.c_str()});
  quoin_executor* executor = nullptr;
  call(table.executor_create, device, list.data(), std::uint64_t{list.size()}, &executor);
  return executor;
}

quoin_queue* queue_of(const quoin_table& table, quoin_executor* executor) {
  quoin_queue* queue = nullptr;
  call(table.queue_create, executor, &queue);
  return queue;
}

quoin_box plane(std::int64_t nx, std::int64_t ny) { return {sizeof(quoin_box), 0, {0, 0, 0}, {nx, ny, 1}, {0, 0, 0}}; }

quoin_argument buffer(quoin_memory* memory, std::uint64_t offset, std::int64_t pitch) {
  return {sizeof(quoin_argument), static_cast<std::int32_t>(Argument::Kind::buffer), memory, offset, pitch, 0.0, 0};
}
quoin_argument real(double value) {
  return {sizeof(quoin_argument), static_cast<std::int32_t>(Argument::Kind::real), nullptr, 0, 0, value, 0};
}
quoin_argument integer(std::int64_t value) {
  return {sizeof(quoin_argument), static_cast<std::int32_t>(Argument::Kind::integer), nullptr, 0, 0, 0.0, value};
}

std::int64_t blocks_of(std::int64_t nodes, std::int64_t block) { return (nodes + block - 1) / block; }

}  // namespace

DirectRun::DirectRun(const std::filesystem::path& plugin, int device, const OptionMap& options,
                     const DirectProblem& problem)
    : n_(problem.nodes),
      iterations_(problem.iterations),
      table_(descriptor_of(plugin).table),
      lays_out_(descriptor_of(plugin).table_bytes >= offsetof(quoin_table, layout) + sizeof(void*)),
      executor_(executor_on(*table_, device, options), table_->executor_destroy),
      queue_(queue_of(*table_, executor_.get()), table_->queue_destroy),
      sweep_(kernel("jacobi_sweeps", {{"rhs_array", 1}, {"depth", 1}})),
      norm_(kernel("residual_norm", {})) {
  const double h = 1.0 / static_cast<double>(n_ + 1);
  const double weight = 1.0 / (4.0 / (h * h));
  const std::int64_t columns = blocks_of(n_, block_columns);
  const std::vector<double> none;
  arrays_.push_back(field(none));
  arrays_.push_back(field(none));
  arrays_.push_back(field(problem.f));
  arrays_.push_back(array(&weight, sizeof weight));
  const std::vector<double> sums(static_cast<std::size_t>(2 * columns * blocks_of(n_, block_rows)));
  arrays_.push_back(array(sums.data(), sums.size() * sizeof(double), columns));
  const std::vector<double> rows(static_cast<std::size_t>(iterations_));
  arrays_.push_back(array(rows.data(), rows.size() * sizeof(double)));
  constexpr std::array<std::int64_t, 2> running{0, 0};
  arrays_.push_back(array(running.data(), sizeof running));
}

DirectRun::Array DirectRun::array(const void* values, std::uint64_t bytes, std::int64_t pitch) {
  quoin_memory* memory = nullptr;
  call(table_->memory_create, executor_.get(), bytes, static_cast<std::int32_t>(MemoryKind::device), &memory);
  Array result{{memory, table_->memory_destroy}, 0, pitch};
  call(table_->copy_in, queue_.get(), memory, std::uint64_t{0}, values, bytes);
  return result;
}

DirectRun::Array DirectRun::field(const std::vector<double>& values) {
  quoin_layout layout{};
  layout.size = sizeof layout;
  if (lays_out_ && table_->layout != nullptr) {
    const quoin_field_spec spec{sizeof(quoin_field_spec), sizeof(double), {n_, n_, 1}, 1};
    call(table_->layout, executor_.get(), &spec, &layout);
  } else {
    const Layout own = default_layout({{n_, n_, 1}, sizeof(double), 1});
    layout = {sizeof layout, 0, own.ghost, own.pitch, own.origin, own.bytes};
  }
  std::vector<double> whole(layout.bytes / sizeof(double));
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto n = static_cast<std::size_t>(n_);
    const auto row = static_cast<std::int64_t>(k / n);
    whole[static_cast<std::size_t>(layout.origin + row * layout.pitch) + k % n] = values[k];
  }
  Array result = array(whole.data(), layout.bytes, layout.pitch);
  result.offset = static_cast<std::uint64_t>(layout.origin) * sizeof(double);
  return result;
}

DirectRun::Handle<quoin_kernel> DirectRun::kernel(const char* name, const std::vector<quoin_constant>& constants) {
  const quoin_kernel_spec spec{sizeof(quoin_kernel_spec), static_cast<std::int32_t>(Precision::float64), name,
                               constants.data(), constants.size()};
  quoin_kernel* kernel = nullptr;
  call(table_->kernel_create, executor_.get(), &spec, &kernel);
  return {kernel, table_->kernel_destroy};
}

double DirectRun::iterate() {
  const double h = 1.0 / static_cast<double>(n_ + 1);
  const double near = 1.0 / (h * h);
  const auto blocks = arrays_[partials].pitch * blocks_of(n_, block_rows);
  const auto of = [&](Which which) {
    const Array& a = arrays_[which];
    return buffer(a.memory.get(), a.offset, a.pitch);
  };
  std::array<quoin_argument, 13> sweep{of(even),   of(rhs),          of(odd),     of(partials), real(near),
                                       real(near), real(4.0 * near), of(weights), real(0.0),    integer(1),
                                       integer(0), integer(0),       of(control)};
  std::array<quoin_argument, 9> norm{of(partials), of(norms), integer(0), integer(1), integer(1),
                                     real(h * h),  real(1.0), real(-1.0), of(control)};
  norm[0].pitch = blocks;  // one iteration's sums are one row
  const quoin_box nodes = plane(n_, n_);

  call(table_->synchronize, queue_.get());
  const auto begin = std::chrono::steady_clock::now();
  for (std::int64_t k = 0; k < iterations_; k += 2) {  // as a run does it: one launch for the norms of two
    const std::int64_t sweeps = std::min<std::int64_t>(2, iterations_ - k);
    for (std::int64_t s = 0; s < sweeps; ++s) {
      sweep[3].offset = static_cast<std::uint64_t>(s * blocks) * sizeof(double);
      call(table_->launch, sweep_.get(), queue_.get(), &nodes, sweep.data(), std::uint64_t{sweep.size()});
      std::swap(sweep[0], sweep[2]);
    }
    const quoin_box sums = plane(blocks, sweeps);
    norm[2].integer_value = k;
    norm[3].integer_value = k + 1;
    call(table_->launch, norm_.get(), queue_.get(), &sums, norm.data(), std::uint64_t{norm.size()});
  }
  call(table_->synchronize, queue_.get());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double DirectRun::residual() {
  double value = NAN;
  const std::uint64_t offset = static_cast<std::uint64_t>(iterations_ - 1) * sizeof value;
  call(table_->copy_out, queue_.get(), static_cast<void*>(&value), arrays_[norms].memory.get(), offset,
       std::uint64_t{sizeof value});
  return value;
}

}  // namespace quoin::bench
