#include <fmt/format.h>

#include <array>
#include <optional>

#include "problems/linear_system/scheme/methods.hpp"

namespace quoin {
namespace {

/// Its other kernels are those of methods that do the same: with alpha = omega = 1, beta is that of BiCGSTAB.
class Cgs final : public KrylovSolver {
 public:
  Cgs(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system, std::int64_t longest)
      : KrylovSolver(place, setup, system, longest),
        beta_kernel_(on_sums("bicgstab_beta")),
        alpha_kernel_(on_sums("bicgstab_alpha")),
        direction_(on_line("krylov_direction")),
        copy_(on_line("stream_copy")),
        subtract_(on_blocks("gmres_subtract")),
        add_(on_line("relax_correct")),
        step_(on_blocks("krylov_step")),
        shadow_(vector()),
        p_(vector()),
        q_(vector()),
        s_(vector()),
        rho_(number()),
        alpha_(number()),
        beta_(number()),
        one_(number()) {
    if (preconditioner_) image_.emplace(vector());
    one_.set(place.queue, 1.0);
  }

  void launch(std::int64_t number, std::int64_t slot, double tolerance) override {
    Queue& queue = place_.queue;
    const Argument iteration = Argument::integer(number);
    product(shadow_, r_, list(products_));
    beta_kernel_.launch(queue, std::array{list(products_), rho_.argument(), one_.argument(), one_.argument(),
                                          beta_.argument(), iteration, control()});
    // u = r + beta q, in place of q; p = u + beta (q + beta p)
    direct(q_, p_);
    direct(r_, q_);
    direct(q_, p_);
    matrix_.multiply(queue, preconditioned(p_, image_), w_);
    product(shadow_, w_, list(products_));
    alpha_kernel_.launch(queue, std::array{list(products_), rho_.argument(), alpha_.argument(), iteration, control()});
    // q = u - alpha w, s = u + q
    copy_.launch(queue, std::array{q_.list(), s_.list()});
    subtract_.launch(queue, std::array{w_.plane(), alpha_.argument(), q_.plane(), list(products_), Argument::integer(1),
                                       Argument::integer(vector_rows()), control()});
    add_.launch(queue, std::array{q_.list(), s_.list(), control()});
    const VectorPlace image = preconditioned(s_, image_);
    matrix_.multiply(queue, image, w_);
    step_.launch(queue, std::array{image.plane(), w_.plane(), x_.plane(), r_.plane(), alpha_.argument(), list(squares_),
                                   control()});
    look_at_norm(list(squares_), number, slot, tolerance);
  }

  std::string breakdown(const Found& found) override {
    return fmt::format("cgs breaks down in iteration {}: {}", found.stopped_at,
                       found.code == 2
                           ? "the residual is orthogonal to the first one or not finite"
                           : "the matrix times the direction is orthogonal to the first residual or not finite");
  }
  [[nodiscard]] bool restarts() const override { return true; }

 private:
  void begin() override {
    Queue& queue = place_.queue;
    copy_.launch(queue, std::array{r_.list(), shadow_.list()});
    p_.clear(queue);
    q_.clear(queue);
    rho_.set(queue, 1.0);
  }

  std::vector<Part> vectors() override { return {{"shadow", &shadow_}, {"p", &p_}, {"q", &q_}}; }
  std::vector<Number> numbers() override { return {{"rho", &rho_}}; }

  /// p = z + beta p
  void direct(Vector& z, Vector& p) {
    direction_.launch(place_.queue, std::array{z.list(), p.list(), beta_.argument(), control()});
  }

  TimedKernel beta_kernel_, alpha_kernel_, direction_, copy_, subtract_, add_, step_;
  Vector shadow_, p_, q_, s_;
  std::optional<Vector> image_;
  Scalar rho_, alpha_, beta_, one_;
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
