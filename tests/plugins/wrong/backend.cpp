// A backend with one deliberate mistake, chosen by its key `mistake`: conformance has to find each.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kernels/launchers.hpp"
#include "quoin/host_memory.hpp"
#include "quoin/plugin.hpp"
#include "quoin/reference.hpp"

namespace {

using quoin::KernelId;
using quoin::kernels::qn_index;
using quoin::kernels::Range;
using quoin::kernels::Resolved;
using quoin::kernels::View;

std::string mistake;

/// A field with so many rows beside a box, of its own.
template <class T>
struct Copy {
  Copy(const View<const T>& from, const Range& box, qn_index beside)
      : values(static_cast<std::size_t>((box.i1 - box.i0 + 2) * (box.j1 - box.j0 + 2 * beside))) {
    const qn_index pitch = box.i1 - box.i0 + 2;
    view = {values.data() + (beside - box.j0) * pitch + 1 - box.i0, pitch};
    for (qn_index j = box.j0 - beside; j < box.j1 + beside; ++j)
      for (qn_index i = box.i0 - 1; i <= box.i1; ++i) *view.at(i, j) = *from.at(i, j);
  }
  void write(const View<T>& to, const Range& box) const {
    for (qn_index j = box.j0; j < box.j1; ++j)
      for (qn_index i = box.i0; i < box.i1; ++i) *to.at(i, j) = *view.at(i, j);
  }

  std::vector<T> values;
  View<T> view;
};

struct WrongSkeleton {
  static bool stopped(const qn_index* control) { return mistake != "control" && control != nullptr && control[0] != 0; }

  template <class T, class Point>
  void map(const Range& range, const qn_index* control, const Point& point) const {
    if (stopped(control)) return;
    qn_index last = range.i1 + (mistake == "outside" ? 1 : 0);
    if constexpr (
        requires { point.columns; } || requires { point.a.columns; } || requires { point.a.at; })
      last = range.i1;  // beyond it tables hold anything
    for (qn_index j = range.j0; j < range.j1; ++j) {
      for (qn_index i = range.i0; i < last; ++i) point.template at<T>(i, j);
    }
  }

  template <class T, class Point>
  void map_blocks(const Range& range, View<T> partials, const qn_index* control, const Point& point) const {
    if (stopped(control)) return;
    for (qn_index j = range.j0; j < range.j1; j += quoin::block_rows) {
      for (qn_index i = range.i0; i < range.i1; i += quoin::block_columns) {
        T pairs[quoin::block_columns / 2] = {};
        T in_a_row = 0;
        for (qn_index row = j; row < std::min(j + quoin::block_rows, range.j1); ++row) {
          for (qn_index column = i; column < std::min(i + quoin::block_columns, range.i1); column += 2) {
            const T low = point.template at<T>(column, row);
            const T high = column + 1 < range.i1 ? point.template at<T>(column + 1, row) : T(0);
            pairs[(column - i) / 2] += low + high;
            in_a_row = in_a_row + low + high;
          }
        }
        *partials.at((i - range.i0) / quoin::block_columns, (j - range.j0) / quoin::block_rows) =
            mistake == "order" ? in_a_row : quoin::kernels::Bodies<T, T>::tree_across(pairs);
      }
    }
  }

  /// One sweep after the other, between fields of its own.
  template <class T, bool RhsArray>
  void sweep(const quoin::kernels::SweepPass<T, RhsArray>& pass, const qn_index* control) const {
    if (stopped(control)) return;
    const Range& box = pass.box;
    const qn_index bottom = box.j0 - pass.below;
    const qn_index top = box.j1 + pass.above;
    const Range nodes{box.i0, box.i1, bottom, top};
    Copy<T> fields[2] = {{pass.u, nodes, 1}, {pass.u, nodes, 1}};
    for (qn_index s = 0; s < pass.count; ++s) {
      quoin::kernels::SweepPass<T, RhsArray> one = pass;
      one.u = {fields[s % 2].view.origin, fields[s % 2].view.pitch};
      one.u_new = fields[(s + 1) % 2].view;
      one.weights += mistake == "weights" ? 0 : s;
      const qn_index plane = mistake == "planes" ? 0 : s * pass.plane();
      map_blocks(box, View<T>{pass.partials.origin + plane, pass.partials.pitch}, nullptr,
                 quoin::kernels::SweepPoint<T, RhsArray>{one});
      for (qn_index j = bottom; j < top && mistake != "beyond"; ++j)
        for (qn_index i = box.i0; i < box.i1 && (j < box.j0 || j >= box.j1); ++i)
          quoin::kernels::SweepPoint<T, RhsArray>{one}.template at<T>(i, j);
    }
    fields[pass.count % 2].write(pass.u_new, box);
  }

