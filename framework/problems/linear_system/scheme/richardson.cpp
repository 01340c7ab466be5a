#include <array>

#include "problems/linear_system/scheme/methods.hpp"

namespace quoin {
namespace {

class Richardson final : public KrylovSolver {
 public:
  Richardson(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system, std::int64_t longest)
      : KrylovSolver(place, setup, system, longest),
        step_(on_blocks("krylov_step")),
        copy_(on_line("stream_copy")),
        z_(vector()),
        damping_(number()) {
    damping_.set(place.queue, setup.damping);
  }

  void launch(std::int64_t number, std::int64_t slot, double tolerance) override {
    Queue& queue = place_.queue;
    precondition(r_, z_, copy_);
    matrix_.multiply(queue, z_, w_);
    step_.launch(queue, std::array{z_.plane(), w_.plane(), x_.plane(), r_.plane(), damping_.argument(), list(squares_),
                                   control()});
    look_at_norm(squares_, number, slot, tolerance);
  }

  [[nodiscard]] const char* remedy() const override { return "; use a smaller method.damping, or another solver"; }

 private:
  void begin() override {}
  std::vector<Part> vectors() override { return {}; }
  std::vector<Number> numbers() override { return {}; }

  TimedKernel step_, copy_;
  Vector z_;  // M r
  Scalar damping_;
};

}  // namespace

KrylovMethod richardson() {
  return {.launches = 3,
          .vectors = 1,
          .complete = true,
          .kernels = {"krylov_step", "stream_copy"},
          .make = make_solver<Richardson>};
}

}  // namespace quoin
