#include "problems/dgcvs/device_level.hpp"

#include <algorithm>
#include <array>

#include "device/precision.hpp"
#include "device/upload.hpp"
#include "problems/dgcvs/basis.hpp"
#include "problems/dgcvs/matrices.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

std::string name_of(EntityKind kind) { return kind == EntityKind::cells ? "cells" : "vertices"; }

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
    const Lanes lanes(*entities, method.entities);
    inside |= lanes.inside > 0;
    boundary |= lanes.stride > lanes.first_boundary;
  }
  std::vector<KernelSpec> specs;
  if (inside && method.solver == Solver::matrices) specs.push_back(spec_of("dgcvs_linear", setup));
  if (boundary || method.solver != Solver::matrices) specs.push_back(spec_of("dgcvs_update", setup));
  if (method.solver == Solver::newton) specs.push_back(spec_of("dgcvs_newton", setup));
  if (setup.limiter != Limiter::none) specs.push_back(spec_of("dgcvs_limit", setup));
  for (const char* name : {"dgcvs_observe", "sum"}) specs.push_back({name, method.precision, {}});
  return specs;
}

DeviceLevel::DeviceLevel(const std::shared_ptr<Executor>& executor, const DgSetup& setup, EntityKind kind, double tau,
                         Queue& queue, KernelTimer& timer)
    : executor_(executor),
      setup_(setup),
      kind_(kind),
      arrays_(setup, kind),
      outside_states_(setup, arrays_, kind),
      has_inside_(arrays_.lanes.inside > 0) {
  const std::size_t size = element_size(setup.method.precision);
  const Lanes& lanes = arrays_.lanes;
  own_ = Buffer<std::byte>(executor, static_cast<std::size_t>(setup.unknowns() * lanes.stride) * size);
  own_.upload(queue, std::vector<std::byte>(own_.size()));
  if (setup.rhs_values() > 0)
    rhs_ = Buffer<std::byte>(executor, static_cast<std::size_t>(setup.rhs_values() * lanes.stride) * size);
  neighbour_ = integers(queue, arrays_.neighbour);
  geometry_ = reals(queue, arrays_.geometry);
  factor_ = reals(queue, arrays_.factor);
  moments_ = reals(queue, arrays_.moments);
  length_ = reals(queue, arrays_.length);
  law_ = reals(queue, setup.law.parameters());
  mass_ = reals(queue, std::vector<double>(static_cast<std::size_t>(lanes.stride), 0.0));
  square_ = reals(queue, std::vector<double>(static_cast<std::size_t>(lanes.stride), 0.0));

  const bool has_boundary = lanes.stride > lanes.first_boundary;
  const std::string name = name_of(kind);
  if (has_inside_ && setup.method.solver == Solver::matrices) {
    if (!inside_is_congruent(arrays_))
      throw setup.the_case().error_at("method.solver", "the inner " + name +
                                                           " are not congruent, so that they cannot "
                                                           "share matrices; use solver: sweeps");
    matrices_ = reals(queue, shared_matrices(setup, arrays_, tau));
  }
  if (has_inside_) add_updates(timer, false);
  if (has_boundary) {
    add_updates(timer, true);
    behind_ = integers(queue, arrays_.behind);
    face_ = reals(queue, arrays_.face);
    if (outside_states_.uses_time()) {
      constexpr std::size_t most_bytes = std::size_t{64} << 20U;
      const std::size_t step_bytes = std::max<std::size_t>(1, outside_states_.size() * size);
      most_steps_ = static_cast<std::int64_t>(std::clamp<std::size_t>(most_bytes / step_bytes, 1, 1024));
      outside_ = Buffer<std::byte>(executor, step_bytes * static_cast<std::size_t>(most_steps_));
    } else {
      outside_ = reals(queue, outside_states_.table(0, 1, Pace{}));
    }
  }
  if (setup.limiter != Limiter::none) {
    threshold_ = reals(queue, limiter_thresholds(setup, arrays_));
    limit_.emplace(*executor, spec_of("dgcvs_limit", setup), lanes_box(0, lanes.stride), timer, name + ", limiter");
  }
  if (kind == EntityKind::vertices) return;  // one level is enough to look at
  const KernelSpec observe{"dgcvs_observe", setup.method.precision, {}};
  if (has_inside_) observes_.emplace_back(*executor, observe, lanes_box(0, lanes.inside), timer, "observe");
  if (has_boundary)
    observes_.emplace_back(*executor, observe,
                           lanes_box(lanes.first_boundary, lanes.first_boundary + lanes.entities - lanes.inside), timer,
                           "observe " + name + ", boundary");
  sum_.emplace(*executor, KernelSpec{"sum", setup.method.precision, {}}, Box::line(lanes.stride), timer);
}