  template <class Pass>
  void sweep_rows(const Pass& pass, const qn_index* control) const {
    if (stopped(control)) return;
    using T = typename Pass::Element;
    const Range& box = pass.box;
    Copy<T> fields[2] = {{pass.u, box, pass.plane}, {pass.u, box, pass.plane}};
    for (qn_index s = 0; s < pass.count; ++s) {
      const View<T>& from = fields[s % 2].view;
      const T weight = pass.weights[mistake == "weights" ? 0 : s];
      const qn_index sums = mistake == "planes" ? 0 : s * pass.sums();
      map_blocks(box, View<T>{pass.partials.origin + sums, pass.partials.pitch}, nullptr,
                 single(pass, from, fields[(s + 1) % 2].view, weight));
    }
    fields[pass.count % 2].write(pass.u_new, box);
  }
  /// A sweep of a pass.
  template <class T>
  static auto single(const quoin::kernels::CubePass<T>& p, const View<T>& from, const View<T>& to, T weight) {
    return quoin::kernels::cube_sweep_call<T>{{p.box, from.origin, from.pitch, p.f.origin, p.f.pitch, to.origin,
                                               to.pitch, nullptr, 0, p.inside, 0, p.plane, p.a, p.b, p.c, p.diagonal,
                                               weight}};
  }
  template <class T>
  static auto single(const quoin::kernels::FlowPass<T, true>& p, const View<T>& from, const View<T>& to, T weight) {
    return quoin::kernels::cube_flow_sweep_call<T>{
        {p.box,      from.origin, from.pitch, p.f.origin,    p.f.pitch,    p.kx.origin, p.kx.pitch, p.ky.origin,
         p.ky.pitch, p.kz.origin, p.kz.pitch, p.sink.origin, p.sink.pitch, to.origin,   to.pitch,   nullptr,
         0,          p.inside,    0,          p.plane,       weight}};
  }
  template <class T>
  static auto single(const quoin::kernels::FlowPass<T, false>& p, const View<T>& from, const View<T>& to, T weight) {
    return quoin::kernels::diffusion_sweep_call<T>{{p.box, from.origin, from.pitch, p.f.origin, p.f.pitch, p.kx.origin,
                                                    p.kx.pitch, p.ky.origin, p.ky.pitch, p.sink.origin, p.sink.pitch,
                                                    to.origin, to.pitch, nullptr, 0, weight}};
  }

