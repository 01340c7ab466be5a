#include "problems/jacobi/scheme/diffusion_grid.hpp"

#include <algorithm>

#include "quoin/precision.hpp"

namespace quoin {
namespace {

KernelSpec diffusion_spec(const JacobiSetup& setup, const char* name) { return {name, setup.method.precision, {}}; }

bool joins_sides(const Axis& x, const Axis& y) { return x.periodic() || y.periodic(); }

}  // namespace

std::vector<KernelSpec> diffusion_grid_kernels(const JacobiSetup& setup) {
  std::vector<KernelSpec> specs{diffusion_spec(setup, "diffusion_operator"), diffusion_spec(setup, "diffusion_sweep")};
  if (joins_sides(setup.grid.along_x, setup.grid.along_y))
    for (const char* name : {"halo_pack", "halo_unpack"}) specs.push_back(diffusion_spec(setup, name));
  return specs;
}

DiffusionGrid::DiffusionGrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue,
                             KernelTimer& timer, const Balances& balances)
    : x(balances.x),
      y(balances.y),
      kx(executor, x.count, y.count, 1, setup.method.precision),
      ky(executor, x.count, y.count, 1, setup.method.precision),
      sink(executor, x.count, y.count, 1, setup.method.precision),
      executor_(executor),
      precision_(setup.method.precision),
      apply_(*executor, diffusion_spec(setup, "diffusion_operator"), Box::plane(x.count, y.count), timer),
      sweep_(*executor, diffusion_spec(setup, "diffusion_sweep"), Box::plane(x.count, y.count), timer),
      line_(executor, static_cast<std::size_t>(std::max(x.count, y.count) + 2) * element_size(precision_)) {
  if (joins_sides(x, y)) {
    pack_.emplace(*executor, diffusion_spec(setup, "halo_pack"), Box::plane(x.count, 1), timer);
    unpack_.emplace(*executor, diffusion_spec(setup, "halo_unpack"), Box::plane(x.count, 1), timer);
  }
  const auto inside = [](std::int64_t k, std::int64_t count) { return k >= 0 && k < count; };
  kx.upload(queue, [&](std::int64_t j, std::span<double> row) {
    for (std::int64_t i = 0; i <= x.count && inside(j, y.count); ++i)
      row[static_cast<std::size_t>(i + 1)] = balances.west(i, j);
  });
  ky.upload(queue, [&](std::int64_t j, std::span<double> row) {
    for (std::int64_t i = 0; i < x.count && inside(j, y.count + 1); ++i)
      row[static_cast<std::size_t>(i + 1)] = balances.south(i, j);
  });
  upload(queue, sink, balances.sink);
}

Field DiffusionGrid::field(std::int64_t ring) const { return {executor_, x.count, y.count, ring, precision_}; }

void DiffusionGrid::upload(Queue& queue, Field& field, const std::vector<double>& values) {
  field.upload(queue, [&](std::int64_t j, std::span<double> row) {
    if (j >= 0 && j < y.count && !values.empty()) std::copy_n(values.begin() + j * x.count, x.count, row.begin() + 1);
  });
  wrap(queue, field);
}

void DiffusionGrid::wrap(Queue& queue, Field& field) {
  const Argument line = Argument::buffer(line_.memory());
  const auto copy = [&](const Box& from, const Box& to) {
    pack_->launch(queue, from, std::array{field.argument(), line});
    unpack_->launch(queue, to, std::array{line, field.argument()});
  };
  const auto column = [&](std::int64_t i) { return Box{{i, 0, 0}, {i + 1, y.count, 1}, {0, 0, 0}}; };
  // With the corners, which lie between coarser nodes.
  const auto row = [&](std::int64_t j) { return Box{{-1, j, 0}, {x.count + 1, j + 1, 1}, {0, 0, 0}}; };
  if (x.periodic()) {
    copy(column(x.count - 1), column(-1));
    copy(column(0), column(x.count));
  }
  if (y.periodic()) {
    copy(row(y.count - 1), row(-1));
    copy(row(0), row(y.count));
  }
}

void DiffusionGrid::apply(Queue& queue, Field& u, Field& au, const Argument& control) {
  apply_.launch(queue, std::array{u.argument(), kx.argument(), ky.argument(), sink.argument(), au.argument(), control});
}

void DiffusionGrid::sweep(Queue& queue, Field& u, Field& f, Field& u_new, double weight, const Argument& partials,
                          const Argument& control) {
  sweep_.launch(queue, std::array{u.argument(), f.argument(), kx.argument(), ky.argument(), sink.argument(),
                                  u_new.argument(), partials, Argument::real(weight), control});
  wrap(queue, u_new);
}

}  // namespace quoin
