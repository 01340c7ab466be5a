#include "problems/jacobi/sweeps.hpp"

#include <array>

namespace quoin {
namespace {

/// A = -d2/dx2 - d2/dy2 with five points, and the weight 1/D of plain Jacobi.
struct Stencil {
  explicit Stencil(const Grid& grid)
      : a(1.0 / (grid.dx * grid.dx)),
        b(1.0 / (grid.dy * grid.dy)),
        diagonal(2.0 * a + 2.0 * b),
        weight(1.0 / diagonal) {}
  double a, b, diagonal, weight;
};

/// The nodes that do not lie next to a side.
Box inner(const Grid& grid) { return {{1, 1, 0}, {grid.nx - 1, grid.ny - 1, 1}, {0, 0, 0}}; }

Field make_field(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, std::int64_t ring) {
  return {executor, setup.grid.nx, setup.grid.ny, ring, setup.method.precision};
}

void upload_source(Queue& queue, const JacobiSetup& setup, Field& f) {
  f.upload(queue, [&setup](std::int64_t j, std::span<double> row) { setup.source.row(j, row); });
}

/// The four kernels of AMD's note, each with a launch of its own. The update is in place.
class Classic final : public JacobiSweeps {
 public:
  Classic(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, ResidualNorm& norm,
          KernelTimer& timer)
      : stencil_(setup.grid),
        norm_(norm),
        u_(make_field(executor, setup, 1)),
        f_(make_field(executor, setup, 0)),
        au_(make_field(executor, setup, 0)),
        r_(make_field(executor, setup, 0)) {
    const Box all = Box::plane(setup.grid.nx, setup.grid.ny);
    const auto make = [&](const char* name, const Box& box) {
      return std::make_unique<TimedKernel>(*executor, KernelSpec{name, setup.method.precision, {}}, box, timer);
    };
    if (inner(setup.grid).points() > 0) laplacian_ = make("jacobi_laplacian", inner(setup.grid));
    boundary_ = make("jacobi_boundary", all);
    update_ = make("jacobi_update", all);
    block_sums_ = make("jacobi_norm", all);
    upload_source(queue, setup, f_);
  }

  void load(Queue& queue, std::int64_t /*iteration*/, const Field::Fill& /*sides*/,
            const Field::Fill& iterate) override {
    u_.upload(queue, iterate);
  }

  void launch(Queue& queue, std::int64_t /*iteration*/) override {
    const std::array apply{u_.argument(),
                           au_.argument(),
                           Argument::real(stencil_.a),
                           Argument::real(stencil_.b),
                           Argument::real(stencil_.diagonal),
                           norm_.control()};
    const std::array update{
        u_.argument(), f_.argument(), au_.argument(), r_.argument(), Argument::real(stencil_.weight), norm_.control()};
    const std::array block_sums{r_.argument(), norm_.partials(), norm_.control()};
    if (laplacian_) laplacian_->launch(queue, apply);
    boundary_->launch(queue, apply);
    update_->launch(queue, update);
    block_sums_->launch(queue, block_sums);
  }

  [[nodiscard]] const Field& iterate(std::int64_t /*iteration*/) const override { return u_; }

 private:
  Stencil stencil_;
  ResidualNorm& norm_;
  Field u_, f_, au_, r_;
  std::unique_ptr<TimedKernel> laplacian_, boundary_, update_, block_sums_;
};

/// One pass from one field to the other: iterate k lies in field k mod 2.
class Fused final : public JacobiSweeps {
 public:
  Fused(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, ResidualNorm& norm,
        KernelTimer& timer)
      : stencil_(setup.grid),
        norm_(norm),
        u_{make_field(executor, setup, 1), make_field(executor, setup, 1)},
        kernel_(*executor, {"jacobi_fused", setup.method.precision, {{"rhs_array", setup.source.constant() ? 0 : 1}}},
                Box::plane(setup.grid.nx, setup.grid.ny), timer) {
    if (setup.source.constant()) {
      f_constant_ = setup.source.at(0, 0);
    } else {
      f_ = std::make_unique<Field>(make_field(executor, setup, 0));
      upload_source(queue, setup, *f_);
    }
  }

  void load(Queue& queue, std::int64_t iteration, const Field::Fill& sides, const Field::Fill& iterate) override {
    const auto current = static_cast<std::size_t>(iteration % 2);
    u_[current].upload(queue, iterate);
    u_[1 - current].upload(queue, sides);
  }

  void launch(Queue& queue, std::int64_t iteration) override {
    const auto target = static_cast<std::size_t>(iteration % 2);
    const std::array arguments{u_[1 - target].argument(),
                               f_ ? f_->argument() : Argument::absent(),
                               u_[target].argument(),
                               norm_.partials(),
                               Argument::real(stencil_.a),
                               Argument::real(stencil_.b),
                               Argument::real(stencil_.diagonal),
                               Argument::real(stencil_.weight),
                               Argument::real(f_constant_),
                               norm_.control()};
    kernel_.launch(queue, arguments);
  }

  [[nodiscard]] const Field& iterate(std::int64_t iteration) const override {
    return u_[static_cast<std::size_t>(iteration % 2)];
  }

 private:
  Stencil stencil_;
  ResidualNorm& norm_;
  std::array<Field, 2> u_;
  std::unique_ptr<Field> f_;  // absent where the source is the number f_constant_
  double f_constant_ = 0.0;
  TimedKernel kernel_;
};

}  // namespace

std::size_t launches_per_iteration(const JacobiSetup& setup) {
  if (setup.method.variant == JacobiVariant::fused) return 2;
  return inner(setup.grid).points() > 0 ? 5 : 4;
}

double sweeps_bytes(const JacobiSetup& setup) {
  // In doubles: a case may ask for more bytes than an integer holds. Rows are padded by three lines of 64 bytes at
  // most.
  const double size = static_cast<double>(element_size(setup.method.precision));
  const double row = (static_cast<double>(setup.grid.nx) + 2.0) * size + 192.0;
  const double field = row * (static_cast<double>(setup.grid.ny) + 2.0);
  if (setup.method.variant == JacobiVariant::classic) return 4.0 * field;
  return (setup.source.constant() ? 2.0 : 3.0) * field;
}

std::unique_ptr<JacobiSweeps> make_sweeps(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                          Queue& queue, ResidualNorm& norm, KernelTimer& timer) {
  if (setup.method.variant == JacobiVariant::classic)
    return std::make_unique<Classic>(executor, setup, queue, norm, timer);
  return std::make_unique<Fused>(executor, setup, queue, norm, timer);
}

}  // namespace quoin