  template <class T, class Point>
  void reduce(const Range& range, View<const T> lists, const Point& point) const {
    if (mistake != "control" && point.stopped()) return;
    const qn_index count = range.i1 - range.i0;
    for (qn_index j = range.j0; j < range.j1; ++j) {
      const T* const values = lists.at(range.i0, j);
      T sum = 0;
      for (qn_index k = 0; k < count; ++k) sum += values[k];
      point(j - range.j0, mistake == "tree" ? sum : quoin::kernels::Bodies<T, T>::tree_sum(values, count));
    }
  }
};

template <class T>
double next_real(double value) {
  return static_cast<double>(std::nextafter(static_cast<T>(value), std::numeric_limits<T>::infinity()));
}

/// An update of entities takes its mistakes from wrong arguments.
template <class T>
void update(const quoin::Variant& variant, const Range& box, Resolved* arguments) {
  using at = quoin::dgcvs_update_index;
  std::vector<qn_index> stale, changed;
  const auto change = [&](int argument) {  // a copy of a list of entities
    const auto* given = static_cast<const qn_index*>(arguments[argument].data);
    changed.assign(given, given + box.i1);
    arguments[argument].data = changed.data();
  };
  if (mistake == "sweeps") ++arguments[at::sweeps].integer;
  if (mistake == "start") arguments[at::from_mean].integer = 0;
  if (mistake == "boundary") arguments[at::implicit].integer = 0;
  if (mistake == "shape" && arguments[at::shape_mask].integer > 0) arguments[at::shape_mask].integer /= 2;
  if (mistake == "region") arguments[at::whole].integer = 0;
  if (mistake == "bed" && arguments[at::bed].data != nullptr) arguments[at::bed].pitch = 0;
  if (mistake == "step") arguments[at::tau].real = next_real<T>(arguments[at::tau].real);
  if (mistake == "parts" && arguments[at::parts].integer == quoin::dgcvs_lateral)
    arguments[at::parts].integer = quoin::dgcvs_bottom;
  if (mistake == "stale") {  // the last slot still has the neighbours of the one before
    const qn_index pitch = arguments[0].pitch;
    const auto* given = static_cast<const qn_index*>(arguments[at::neighbour].data);
    const qn_index last = arguments[at::slots].integer - 1;
    stale.assign(given, given + last * pitch + box.i1);
    for (qn_index e = box.i0; e < box.i1; ++e)
      stale[static_cast<std::size_t>(last * pitch + e)] = given[(last - 1) * pitch + e];
    arguments[at::neighbour].data = stale.data();
  }
  if (mistake == "predicated" && (arguments[at::remapping].integer & quoin::dgcvs_by_face_lane) != 0) {
    change(at::face_lane);  // those without faces take unused ones
    for (qn_index& lane : changed) lane = lane < 0 ? -1 - lane : lane;
  }
  if (mistake == "twice" && (arguments[at::remapping].integer & quoin::dgcvs_by_sequence) != 0) {
    change(at::sequence);
    changed.back() = changed[static_cast<std::size_t>(box.i0)];
  }
  quoin::run_reference(variant, box, arguments);
}

template <class T>
void run(const quoin::Variant& variant, const Range& box, const Resolved* given) {
  const KernelId id = variant.id;
  Resolved arguments[QUOIN_MOST_ARGUMENTS];
  std::copy_n(given, quoin::entry_of(id).arguments.size(), arguments);
  if (mistake == "operator" && id == KernelId::jacobi_laplacian) arguments[3].real = next_real<T>(arguments[3].real);
  if (mistake == "weight" && id == KernelId::jacobi_update) arguments[4].real = next_real<T>(arguments[4].real);
  if (mistake == "tolerance" && id == KernelId::residual_norm) arguments[7].real = next_real<T>(arguments[7].real);
  if (mistake == "slot" && id == KernelId::residual_norm) arguments[2].integer = 0;
  if (mistake == "every" && id == KernelId::residual_norm) arguments[4].integer = 1;
  if (mistake == "slot" && id == KernelId::sum) arguments[2].integer = 0;
  if (mistake == "spatial" && id == KernelId::dgcvs_observe) --arguments[5].integer;
  if (mistake == "input" && id == KernelId::stream_triad) static_cast<T*>(arguments[0].data)[0] = 0;
  if (mistake == "matrix" && id == KernelId::dgcvs_linear) arguments[3].data = static_cast<T*>(arguments[3].data) + 1;
  if (mistake == "mean" && id == KernelId::jacobi_restrict && arguments[8].integer > 1) --arguments[8].integer;
  if (mistake == "share" && id == KernelId::jacobi_prolong) arguments[3].data = static_cast<T*>(arguments[3].data) + 1;
  if (mistake == "share" && id == KernelId::cube_prolong) arguments[6].data = static_cast<T*>(arguments[6].data) + 1;
  if (mistake == "plane" && id == KernelId::cube_laplacian) --arguments[3].integer;
  if (mistake == "entry" && id == KernelId::csr_segments) arguments[2].data = static_cast<T*>(arguments[2].data) + 1;
  if (mistake == "row" && id == KernelId::row_join) arguments[3].data = static_cast<T*>(arguments[3].data) + 1;
  if (mistake == "known" && id == KernelId::ilu_sweep) arguments[4].data = static_cast<T*>(arguments[4].data) + 1;
  if (mistake == "level" && id == KernelId::ilu_level) arguments[4].data = static_cast<T*>(arguments[4].data) + 1;
  if (mistake == "lost" && (id == KernelId::memory_atomic_add || id == KernelId::memory_shared_add))
    --arguments[2].integer;
  if (mistake == "newton" && id == KernelId::dgcvs_newton) arguments[quoin::dgcvs_newton_index::sweeps].integer = 1;
  if (mistake == "limiter" && id == KernelId::dgcvs_limit) --arguments[quoin::dgcvs_limit_index::slots].integer;
  if (id == KernelId::dgcvs_update) return update<T>(variant, box, arguments);
  if (quoin::over_entities(id)) return quoin::run_reference(variant, box, arguments);
  quoin::kernels::Launcher<T, WrongSkeleton>::launch({}, variant, box, arguments);
  if (mistake == "first" && id == KernelId::residual_norm) {  // the last that stops instead
    auto* control = static_cast<qn_index*>(arguments[8].data);
    if (control[0] >= arguments[3].integer) control[0] = arguments[3].integer + box.j1 - box.j0 - 1;
  }
}

void launch(const quoin::Variant& variant, const Range& box, const Resolved* arguments) {
  variant.precision == quoin::Precision::float64 ? run<double>(variant, box, arguments)
                                                 : run<float>(variant, box, arguments);
}

/// Copies when it is next asked for something, from a source that may have changed by then.
class LateQueue : public quoin::HostQueue {
 public:
  void copy_in(quoin::Memory& target, std::size_t offset, std::span<const std::byte> source) override {
    flush();
    late_ = [this, &target, offset, source] { HostQueue::copy_in(target, offset, source); };
  }
  void copy_out(std::span<std::byte> target, const quoin::Memory& source, std::size_t offset) override {
    flush();
    HostQueue::copy_out(target, source, offset);
  }
  std::byte* map(quoin::Memory& memory, std::size_t offset, std::size_t bytes) override {
    flush();
    return HostQueue::map(memory, offset, bytes);
  }
  void synchronize() override { flush(); }
  void flush() {
    if (late_) std::exchange(late_, nullptr)();
  }

