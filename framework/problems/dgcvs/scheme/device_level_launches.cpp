#include <algorithm>
#include <array>

#include "base/runs.hpp"
#include "problems/dgcvs/scheme/device_level.hpp"
#include "problems/overlap.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/precision.hpp"
#include "quoin/ranks.hpp"

namespace quoin {

void DeviceLevel::prepare(Queue& queue, std::int64_t first, std::int64_t steps, const Pace& pace) {
  if (!outside_states_.uses_time()) return;
  prepared_from_ = first;
  outside_.upload(queue, in_precision(outside_states_.table(first, steps, pace), setup_.method.precision));
}

void DeviceLevel::look_ahead(std::int64_t first, std::int64_t steps, const Pace& pace) {
  if (outside_states_.uses_time()) outside_states_.look_ahead(first, steps, pace);
}

/// What peers read goes to the host, and on to them, while the device computes the rest.
void DeviceLevel::update(Queue& queue, DeviceLevel& old, std::int64_t step, double tau, bool from_mean) {
  const Launch with{old, step, tau, from_mean};
  const bool beside = !inner_.empty();
  for (Update& update : updates_)
    if (!beside || update.reach != Reach::inside) launch(queue, update, with);
  if (beside)
    for (Update& update : updates_)
      if (update.reach == Reach::inside) launch_beside(queue, update, with, outer_);
  if (limit_) limit(queue, old, tau);
  ghosts_.take(queue, own_);
  if (beside)
    for (Update& update : updates_)
      if (update.reach == Reach::inside) launch(queue, update, with, inner_);
  ghosts_.pass(queue, ranks_, own_);
}

Cost DeviceLevel::update_cost() const {
  Cost all;
  for (const Update& update : updates_) {
    all.bytes += update.kernel.cost().bytes;
    all.flops += update.kernel.cost().flops;
  }
  return all;
}

/// On its own box, or on these, timed as one launch.
void DeviceLevel::launch(Queue& queue, Update& update, const Launch& with, std::span<const Box> boxes) {
  with_arguments(update, with, [&](std::span<const Argument> arguments) {
    if (boxes.empty()) return update.kernel.launch(queue, arguments);
    for (const Box& box : boxes.first(boxes.size() - 1)) update.kernel.launch_beside(queue, box, arguments);
    update.kernel.launch(queue, boxes.back(), arguments, 1.0, 1.0);
  });
}

void DeviceLevel::launch_beside(Queue& queue, Update& update, const Launch& with, std::span<const Box> boxes) {
  with_arguments(update, with, [&](std::span<const Argument> arguments) {
    for (const Box& box : boxes) update.kernel.launch_beside(queue, box, arguments);
  });
}

template <class Call>
void DeviceLevel::with_arguments(const Update& update, const Launch& with, const Call& call) {
  if (update.id == KernelId::dgcvs_linear)
    return call(std::array{rows(own_), with.old.rows(with.old.own_), rows(neighbour_),
                           Argument::buffer(matrices_.memory()), Argument::integer(arrays_.slots)});
  const bool with_faces = update.reach != Reach::inside;
  constexpr std::int64_t unprepared = 3;  // a start from the mean is that much further away
  DgWork work = work_of(update.id, with_faces);
  if (work.implicit && with.from_mean && setup_.limiter != Limiter::always) work.sweeps *= unprepared;
  const std::size_t states =
      outside_states_.uses_time() ? static_cast<std::size_t>(with.step - prepared_from_) * outside_states_.size() : 0;
  const auto faces = [&](Buffer<std::byte>& buffer, std::size_t offset = 0) {
    return with_faces ? Argument::buffer(buffer.memory(), offset, arrays_.face_stride) : Argument::absent();
  };
  const std::int64_t first = update.reach == Reach::boundary ? lanes().first_boundary : 0;
  const bool all = update.reach == Reach::all;
  const bool by_sequence = all && setup_.method.indexed;
  call(std::array{
      rows(own_),
      with.old.rows(with.old.own_),
      rows(neighbour_),
      shapes(geometry_, first),
      arrays_.whole ? shapes(region_, first) : Argument::absent(),
      shapes(factor_, first),
      shapes(moments_, first),
      rows(length_),
      law_argument(),
      setup_.law.has_bed() ? rows(bed_) : Argument::absent(),
      faces(behind_),
      faces(face_),
      faces(outside_, states * element_size(setup_.method.precision)),
      setup_.law.has_bed() ? faces(face_bed_) : Argument::absent(),
      all ? Argument::buffer(face_lane_.memory()) : Argument::absent(),
      by_sequence ? Argument::buffer(sequence_.memory()) : Argument::absent(),
      Argument::integer((all ? dgcvs_by_face_lane : 0) | (by_sequence ? dgcvs_by_sequence : 0)),
      Argument::integer(work.slots),
      Argument::integer(work.faces),
      Argument::integer(work_of(update.id, false).sweeps),
      Argument::integer(work.sweeps),
      Argument::integer(with.from_mean ? 1 : 0),
      Argument::integer(work.implicit ? 1 : 0),
      Argument::real(with.tau),
      Argument::integer(arrays_.whole ? 1 : 0),
      Argument::integer(first),
      Argument::integer(with_faces ? -1 : arrays_.shape_mask),
      rhs_.size() > 0 ? rows(rhs_) : Argument::absent(),
      Argument::integer(update.parts),
  });
}

/// Stretches of lanes that peers read; what lies between two that are near each other goes with them, for a launch
/// costs more. A limiter looks at what all lanes have become.
void DeviceLevel::split_inside() {
  const std::int64_t end = lanes().first_boundary;
  const std::int64_t near = std::clamp<std::int64_t>(end / 16, entity_group, 4096);
  constexpr std::size_t most = 8;
  if (limit_ || setup_.together || !overlaps(setup_.the_case(), *executor_)) return;
  std::vector<std::int64_t> read = ghosts_.read_lanes();
  std::erase_if(read, [end](std::int64_t lane) { return lane >= end; });
  const auto box = [](std::int64_t first, std::int64_t last) { return Box{{first, 0, 0}, {last, 1, 1}, {0, 0, 0}}; };
  std::int64_t next = 0;
  std::int64_t rest = 0;
  for (const NumberRun& run : runs_of(read, near)) {
    const std::int64_t first = read[run.first] / entity_group * entity_group;
    const std::int64_t last = std::min(end, (read[run.last - 1] / entity_group + 1) * entity_group);
    if (first > next) inner_.push_back(box(next, first));
    outer_.push_back(box(first, last));
    rest += std::max<std::int64_t>(0, first - next);
    next = last;
  }
  if (next < end) inner_.push_back(box(next, end));
  rest += end - next;
  if (!outer_.empty() && outer_.size() <= most && 2 * rest >= end) return;
  outer_.clear();
  inner_.clear();
}

void DeviceLevel::limit(Queue& queue, DeviceLevel& old, double tau) {
  const std::array arguments{rows(own_),
                             old.rows(old.own_),
                             rows(neighbour_),
                             rows(geometry_),
                             rows(moments_),
                             old.rows(old.moments_),
                             rows(length_),
                             rows(threshold_),
                             law_argument(),
                             setup_.law.has_bed() ? rows(bed_) : Argument::absent(),
                             setup_.law.has_bed() ? rows(bed_slope_) : Argument::absent(),
                             Argument::integer(arrays_.slots),
                             Argument::real(tau)};
  limit_->launch(queue, arguments);
}

Argument DeviceLevel::rows(Buffer<std::byte>& buffer, std::int64_t first) const {
  return Argument::buffer(buffer.memory(), static_cast<std::size_t>(first) * element_size(setup_.method.precision),
                          lanes().stride);
}

Argument DeviceLevel::shapes(Buffer<std::byte>& buffer, std::int64_t first) const {
  const auto lane = static_cast<std::size_t>(arrays_.shape_lane(first));
  return Argument::buffer(buffer.memory(), lane * element_size(setup_.method.precision), arrays_.shape_stride);
}

Argument DeviceLevel::law_argument() {
  return setup_.law.parameters().empty() ? Argument::absent() : Argument::buffer(law_.memory());
}

void DeviceLevel::observe(Queue& queue, Buffer<std::byte>& sums, std::int64_t slot) {
  // Over a bed mass is that of the water, whose mean depth comes last.
  const bool bed = setup_.law.has_bed();
  const std::int64_t last = bed ? (setup_.values() - 1) * lanes().stride : 0;
  for (auto& [kernel, first] : observes_) {
    const bool shared = arrays_.shares_shape(first);
    const std::array arguments{rows(own_, last + first),
                               shapes(moments_, first),
                               rows(length_, first),
                               rows(observed_, first),
                               rows(observed_, lanes().stride + first),
                               Argument::integer(bed ? 1 : dgcvs_space(setup_.method.order)),
                               Argument::integer(shared ? 1 : 0)};
    kernel.launch(queue, arguments);
  }
  if (ranks_.size() > 1)
    return setup_.method.precision == Precision::float64 ? join<double>(queue, sums, 2 * slot)
                                                         : join<float>(queue, sums, 2 * slot);
  sum_->launch(queue, std::array{rows(observed_), Argument::buffer(sums.memory()), Argument::integer(2 * slot)});
}

/// By the tree over all lanes that one process has, the unused ones among them.
template <class T>
void DeviceLevel::join(Queue& queue, Buffer<std::byte>& sums, std::int64_t slot) {
  const bool last = ranks_.rank() == ranks_.size() - 1;
  std::vector<TreeDigest<T>> digests;  // of mass and square inside, then on the boundary
  const auto add = [&](TreeGroups& groups, std::int64_t lane, std::int64_t end) {
    for (const std::int64_t list : {std::int64_t{0}, lanes().stride}) {
      TreeDigest<T>& digest = digests.emplace_back(
          groups.digests<T>(queue, observed_.memory(), 1, static_cast<std::size_t>(list + lane) * sizeof(T)).front());
      while (last && digest.last() < end) digest.add(T(0));
    }
  };
  add(*inside_sums_, 0, all_.first_boundary);
  add(*boundary_sums_, lanes().first_boundary, all_.stride);
  ranks_.wait(*combine_sums(ranks_, std::span(digests)));
  for (std::size_t k : {0, 1}) digests[k].append(digests[k + 2]);
  const std::array totals{digests[0].sum(), digests[1].sum()};
  sums.upload(queue, std::as_bytes(std::span(totals)), static_cast<std::size_t>(slot) * sizeof(T));
}

}  // namespace quoin
