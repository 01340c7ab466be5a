#include "problems/jacobi/sweeps.hpp"

#include <array>
#include <vector>

#include "problems/precision.hpp"
#include "quoin/buffer.hpp"
#include "quoin/catalogue.hpp"

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

  void load(Queue& queue, const Field::Fill& /*sides*/, const Field::Fill& iterate) override {
    u_.upload(queue, iterate);
  }

  void launch(Queue& queue, std::int64_t /*count*/) override {
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

  void settle(Queue& /*queue*/, std::int64_t /*done*/) override {}
  [[nodiscard]] const Field& iterate() const override { return u_; }

 private:
  Stencil stencil_;
  ResidualNorm& norm_;
  Field u_, f_, au_, r_;
  std::unique_ptr<TimedKernel> laplacian_, boundary_, update_, block_sums_;
};

KernelSpec spec_of(const JacobiSetup& setup, std::int64_t depth) {
  return {"jacobi_sweeps", setup.method.precision, {{"rhs_array", setup.source.constant() ? 0 : 1}, {"depth", depth}}};
}

/// Passes from one field to the other, each of one sweep (fused) or of several (blocked).
class Passes final : public JacobiSweeps {
 public:
  Passes(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, ResidualNorm& norm,
         KernelTimer& timer)
      : stencil_(setup.grid),
        norm_(norm),
        u_{make_field(executor, setup, 1), make_field(executor, setup, 1)},
        depth_(depth_of(*executor, setup)),
        kernel_(*executor, spec_of(setup, depth_), Box::plane(setup.grid.nx, setup.grid.ny), timer) {
    if (setup.source.constant()) {
      f_constant_ = setup.source.at(0, 0);
    } else {
      f_ = std::make_unique<Field>(make_field(executor, setup, 0));
      upload_source(queue, setup, *f_);
    }
    const std::vector<double> weights(static_cast<std::size_t>(depth_), stencil_.weight);
    const std::vector<std::byte> raw = in_precision(weights, setup.method.precision);
    weights_ = Buffer<std::byte>(executor, raw.size());
    weights_.upload(queue, raw);
  }

  void load(Queue& queue, const Field::Fill& sides, const Field::Fill& iterate) override {
    u_[current_].upload(queue, iterate);
    u_[1 - current_].upload(queue, sides);
    launched_.clear();
  }

  void launch(Queue& queue, std::int64_t count) override {
    pass(queue, (current_ + launched_.size()) % 2, count);
    launched_.push_back(count);
  }

  /// A pass that stopped on its way is done again with fewer sweeps, from its input, which nothing has touched: on the
  /// device all later launches have left everything as it was.
  void settle(Queue& queue, std::int64_t done) override {
    for (const std::int64_t count : launched_) {
      if (done <= 0) break;
      if (done < count) {
        norm_.reset(queue);
        pass(queue, current_, done);
      }
      done -= count;
      current_ = 1 - current_;
    }
    launched_.clear();
  }

  [[nodiscard]] const Field& iterate() const override { return u_[current_]; }

 private:
  void pass(Queue& queue, std::size_t from, std::int64_t count) {
    const std::array arguments{u_[from].argument(),
                               f_ ? f_->argument() : Argument::absent(),
                               u_[1 - from].argument(),
                               norm_.partials(),
                               Argument::real(stencil_.a),
                               Argument::real(stencil_.b),
                               Argument::real(stencil_.diagonal),
                               Argument::buffer(weights_.memory()),
                               Argument::real(f_constant_),
                               Argument::integer(count),
                               norm_.control()};
    const auto sweeps = static_cast<double>(count);
    kernel_.launch(queue, arguments, sweeps / static_cast<double>(depth_), sweeps);
  }

  Stencil stencil_;
  ResidualNorm& norm_;
  std::array<Field, 2> u_;
  std::unique_ptr<Field> f_;  // absent where the source is the number f_constant_
  double f_constant_ = 0.0;
  std::int64_t depth_;
  Buffer<std::byte> weights_;  // of each sweep of a pass
  TimedKernel kernel_;
  std::size_t current_ = 0;             // the field of the iterate
  std::vector<std::int64_t> launched_;  // sweeps of each pass since it was settled
};

}  // namespace

std::int64_t depth_of(const Executor& executor, const JacobiSetup& setup) {
  if (setup.method.variant == JacobiVariant::classic || setup.method.variant == JacobiVariant::fused) return 1;
  for (std::int64_t depth = deepest_pass; depth > 1; depth /= 2)
    if (executor.supports(spec_of(setup, depth))) return depth;
  // The kernel's absence is for the constructor to tell, where the case insists on it.
  return setup.method.variant == JacobiVariant::blocked ? 2 : 1;
}

std::size_t launches_per_pass(const JacobiSetup& setup) {
  if (setup.method.variant != JacobiVariant::classic) return 1;
  return inner(setup.grid).points() > 0 ? 4 : 3;
}

double sweeps_bytes(const JacobiSetup& setup) {
  // In doubles: a case may ask for more bytes than an integer holds. Rows are padded by three lines of 128 bytes at
  // most; the block sums of a sweep are one value in 512.
  const double size = static_cast<double>(element_size(setup.method.precision));
  const double row = (static_cast<double>(setup.grid.nx) + 2.0) * size + 384.0;
  const double field = row * (static_cast<double>(setup.grid.ny) + 2.0);
  const JacobiVariant variant = setup.method.variant;
  if (variant == JacobiVariant::classic) return 4.0 * field + field / 512.0;
  const auto sweeps = static_cast<double>(variant == JacobiVariant::fused ? 1 : deepest_pass);
  return (setup.source.constant() ? 2.0 : 3.0) * field + sweeps * field / 512.0;
}

std::unique_ptr<JacobiSweeps> make_sweeps(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                          Queue& queue, ResidualNorm& norm, KernelTimer& timer) {
  if (setup.method.variant == JacobiVariant::classic)
    return std::make_unique<Classic>(executor, setup, queue, norm, timer);
  return std::make_unique<Passes>(executor, setup, queue, norm, timer);
}

}  // namespace quoin