 private:
  std::function<void()> late_;
};

class WrongKernel : public quoin::HostKernel {
 public:
  using HostKernel::HostKernel;
  void launch(quoin::Queue& queue, const quoin::Box& box, std::span<const quoin::Argument> arguments) override {
    if (mistake == "copy") static_cast<LateQueue&>(queue).flush();
    HostKernel::launch(queue, box, arguments);
  }
};

/// Checking the half steps of DG-CVS takes long: only what makes a mistake in one offers it, or makes none at all.
bool worth_checking(const std::string& kernel) {
  static const std::map<std::string, std::string> mistakes{
      {"sweeps", "dgcvs_update"},     {"start", "dgcvs_update"}, {"boundary", "dgcvs_update"},
      {"step", "dgcvs_update"},       {"bed", "dgcvs_update"},   {"stale", "dgcvs_update"},
      {"parts", "dgcvs_update"},      {"shape", "dgcvs_update"}, {"region", "dgcvs_update"},
      {"predicated", "dgcvs_update"}, {"twice", "dgcvs_update"}, {"newton", "dgcvs_newton"},
      {"matrix", "dgcvs_linear"},     {"limiter", "dgcvs_limit"}};
  const auto found = mistakes.find(mistake);
  const quoin::CatalogueEntry* entry = quoin::find_kernel(kernel);
  return mistake == "none" || entry == nullptr || !quoin::over_entities(entry->id) ||
         (found != mistakes.end() && found->second == kernel);
}

struct WrongMemory : quoin::HostMemory {
  using HostMemory::HostMemory;
  [[nodiscard]] std::byte* on_host() override {
    if (mistake == "apart") apart.resize(bytes());
    return mistake == "apart" ? apart.data() : data() + (mistake == "host" ? 1 : 0);
  }
  std::vector<std::byte> apart;  // what the host has, where kernels have other bytes
};

/// Copies to and from what the host has as well.
class ApartQueue : public quoin::HostQueue {
 public:
  void copy_in(quoin::Memory& target, std::size_t offset, std::span<const std::byte> bytes) override {
    HostQueue::copy_in(target, offset, bytes);
    auto& apart = static_cast<WrongMemory&>(target).apart;
    if (!apart.empty()) std::ranges::copy(bytes, apart.begin() + static_cast<std::ptrdiff_t>(offset));
  }
  void copy_out(std::span<std::byte> target, const quoin::Memory& source, std::size_t offset) override {
    HostQueue::copy_out(target, source, offset);
    const auto& apart = static_cast<const WrongMemory&>(source).apart;
    if (!apart.empty()) std::copy_n(apart.begin() + static_cast<std::ptrdiff_t>(offset), target.size(), target.begin());
  }
};

/// Lends a copy, and forgets what the host does with it.
class ForgetfulQueue : public quoin::HostQueue {
 public:
  std::byte* map(quoin::Memory& memory, std::size_t offset, std::size_t bytes) override {
    const std::byte* const there = HostQueue::map(memory, offset, bytes);
    lent_.assign(there, there + bytes);
    return lent_.data();
  }

