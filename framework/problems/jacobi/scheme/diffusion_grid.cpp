#include "problems/jacobi/scheme/diffusion_grid.hpp"

#include <algorithm>

#include "device/upload.hpp"
#include "quoin/precision.hpp"

namespace quoin {
namespace {

bool by_stencil(const JacobiSetup& setup) { return !setup.beyond_poisson; }

/// The names of kernels, which there are in the plane, in space, and there of Poisson's equation.
KernelSpec kernel_of(const JacobiSetup& setup, const char* plane, const char* space, const char* stencil) {
  const char* name = !setup.grid.in_space() ? plane : by_stencil(setup) ? stencil : space;
  return {name, setup.method.precision, {}};
}
KernelSpec apply_spec(const JacobiSetup& setup) {
  return kernel_of(setup, "diffusion_operator", "cube_flow", "cube_laplacian");
}
KernelSpec update_spec(const JacobiSetup& setup) {
  return kernel_of(setup, "diffusion_update", "cube_flow_update", "jacobi_update");
}
KernelSpec sweep_spec(const JacobiSetup& setup) {
  return kernel_of(setup, "diffusion_sweep", "cube_flow_sweep", "cube_sweep");
}
KernelSpec halo_spec(const JacobiSetup& setup, const char* name) { return {name, setup.method.precision, {}}; }

bool has_update(const JacobiSetup& setup) { return setup.method.variant == JacobiVariant::classic; }

/// Values of the largest side that is joined, with its edges.
std::int64_t longest_line(const Axis& x, const Axis& y, const Axis& z) {
  const std::int64_t nx = x.count + 2;
  const std::int64_t ny = y.count + 2;
  if (z.is_flat()) return std::max(nx, ny);
  return std::max({nx * ny, nx * z.count, ny * z.count});
}

}  // namespace

std::vector<KernelSpec> diffusion_grid_kernels(const JacobiSetup& setup) {
  std::vector<KernelSpec> specs{apply_spec(setup), sweep_spec(setup)};
  if (has_update(setup)) specs.push_back(update_spec(setup));
  if (joins_sides(setup.grid.along_x, setup.grid.along_y, setup.grid.along_z))
    for (const char* name : {"halo_pack", "halo_unpack"}) specs.push_back(halo_spec(setup, name));
  return specs;
}

DiffusionGrid::DiffusionGrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue,
                             KernelTimer& timer, const Axis& along_x, const Axis& along_y, const Axis& along_z)
    : x(along_x),
      y(along_y),
      z(along_z),
      planes(x, y, z),
      executor_(executor),
      precision_(setup.method.precision),
      apply_(*executor, apply_spec(setup), planes.box(), timer),
      sweep_(*executor, sweep_spec(setup), planes.box(), timer) {
  if (has_update(setup)) update_.emplace(*executor, update_spec(setup), planes.box(), timer);
  if (joins_sides(x, y, z)) {
    line_ = Buffer<std::byte>(executor, static_cast<std::size_t>(longest_line(x, y, z)) * element_size(precision_));
    pack_.emplace(*executor, halo_spec(setup, "halo_pack"), Box::plane(x.count, 1), timer);
    unpack_.emplace(*executor, halo_spec(setup, "halo_unpack"), Box::plane(x.count, 1), timer);
  }
  if (z.is_flat()) return;
  std::vector<double> inside;
  for (std::int64_t row = 0; row < planes.rows(); ++row) inside.push_back(planes.inside(planes.place(row)) ? 1.0 : 0.0);
  inside_ = uploaded(executor, queue, in_precision(inside, precision_));
}

DiffusionGrid::DiffusionGrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue,
                             KernelTimer& timer)
    : DiffusionGrid(executor, setup, queue, timer, setup.grid.along_x, setup.grid.along_y, setup.grid.along_z) {
  stencil_.emplace(setup.grid);
}

DiffusionGrid::DiffusionGrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue,
                             KernelTimer& timer, const Balances& balances)
    : DiffusionGrid(executor, setup, queue, timer, balances.x, balances.y, balances.z) {
  // `more`: faces beyond the unknowns, along each direction.
  const auto add = [&](std::int64_t more_x, std::int64_t more_y, std::int64_t more_z, double beside,
                       const auto& value) {
    coefficients_.push_back(field());
    coefficients_.back().upload(queue, [&](std::int64_t at, std::span<double> row) {
      const auto [j, k] = planes.place(at);
      if (j < 0 || k < 0 || j >= y.count + more_y || k >= z.count + more_z) {
        std::ranges::fill(row, beside);
        return;
      }
      for (std::int64_t i = 0; i < x.count + more_x; ++i) row[static_cast<std::size_t>(i + 1)] = value(i, j, k);
    });
  };
  add(1, 0, 0, 0.0, [&](auto i, auto j, auto k) { return balances.west(i, j, k); });
  add(0, 1, 0, 0.0, [&](auto i, auto j, auto k) { return balances.south(i, j, k); });
  if (!z.is_flat()) add(0, 0, 1, 0.0, [&](auto i, auto j, auto k) { return balances.behind(i, j, k); });
  // Rows of sides between planes are swept as well, and must not divide by 0.
  add(0, 0, 0, z.is_flat() ? 0.0 : 1.0, [&](auto i, auto j, auto k) { return balances.sink_at(i, j, k); });
}

