#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "problems/linear_system/scheme/methods.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

/// The solution is that of a small least-squares problem, which is only found where somebody asks for it.
class Gmres final : public KrylovSolver {
 public:
  Gmres(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system, std::int64_t longest)
      : KrylovSolver(place, setup, system, longest),
        restart_(setup.restart),
        dots_kernel_(on_sums("gmres_dots")),
        subtract_(on_blocks("gmres_subtract")),
        rotate_(on_sums("gmres_rotate")),
        extend_(on_line("gmres_extend")),
        solve_(*place.executor, {"gmres_solve", place.precision, {}}, Box::line(1), place.timer),
        combine_(on_line("gmres_combine")),
        correct_(on_line("gmres_correct")),
        basis_(basis(restart_ + 1)),
        newest_(vector()),
        lists_(block_sums(restart_)),
        dots_(number(restart_)),
        h_(number(restart_ * restart_)),
        cosines_(number(restart_)),
        sines_(number(restart_)),
        g_(number(restart_ + 1)),
        y_(number(restart_)),
        inverse_(number()) {
    if (preconditioner_) image_.emplace(vector());
  }

  [[nodiscard]] std::int64_t room() const override { return restart_ - columns_; }

  void launch(std::int64_t number, std::int64_t slot, double tolerance) override {
    const std::int64_t column = launched_++;
    matrix_.multiply(place_.queue, preconditioned(basis_.at(column), image_), w_);
    for (const std::int64_t pass : {0, 1}) orthogonalise(column, pass);
    rotate_.launch(place_.queue, std::array{joined(squares_), h_.argument(column * restart_), cosines_.argument(),
                                            sines_.argument(), g_.argument(), inverse_.argument(), norms(),
                                            Argument::integer(column), Argument::integer(slot),
                                            Argument::integer(number), Argument::real(tolerance), control()});
    extend(w_, column + 1);
  }

  void keep(std::int64_t iterations) override { launched_ = columns_ += iterations; }

  std::string breakdown(const Found& found) override {
    return fmt::format("the matrix is singular, or next to it: gmres finds no direction in iteration {}",
                       found.stopped_at);
  }

  void save(CheckpointWriter& writer, const WriteArray& write) override {
    KrylovSolver::save(writer, write);
    writer.put("columns", std::as_bytes(std::span(&columns_, 1)));
  }
  void restore(CheckpointReader& reader) override {
    KrylovSolver::restore(reader);
    reader.get("columns", std::as_writable_bytes(std::span(&columns_, 1)));
    if (columns_ < 0 || columns_ > restart_)
      throw Error(ErrorKind::io, fmt::format("the checkpoint holds {} vectors of a basis of {}", columns_, restart_));
    launched_ = columns_;
  }

 private:
  void begin() override {
    const double norm = norm_of(squares_);
    g_.set(place_.queue, norm);
    inverse_.set(place_.queue, 1.0 / norm);
    extend(r_, 0);
    launched_ = columns_ = 0;
  }

  Vector& complete() override {
    if (columns_ == 0) return x_;
    Queue& queue = place_.queue;
    reset();  // a stop has ended the iterations, not this
    const std::array size{Argument::integer(columns_), Argument::integer(restart_)};
    solve_.launch(queue, std::array{h_.argument(), g_.argument(), y_.argument(), size[0], size[1]});
    combine_.launch(queue, std::array{basis_.lines(), y_.argument(), w_.list(), size[0], Argument::integer(1)},
                    cost_of_basis(1.0));
    correct_.launch(queue, std::array{x_.list(), preconditioned(w_, image_).list(), newest_.list()});
    return newest_;
  }
  void accept() override {
    if (columns_ > 0) std::swap(x_, newest_);
  }

  std::vector<Part> vectors() override { return {{"basis", &basis_}}; }
  std::vector<Number> numbers() override {
    return {{"h", &h_}, {"cosines", &cosines_}, {"sines", &sines_}, {"g", &g_}};
  }

  /// w without its parts along the basis up to `column`.
  void orthogonalise(std::int64_t column, std::int64_t pass) {
    Queue& queue = place_.queue;
    const std::int64_t blocks = vector_blocks(rows_);
    const auto size = static_cast<std::int64_t>(element_size(place_.precision));
    for (std::int64_t k = 0; k <= column; ++k)
      product(w_, basis_.at(k),
              Argument::buffer(lists_.memory(), static_cast<std::size_t>(k * blocks * size), /*pitch=*/1));
    dots_kernel_.launch(queue, Box::plane(sums(), column + 1),
                        std::array{joined(lists_, column + 1), dots_.argument(), h_.argument(column * restart_),
                                   Argument::integer(pass), control()});
    subtract_.launch(
        queue,
        std::array{basis_.plane(), dots_.argument(), w_.plane(), list(squares_), Argument::integer(column + 1),
                   Argument::integer(basis_.stride() / block_columns), control()},
        cost_of_basis(2.0));
  }

  /// Vector `k` of the basis = inverse u
  void extend(Vector& u, std::int64_t k) {
    extend_.launch(place_.queue, std::array{u.list(), inverse_.argument(), basis_.at(k).list(), control()});
  }

  /// Of a pass over the vectors that were launched, and so many others.
  [[nodiscard]] Cost cost_of_basis(double others) const {
    const auto passed = static_cast<double>(std::max<std::int64_t>(1, launched_));
    return {(passed + others) * vector_bytes(rows_, place_.precision), 2.0 * passed * static_cast<double>(rows_)};
  }

  std::int64_t restart_;
  TimedKernel dots_kernel_, subtract_, rotate_, extend_, solve_, combine_, correct_;
  Vector basis_;
  Vector newest_;
  std::optional<Vector> image_;
  Buffer<std::byte> lists_;  // the block sums of w'v of each v
  Scalar dots_, h_, cosines_, sines_, g_, y_, inverse_;
  std::int64_t columns_ = 0, launched_ = 0;  // of h
};

}  // namespace

KrylovMethod gmres(const LinearSystemSetup& setup) {
  const auto launches = static_cast<std::size_t>(2 * (setup.restart + 2) + 2);
  constexpr std::int64_t most_queued = 10000;
  return {.launches = launches,
          .longest = std::clamp(most_queued / static_cast<std::int64_t>(launches), std::int64_t{1}, setup.restart),
          .vectors = setup.restart + 3,
          .saved_vectors = setup.restart + 1,
          .kernels = {"gmres_dots", "gmres_subtract", "gmres_rotate", "gmres_extend", "gmres_solve", "gmres_combine",
                      "gmres_correct"},
          .make = make_solver<Gmres>};
}

}  // namespace quoin
