#include "problems/dgcvs/scheme/device_level.hpp"

#include <algorithm>
#include <utility>

#include "device/upload.hpp"
#include "problems/dgcvs/scheme/matrices.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/precision.hpp"

namespace quoin {
namespace {

Box lanes_box(std::int64_t first, std::int64_t last) { return {{first, 0, 0}, {last, 1, 1}, {0, 0, 0}}; }

KernelSpec spec_of(const std::string& kernel, const DgSetup& setup) {
  return {kernel,
          setup.method.precision,
          {{"law", static_cast<std::int64_t>(setup.law.law())}, {"order", setup.method.order}}};
}

}  // namespace

std::vector<KernelSpec> level_kernels(const DgSetup& setup) {
  const DgMethod& method = setup.method;
  bool inside = false;
  bool boundary = false;
  for (const Entities* entities : {&setup.staggered.cells, &setup.staggered.vertices}) {
    const EntityPart all = all_of(*entities, method.entities);
    inside |= all.inside.count() > 0;
    boundary |= all.boundary.count() > 0;
  }
  std::vector<KernelSpec> specs;
  if (inside && setup.solver == Solver::matrices) specs.push_back(spec_of("dgcvs_linear", setup));
  if (boundary || setup.solver != Solver::matrices) specs.push_back(spec_of("dgcvs_update", setup));
  if (setup.solver == Solver::newton) specs.push_back(spec_of("dgcvs_newton", setup));
  if (setup.limiter != Limiter::none) specs.push_back(spec_of("dgcvs_limit", setup));
  for (const char* name : {"dgcvs_observe", "sum"}) specs.push_back({name, method.precision, {}});
  return specs;
}

DeviceLevel::DeviceLevel(const std::shared_ptr<Executor>& executor, const DgSetup& setup, EntityKind kind, Queue& queue,
                         KernelTimer& timer, const Partition& partition, Communicator& ranks,
                         std::optional<LevelArrays> arrays)
    : executor_(executor),
      setup_(setup),
      kind_(kind),
      partition_(partition),
      ranks_(ranks),
      arrays_(arrays ? *std::move(arrays) : LevelArrays(setup, kind, partition, ranks.rank())),
      all_(all_of(entities_of(setup.staggered, kind), setup.method.entities)),
      ghosts_(executor, arrays_.lanes, setup.values(), setup.method.precision),
      outside_states_(setup, arrays_, kind) {
  const std::size_t size = element_size(setup.method.precision);
  const EntityLanes& lanes = arrays_.lanes;
  own_ = cleared(executor, queue, static_cast<std::size_t>(setup.values() * lanes.stride) * size);
  if (setup.rhs_values() > 0)
    rhs_ = Buffer<std::byte>(executor, static_cast<std::size_t>(setup.rhs_values() * lanes.stride) * size);
  neighbour_ = integers(queue, arrays_.neighbour);
  geometry_ = reals(queue, arrays_.geometry);
  region_ = reals(queue, arrays_.region);
  factor_ = reals(queue, arrays_.factor);
  moments_ = reals(queue, arrays_.moments);
  length_ = reals(queue, arrays_.length);
  law_ = reals(queue, setup.law.parameters());
  bed_ = reals(queue, arrays_.bed);
  bed_slope_ = reals(queue, arrays_.bed_slope);
  face_bed_ = reals(queue, arrays_.face_bed);
  observed_ = cleared(executor, queue, 2 * static_cast<std::size_t>(lanes.stride) * size);

  const bool has_inside = lanes.has_inside();
  const bool has_boundary = lanes.has_boundary();
  const std::string name = name_of(kind);
  if (setup.together) {
    add_updates(timer, arrays_.face_stride > 0 ? Reach::all : Reach::inside, lanes_box(0, lanes.first_ghost));
  } else {
    if (has_inside) add_updates(timer, Reach::inside, lanes_box(0, lanes.first_boundary));
    if (has_boundary) add_updates(timer, Reach::boundary, lanes_box(lanes.first_boundary, lanes.first_ghost));
  }
  if (arrays_.face_stride > 0) {
    face_lane_ = integers(queue, arrays_.face_lane);
    sequence_ = integers(queue, arrays_.sequence);
    behind_ = integers(queue, arrays_.behind);
    face_ = reals(queue, arrays_.face);
    if (outside_states_.uses_time()) {
      constexpr std::size_t max_bytes = std::size_t{64} << 20U;
      const std::size_t step_bytes = std::max<std::size_t>(1, outside_states_.size() * size);
      max_steps_ = static_cast<std::int64_t>(std::clamp<std::size_t>(max_bytes / step_bytes, 1, 1024));
      outside_ = Buffer<std::byte>(executor, step_bytes * static_cast<std::size_t>(max_steps_));
    } else {
      outside_ = reals(queue, outside_states_.table(0, 1, Pace{}));
    }
  }
  if (setup.limiter != Limiter::none) {
    threshold_ = reals(queue, limiter_thresholds(setup, arrays_));
    if (has_inside || has_boundary) {
      const KernelSpec spec = spec_of("dgcvs_limit", setup);
      const Box box = lanes_box(0, lanes.first_ghost);
      limit_.emplace(
          *executor, spec, box, timer, name + ", limiter",
          dgcvs_limit_cost(variant_of(spec), {.slots = arrays_.slots, .sweeps = 0}, static_cast<double>(box.points())));
    }
  }
  split_inside();
  if (kind == EntityKind::vertices) return;  // one level is enough to look at
  const KernelSpec observe{"dgcvs_observe", setup.method.precision, {}};
  const auto add_observe = [&](std::int64_t first, const EntityRange& range, const std::string& row) {
    observes_.push_back({TimedKernel(*executor, observe, Box::line(range.count()), timer, row), first});
  };
  if (has_inside) add_observe(0, lanes.part.inside, "observe");
  if (has_boundary)
    add_observe(lanes.first_boundary, lanes.part.boundary, has_inside ? "observe " + name + ", boundary" : "observe");
  if (ranks.size() == 1) {
    sum_.emplace(*executor, KernelSpec{"sum", setup.method.precision, {}}, Box::plane(lanes.stride, 2), timer);
    return;
  }
  const auto groups = [&](const EntityRange& range, std::int64_t first) {
    return TreeGroups(executor, setup.method.precision, first, range.count(), 1);
  };
  const EntityRange& boundary = lanes.part.boundary;
  inside_sums_ = groups(lanes.part.inside, lanes.part.inside.first);
  boundary_sums_ = groups(boundary, all_.first_boundary + boundary.first - all_.part.boundary.first);
}

void DeviceLevel::set_half_step(Queue& queue, double tau) {
  if (arrays_.lanes.has_inside() && setup_.solver == Solver::matrices)
    matrices_ = reals(queue, shared_matrices(setup_, kind_, arrays_.slots, tau));
}

void DeviceLevel::add_updates(KernelTimer& timer, Reach reach, const Box& box) {
  const DgMethod& method = setup_.method;
  const bool boundary = reach == Reach::boundary;
  const auto with_faces = reach == Reach::all ? std::ranges::count_if(arrays_.face_lane, [](auto l) { return l >= 0; })
                                              : (boundary ? box.points() : 0);
  const auto add = [&](const std::string& kernel, int parts, const std::string& loop) {
    const KernelSpec spec = spec_of(kernel, setup_);
    const std::string row = name_of(kind_) + (boundary ? ", boundary" : "") + loop;
    const Variant variant = variant_of(spec);
    const Cost of_boundary = cost_of(variant, true, parts, with_faces);
    const Cost of_others = cost_of(variant, false, parts, box.points() - with_faces);
    const Cost cost{of_others.bytes + of_boundary.bytes, of_others.flops + of_boundary.flops};
    updates_.push_back({TimedKernel(*executor_, spec, box, timer, row, cost), reach, variant.id, parts});
  };
  if (setup_.solver == Solver::matrices && !boundary) return add("dgcvs_linear", 0, "");
  const bool newton = setup_.solver == Solver::newton && !implicit(boundary);
  if (method.split) {
    add("dgcvs_update", dgcvs_lateral, ", lateral loop");
    add("dgcvs_update", dgcvs_bottom, ", sub-quad loop");
  }
  const int loops = method.split ? 0 : dgcvs_lateral | dgcvs_bottom;
  if (newton) {
    add("dgcvs_update", loops | dgcvs_join, ", right-hand side");
    add("dgcvs_newton", 0, ", Newton");
  } else {
    add("dgcvs_update", loops | dgcvs_join | dgcvs_solve, method.split ? ", entity loop" : "");
  }
}

Cost DeviceLevel::cost_of(const Variant& variant, bool boundary, int parts, std::int64_t entities) const {
  const DgWork work = work_of(variant.id, boundary);
  const auto count = static_cast<double>(entities);
  return variant.id == KernelId::dgcvs_linear   ? dgcvs_linear_cost(variant, work, count)
         : variant.id == KernelId::dgcvs_newton ? dgcvs_newton_cost(variant, work, count)
                                                : dgcvs_update_cost(variant, work, parts, count);
}

/// What a launch does for each entity, but for the first one of sweeps from the mean.
DgWork DeviceLevel::work_of(KernelId kernel, bool boundary) const {
  DgWork work{.slots = arrays_.slots,
              .sweeps = setup_.sweeps(),
              .faces = boundary ? arrays_.faces : 0,
              .implicit = implicit(boundary),
              .shared = !boundary && arrays_.shape_mask >= 0,
              .whole = arrays_.whole};
  if (work.implicit) work.sweeps = setup_.boundary_sweeps();
  if (kernel == KernelId::dgcvs_newton) work.sweeps = setup_.newton_iterations();
  return work;
}

Buffer<std::byte> DeviceLevel::reals(Queue& queue, std::span<const double> values) const {
  return uploaded(executor_, queue, in_precision(values, setup_.method.precision));
}

Buffer<std::byte> DeviceLevel::integers(Queue& queue, std::span<const std::int64_t> values) const {
  return uploaded(executor_, queue, std::as_bytes(values));
}

}  // namespace quoin