std::vector<Argument> DiffusionGrid::coefficients() {
  std::vector<Argument> arguments;
  for (Field& field : coefficients_) arguments.push_back(field.argument());
  return arguments;
}

void DiffusionGrid::upload(Queue& queue, Field& field, const Field::Fill& rows) {
  field.upload(queue, [&](std::int64_t at, std::span<double> row) {
    const Planes::Place place = planes.place(at);
    if (!planes.inside(place)) return;
    const std::size_t ring = (row.size() - static_cast<std::size_t>(x.count)) / 2;
    rows(planes.number(place), row.subspan(ring, static_cast<std::size_t>(x.count)));
  });
}

void DiffusionGrid::upload(Queue& queue, Field& field, const std::vector<double>& values) {
  upload(queue, field, [&](std::int64_t number, std::span<double> row) {
    std::copy_n(values.begin() + number * x.count, x.count, row.begin());
  });
}

void DiffusionGrid::wrap(Queue& queue, Field& field) {
  if (!pack_) return;  // no side is periodic, and there is no line to copy by
  const Argument line = Argument::buffer(line_.memory());
  const Argument rows = field.argument();
  // Of each plane a row that begins `first` elements from the first.
  const auto one_of_each = [&](std::int64_t row) {
    return Argument::buffer(
        *rows.memory,
        static_cast<std::size_t>(static_cast<std::int64_t>(rows.offset) +
                                 row * rows.pitch * static_cast<std::int64_t>(element_size(precision_))),
        planes.apart * rows.pitch);
  };
  const auto copy = [&](const Argument& source, const Box& from, const Argument& target, const Box& to) {
    pack_->launch(queue, from, std::array{source, line});
    unpack_->launch(queue, to, std::array{line, target});
  };
  const auto column = [&](std::int64_t i) { return Box{{i, 0, 0}, {i + 1, planes.rows(), 1}, {0, 0, 0}}; };
  if (x.periodic()) {
    copy(rows, column(x.count - 1), rows, column(-1));
    copy(rows, column(0), rows, column(x.count));
  }
  // With the corners and edges, which lie between coarser nodes.
  if (y.periodic()) {
    const Box row{{-1, 0, 0}, {x.count + 1, z.count, 1}, {0, 0, 0}};
    copy(one_of_each(y.count - 1), row, one_of_each(-1), row);
    copy(one_of_each(0), row, one_of_each(y.count), row);
  }
  if (z.periodic() && !z.is_flat()) {
    const auto plane = [&](std::int64_t k) {
      return Box{{-1, planes.row(-1, k), 0}, {x.count + 1, planes.row(y.count, k) + 1, 1}, {0, 0, 0}};
    };
    copy(rows, plane(z.count - 1), rows, plane(-1));
    copy(rows, plane(0), rows, plane(z.count));
  }
}

void DiffusionGrid::apply(Queue& queue, Field& u, Field& au, const Argument& control) {
  std::vector<Argument> arguments{u.argument()};
  const auto add = [&](const auto& more) { arguments.insert(arguments.end(), more.begin(), more.end()); };
  add(coefficients());
  add(std::array{au.argument()});
  if (!z.is_flat()) add(std::array{inside(), apart()});
  if (stencil_)
    add(std::array{Argument::real(stencil_->a), Argument::real(stencil_->b), Argument::real(stencil_->c),
                   Argument::real(stencil_->diagonal)});
  add(std::array{control});
  apply_.launch(queue, arguments);
}

void DiffusionGrid::update(Queue& queue, Field& u, Field& f, Field& au, Field& r, double weight,
                           const Argument& control) {
  std::vector<Argument> arguments{u.argument(), f.argument(), au.argument()};
  const auto add = [&](const auto& more) { arguments.insert(arguments.end(), more.begin(), more.end()); };
  add(coefficients());
  add(std::array{r.argument()});
  if (!z.is_flat() && !stencil_) add(std::array{apart()});
  add(std::array{Argument::real(weight), control});
  update_->launch(queue, arguments);
  wrap(queue, u);
}

std::vector<Argument> DiffusionGrid::sweep_arguments(Field& u, Field& f, Field& u_new, const Argument& partials) {
  std::vector<Argument> arguments{u.argument(), f.argument()};
  const auto add = [&](const auto& more) { arguments.insert(arguments.end(), more.begin(), more.end()); };
  add(coefficients());
  add(std::array{u_new.argument(), partials});
  if (!z.is_flat()) add(std::array{inside(), apart()});
  if (stencil_)
    add(std::array{Argument::real(stencil_->a), Argument::real(stencil_->b), Argument::real(stencil_->c),
                   Argument::real(stencil_->diagonal)});
  return arguments;
}

void DiffusionGrid::sweep(Queue& queue, Field& u, Field& f, Field& u_new, double weight, const Argument& partials,
                          const Argument& control) {
  std::vector<Argument> arguments = sweep_arguments(u, f, u_new, partials);
  arguments.push_back(Argument::real(weight));
  arguments.push_back(control);
  sweep_.launch(queue, arguments);
  wrap(queue, u_new);
}

}  // namespace quoin
