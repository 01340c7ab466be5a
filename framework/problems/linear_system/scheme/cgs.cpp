#include <fmt/format.h>

#include <array>
#include <optional>

#include "problems/linear_system/scheme/methods.hpp"
#include "problems/linear_system/scheme/shadow_solver.hpp"

namespace quoin {
namespace {

class Cgs final : public ShadowSolver {
 public:
  Cgs(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system, std::int64_t longest)
      : ShadowSolver(place, setup, system, longest),
        direction_(on_line("krylov_direction")),
        subtract_(on_blocks("gmres_subtract")),
        add_(on_line("relax_correct")),
        p_(vector()),
        q_(vector()),
        s_(vector()) {
    if (preconditioner_) image_.emplace(vector());
  }

  void launch(std::int64_t number, std::int64_t slot, double tolerance) override {
    Queue& queue = place_.queue;
    product(shadow_, r_, list(products_));
    find_beta(number);
    // u = r + beta q, in place of q; p = u + beta (q + beta p)
    direct(q_, p_);
    direct(r_, q_);
    direct(q_, p_);
    multiply(preconditioned(p_, image_), w_, shadow_, list(products_));
    find_alpha(number);
    // q = u - alpha w, s = u + q
    copy_.launch(queue, std::array{q_.list(), s_.list()});
    subtract_.launch(queue, std::array{w_.plane(), alpha_.argument(), q_.plane(), list(products_), Argument::integer(1),
                                       Argument::integer(vector_rows()), control()});
    add_.launch(queue, std::array{q_.list(), s_.list(), control()});
    const VectorPlace image = preconditioned(s_, image_);
    matrix_.multiply(queue, image, w_);
    step(image, w_, alpha_);
    look_at_norm(squares_, number, slot, tolerance);
  }

  std::string breakdown(const Found& found) override {
    return fmt::format("cgs breaks down in iteration {}: {}", found.stopped_at,
                       found.code == 2
                           ? "the residual is orthogonal to the first one or not finite"
                           : "the matrix times the direction is orthogonal to the first residual or not finite");
  }

 private:
  std::vector<Part> vectors() override { return {{"shadow", &shadow_}, {"p", &p_}, {"q", &q_}}; }
  std::vector<Number> numbers() override { return {{"rho", &rho_}}; }

  /// p = z + beta p
  void direct(Vector& z, Vector& p) {
    direction_.launch(place_.queue, std::array{z.list(), p.list(), beta_.argument(), control()});
  }

  TimedKernel direction_, subtract_, add_;
  Vector p_, q_, s_;
  std::optional<Vector> image_;
};

}  // namespace

KrylovMethod cgs() {
  return {.launches = 12,
          .products = 2,
          .applications = 2,
          .vectors = 5,
          .saved_vectors = 3,
          .complete = true,
          .kernels = {"bicgstab_beta", "bicgstab_alpha", "krylov_direction", "stream_copy", "gmres_subtract",
                      "relax_correct", "krylov_step"},
          .make = make_solver<Cgs>};
}

}  // namespace quoin