void DeviceLevel::add_updates(KernelTimer& timer, bool boundary) {
  const DgMethod& method = setup_.method;
  const std::int64_t first = boundary ? lanes().first_boundary : 0;
  const Box box = lanes_box(first, boundary ? lanes().stride : lanes().first_boundary);
  const auto add = [&](const std::string& kernel, int parts, const std::string& loop) {
    const KernelSpec spec = spec_of(kernel, setup_);
    const std::string row = name_of(kind_) + (boundary ? ", boundary" : "") + loop;
    const auto entities = static_cast<double>(box.points());
    const auto cost = parts == 0 ? std::nullopt : std::optional(dgcvs_cost(variant_of(spec), parts, entities));
    updates_.push_back({TimedKernel(*executor_, spec, box, timer, row, cost), boundary, variant_of(spec).id, parts});
  };
  if (method.solver == Solver::matrices && !boundary) return add("dgcvs_linear", 0, "");
  const bool newton = method.solver == Solver::newton && !implicit(boundary);
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

Buffer<std::byte> DeviceLevel::reals(Queue& queue, std::span<const double> values) const {
  return uploaded(executor_, queue, in_precision(values, setup_.method.precision));
}

Buffer<std::byte> DeviceLevel::integers(Queue& queue, std::span<const std::int64_t> values) const {
  return uploaded(executor_, queue, std::as_bytes(values));
}

void DeviceLevel::prepare(Queue& queue, std::int64_t first, std::int64_t steps, const Pace& pace) {
  if (!outside_states_.uses_time()) return;
  prepared_from_ = first;
  outside_.upload(queue, in_precision(outside_states_.table(first, steps, pace), setup_.method.precision));
}

void DeviceLevel::update(Queue& queue, DeviceLevel& old, std::int64_t step, double tau, bool from_mean) {
  for (Update& update : updates_) {
    if (update.id == KernelId::dgcvs_linear) {
      launch_linear(queue, update.kernel, old);
    } else {
      launch(queue, update, old, step, tau, from_mean);
    }
  }
  if (limit_) limit(queue, old, tau);
}

void DeviceLevel::launch_linear(Queue& queue, TimedKernel& kernel, DeviceLevel& old) {
  const std::array arguments{rows(own_), old.rows(old.own_), rows(neighbour_), Argument::buffer(matrices_.memory()),
                             Argument::integer(arrays_.slots)};
  kernel.launch(queue, arguments);
}

void DeviceLevel::launch(Queue& queue, Update& update, DeviceLevel& old, std::int64_t step, double tau,
                         bool from_mean) {
  const bool boundary = update.boundary;
  constexpr std::int64_t unprepared = 3;  // a start from the mean is that much further away
  std::int64_t sweeps = setup_.sweeps();
  if (implicit(boundary))
    sweeps = setup_.boundary_sweeps() * (from_mean && setup_.limiter != Limiter::always ? unprepared : 1);
  if (update.id == KernelId::dgcvs_newton) sweeps = setup_.newton_iterations();
  const std::size_t states =
      outside_states_.uses_time() ? static_cast<std::size_t>(step - prepared_from_) * outside_states_.size() : 0;
  const auto faces = [&](Buffer<std::byte>& buffer, std::size_t offset = 0) {
    return boundary ? Argument::buffer(buffer.memory(), offset, arrays_.face_stride) : Argument::absent();
  };
  const std::array arguments{
      rows(own_),
      old.rows(old.own_),
      rows(neighbour_),
      rows(geometry_),
      rows(factor_),
      rows(moments_),
      rows(length_),
      law_argument(),
      faces(behind_),
      faces(face_),
      faces(outside_, states * element_size(setup_.method.precision)),
      Argument::integer(arrays_.slots),
      Argument::integer(boundary ? arrays_.faces : 0),
      Argument::integer(sweeps),
      Argument::integer(from_mean ? 1 : 0),
      Argument::integer(implicit(boundary) ? 1 : 0),
      Argument::real(tau),
      Argument::integer(lanes().first_boundary),
      rhs_.size() > 0 ? rows(rhs_) : Argument::absent(),
      Argument::integer(update.parts),
  };
  update.kernel.launch(queue, arguments);
}

void DeviceLevel::limit(Queue& queue, DeviceLevel& old, double tau) {
  const std::array arguments{rows(own_),         old.rows(old.own_),
                             rows(neighbour_),   rows(geometry_),
                             rows(moments_),     old.rows(old.moments_),
                             rows(length_),      rows(threshold_),
                             law_argument(),     Argument::integer(arrays_.slots),
                             Argument::real(tau)};
  limit_->launch(queue, arguments);
}

Argument DeviceLevel::rows(Buffer<std::byte>& buffer) const {
  return Argument::buffer(buffer.memory(), 0, lanes().stride);
}

Argument DeviceLevel::law_argument() {
  return setup_.law.parameters().empty() ? Argument::absent() : Argument::buffer(law_.memory());
}

void DeviceLevel::observe(Queue& queue, Buffer<std::byte>& sums, std::int64_t slot) {
  const std::array arguments{rows(own_),  rows(moments_), rows(length_),
                             rows(mass_), rows(square_),  Argument::integer(dgcvs_space(setup_.method.order))};
  for (TimedKernel& kernel : observes_) kernel.launch(queue, arguments);
  for (const std::int64_t k : {0, 1}) {
    const std::array list{Argument::buffer((k == 0 ? mass_ : square_).memory()), Argument::buffer(sums.memory()),
                          Argument::integer(2 * slot + k)};
    sum_->launch(queue, list);
  }
}

std::vector<std::byte> DeviceLevel::coefficients(Queue& queue) const {
  std::vector<std::byte> raw(own_.size());
  own_.download(queue, raw);
  return raw;
}

std::vector<double> DeviceLevel::spatial_coefficients(Queue& queue, std::span<const std::int64_t> entities) const {
  // A copy takes as long as some thousand values: what lies nearer than that comes in one.
  constexpr std::int64_t near = 4096;
  const Precision precision = setup_.method.precision;
  const auto space = static_cast<std::size_t>(dgcvs_space(setup_.method.order));
  std::vector<double> values(setup_.law.size() * space * entities.size());
  const auto lane = [&](std::size_t k) { return lanes().of(entities[k]); };
  std::vector<std::byte> raw;
  for (std::size_t first = 0, end = 0; first < entities.size(); first = end) {
    for (end = first + 1; end < entities.size() && lane(end) - lane(end - 1) <= near;) ++end;
    raw.resize(static_cast<std::size_t>(lane(end - 1) - lane(first) + 1) * element_size(precision));
    for (std::size_t row = 0; row < setup_.law.size() * space; ++row) {
      const auto unknown = static_cast<std::int64_t>(row % space) +
                           static_cast<std::int64_t>(row / space) * dgcvs_basis(setup_.method.order);
      own_.download(queue, raw,
                    static_cast<std::size_t>(unknown * lanes().stride + lane(first)) * element_size(precision));
      for (std::size_t k = first; k < end; ++k)
        values[row * entities.size() + k] = value_at(raw, static_cast<std::size_t>(lane(k) - lane(first)), precision);
    }
  }
  return values;
}

std::vector<double> DeviceLevel::at_centres(Queue& queue) const {
  const std::size_t row = static_cast<std::size_t>(lanes().stride) * element_size(setup_.method.precision);
  std::vector<std::byte> raw(setup_.law.size() * row);
  for (std::size_t v = 0; v < setup_.law.size(); ++v)
    own_.download(queue, std::span(raw).subspan(v * row, row),
                  v * static_cast<std::size_t>(dgcvs_basis(setup_.method.order)) * row);
  return from_precision(raw, setup_.method.precision);
}

void DeviceLevel::stretch_time(Queue& queue, double ratio) {
  std::vector<double> values = from_precision(coefficients(queue), setup_.method.precision);
  const std::vector<Member> members = basis_members(setup_.method.order);
  for (std::size_t n = 0; n < static_cast<std::size_t>(setup_.unknowns()); ++n) {
    const auto row = std::span(values).subspan(n * static_cast<std::size_t>(lanes().stride),
                                               static_cast<std::size_t>(lanes().stride));
    for (int k = 0; k < members[n % members.size()].k; ++k)
      for (double& value : row) value *= ratio;
  }
  set_coefficients(queue, in_precision(values, setup_.method.precision));
}

void DeviceLevel::set_coefficients(Queue& queue, std::span<const std::byte> raw) { own_.upload(queue, raw); }

}  // namespace quoin