 private:
  std::vector<std::byte> lent_;
};

/// Runs a sequence once.
class SpentQueue : public quoin::HostQueue {
 public:
  SpentQueue() : HostQueue(true) {}
  void run_sequence(quoin::Sequence& sequence) override {
    HostQueue::run_sequence(sequence);
    static_cast<quoin::HostSequence&>(sequence).launches.clear();
  }
};

class WrongExecutor : public quoin::HostExecutor {
 public:
  using HostExecutor::HostExecutor;
  std::unique_ptr<quoin::Memory> allocate(std::size_t bytes, quoin::MemoryKind kind) override {
    return std::make_unique<WrongMemory>(bytes, kind);
  }
  [[nodiscard]] bool supports(const quoin::KernelSpec& spec) const override {
    if (mistake == "promises" && quoin::find_kernel(spec.name) == nullptr) return true;
    return worth_checking(spec.name) && HostExecutor::supports(spec);
  }
  [[nodiscard]] quoin::Layout layout(const quoin::FieldSpec& spec) const override {
    quoin::Layout layout = HostExecutor::layout(spec);
    if (mistake == "layout" && spec.ghost == 8) layout.bytes -= spec.element_bytes * 8;
    return layout;
  }
  std::unique_ptr<quoin::Queue> queue() override {
    if (mistake == "copy") return std::make_unique<LateQueue>();
    if (mistake == "apart") return std::make_unique<ApartQueue>();
    if (mistake == "map") return std::make_unique<ForgetfulQueue>();
    if (mistake == "sequence") return std::make_unique<SpentQueue>();
    return HostExecutor::queue();
  }
  std::unique_ptr<quoin::Kernel> kernel(const quoin::KernelSpec& spec) override {
    if (quoin::find_kernel(spec.name) == nullptr)
      throw quoin::Error(quoin::ErrorKind::device, "no kernel named '" + spec.name + "'");
    return std::make_unique<WrongKernel>(spec, launch);
  }
};

class WrongBackend : public quoin::Backend {
 public:
  std::vector<quoin::DeviceInfo> devices() override { return {quoin::host_device("deliberate mistakes")}; }
  std::unique_ptr<quoin::Executor> executor(int device, const quoin::Options& options) override {
    const auto found = options.find("mistake");
    const auto tuned = options.find("tuned");
    mistake = tuned != options.end() ? tuned->second : found == options.end() ? "none" : found->second;
    return std::make_unique<WrongExecutor>(devices().at(static_cast<std::size_t>(device)), launch, 2, 2);
  }
};

}  // namespace

QUOIN_BACKEND(WrongBackend, "wrong", "1.0.0",
              R"([{"key":"mistake","type":"text","default":"none","meaning":"the mistake to make"},
                  {"key":"tuned","type":"choice","choices":["none","order"],"tune":["none","order"],
                   "meaning":"a mistake in place of the other"}])")
