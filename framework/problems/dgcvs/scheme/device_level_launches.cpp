#include <array>

#include "problems/dgcvs/scheme/device_level.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/precision.hpp"
#include "quoin/ranks.hpp"

namespace quoin {

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
  ghosts_.exchange(queue, ranks_, own_);
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
  if (ranks_.size() > 1)
    return setup_.method.precision == Precision::float64 ? join<double>(queue, sums, 2 * slot)
                                                         : join<float>(queue, sums, 2 * slot);
  for (const std::int64_t k : {0, 1}) {
    const std::array list{Argument::buffer((k == 0 ? mass_ : square_).memory()), Argument::buffer(sums.memory()),
                          Argument::integer(2 * slot + k)};
    sum_->launch(queue, list);
  }
}

/// By the tree over all lanes that one process has, the unused ones among them.
template <class T>
void DeviceLevel::join(Queue& queue, Buffer<std::byte>& sums, std::int64_t slot) {
  const bool last = ranks_.rank() == ranks_.size() - 1;
  std::vector<TreeDigest<T>> digests;  // of mass and square inside, then on the boundary
  const auto add = [&](TreeGroups& groups, std::int64_t lane, std::int64_t end) {
    for (Buffer<std::byte>* list : {&mass_, &square_}) {
      TreeDigest<T>& digest = digests.emplace_back(
          groups.digests<T>(queue, list->memory(), 1, static_cast<std::size_t>(lane) * sizeof(T)).front());
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
