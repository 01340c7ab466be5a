#include "problems/linear_system/scheme/conjugate_gradients.hpp"

#include <array>
#include <cmath>
#include <string>

namespace quoin {
namespace {

Argument partials(Buffer<std::byte>& buffer) { return Argument::buffer(buffer.memory(), 0, /*pitch=*/1); }

}  // namespace

ConjugateGradients::ConjugateGradients(const std::shared_ptr<Executor>& executor, Queue& queue,
                                       const LinearSystem& system, Precision precision, KernelTimer& timer,
                                       std::int64_t longest)
    : queue_(queue),
      precision_(precision),
      matrix_(executor, queue, system.matrix, precision, timer),
      product_(*executor, {"krylov_product", precision, {}}, vector_box(system.matrix.rows), timer),
      residual_(*executor, {"krylov_residual", precision, {}}, vector_box(system.matrix.rows), timer),
      // Nothing is summed: a line, which devices go through faster than rows of 16.
      direction_(*executor, {"krylov_direction", precision, {}}, Box::line(system.matrix.rows), timer),
      step_(*executor, {"krylov_step", precision, {}}, vector_box(system.matrix.rows), timer),
      alpha_kernel_(*executor, {"cg_alpha", precision, {}}, Box::line(vector_blocks(system.matrix.rows)), timer),
      beta_kernel_(*executor, {"cg_beta", precision, {}}, Box::line(vector_blocks(system.matrix.rows)), timer),
      norm_(*executor, {"residual_norm", precision, {}}, Box::line(vector_blocks(system.matrix.rows)), timer),
      sum_(*executor, {"sum", precision, {}}, Box::line(vector_blocks(system.matrix.rows)), timer),
      b_(executor, queue, system.matrix.rows, precision),
      x_(executor, queue, system.matrix.rows, precision),
      r_(executor, queue, system.matrix.rows, precision),
      p_(executor, queue, system.matrix.rows, precision),
      w_(executor, queue, system.matrix.rows, precision),
      measured_(executor, queue, system.matrix.rows, precision),
      products_(executor, static_cast<std::size_t>(vector_blocks(system.matrix.rows)) * element_size(precision)),
      squares_(executor, products_.size()),
      alpha_(executor, precision),
      beta_(executor, precision),
      rho_(executor, precision),
      curvature_(executor, precision),
      total_(executor, precision),
      norms_(executor, static_cast<std::size_t>(longest) * element_size(precision)),
      control_(executor, 2) {
  b_.upload(queue, system.rhs);
  if (!system.scale.empty()) {
    scale_.emplace(*executor, KernelSpec{"krylov_scale", precision, {}}, vector_box(system.matrix.rows), timer);
    scale_vector_.emplace(executor, queue, system.matrix.rows, precision);
    scale_vector_->upload(queue, system.scale);
    z_.emplace(executor, queue, system.matrix.rows, precision);
  }
  for (Scalar* scalar : {&alpha_, &beta_, &rho_, &curvature_, &total_}) scalar->set(queue, 0.0);
  reset();
}

void ConjugateGradients::reset() { control_.upload(queue_, std::array<std::int64_t, 2>{0, 0}); }

double ConjugateGradients::norm_of(Buffer<std::byte>& list) {
  sum_.launch(queue_, std::array{partials(list), total_.argument(), Argument::integer(0)});
  queue_.synchronize();
  const double total = total_.value(queue_);
  // As the kernels of iterations do it.
  return precision_ == Precision::float32 ? static_cast<double>(std::sqrt(static_cast<float>(total)))
                                          : std::sqrt(total);
}

double ConjugateGradients::rhs_norm() {
  reset();
  product_.launch(queue_, std::array{b_.plane(), b_.plane(), partials(products_), control()});
  return norm_of(products_);
}

double ConjugateGradients::measure() {
  matrix_.multiply(queue_, x_, w_);
  residual_.launch(queue_, std::array{b_.plane(), w_.plane(), measured_.plane(), partials(squares_)});
  return norm_of(squares_);
}

void ConjugateGradients::start() {
  reset();
  std::swap(r_, measured_);
  if (z_)
    scale_->launch(queue_, std::array{scale_vector_->plane(), r_.plane(), z_->plane(), partials(products_), control()});
  sum_.launch(queue_, std::array{partials(z_ ? products_ : squares_), rho_.argument(), Argument::integer(0)});
  beta_.set(queue_, 0.0);
}

void ConjugateGradients::launch(std::int64_t number, std::int64_t slot, double tolerance) {
  direction_.launch(queue_, std::array{z().list(), p_.list(), beta_.argument(), control()});
  matrix_.multiply(queue_, p_, w_);
  product_.launch(queue_, std::array{p_.plane(), w_.plane(), partials(products_), control()});
  alpha_kernel_.launch(queue_, std::array{partials(products_), rho_.argument(), curvature_.argument(),
                                          alpha_.argument(), Argument::integer(number), control()});
  step_.launch(queue_, std::array{p_.plane(), w_.plane(), x_.plane(), r_.plane(), alpha_.argument(), partials(squares_),
                                  control()});
  norm_.launch(queue_, std::array{partials(squares_), Argument::buffer(norms_.memory()), Argument::integer(slot),
                                  Argument::integer(number), Argument::integer(1), Argument::real(1.0),
                                  Argument::real(1.0), Argument::real(tolerance), control()});
  if (z_)
    scale_->launch(queue_, std::array{scale_vector_->plane(), r_.plane(), z_->plane(), partials(products_), control()});
  beta_kernel_.launch(queue_,
                      std::array{partials(z_ ? products_ : squares_), rho_.argument(), beta_.argument(), control()});
}

ConjugateGradients::Found ConjugateGradients::look(std::int64_t count) {
  std::array<std::int64_t, 2> stop{};
  control_.download(queue_, stop);
  Found found{stop[0], stop[0] == 0 ? End::none : stop[1] == 2 ? End::breakdown : End::norm, {}};
  std::vector<std::byte> raw(static_cast<std::size_t>(count) * element_size(precision_));
  norms_.download(queue_, raw);
  found.norms = from_precision(raw, precision_);
  return found;
}

template <class Visit>
void ConjugateGradients::each_part(Visit&& visit) {
  visit("x", x_);
  visit("r", r_);
  visit("p", p_);
  if (z_) visit("z", *z_);
}

void ConjugateGradients::save(CheckpointWriter& writer) {
  each_part([&](const char* name, Vector& vector) { writer.put(name, vector.values(queue_)); });
  const std::array scalars{rho_.value(queue_), beta_.value(queue_)};
  writer.put("scalars", std::as_bytes(std::span(scalars)));
}

void ConjugateGradients::restore(CheckpointReader& reader) {
  each_part([&](const char* name, Vector& vector) {
    std::vector<std::byte> raw = vector.values(queue_);
    reader.get(name, raw);
    vector.upload(queue_, std::span<const std::byte>(raw));
  });
  std::array<double, 2> scalars{};
  reader.get("scalars", std::as_writable_bytes(std::span(scalars)));
  rho_.set(queue_, scalars[0]);
  beta_.set(queue_, scalars[1]);
  reset();
}

double device_bytes(const LinearSystemSetup& setup, std::int64_t longest) {
  const auto size = static_cast<double>(element_size(setup.precision));
  const double vectors = (setup.scaled ? 8.0 : 6.0) * static_cast<double>(vector_blocks(setup.rows) * vector_block);
  return csr_bytes(setup.rows, setup.entries, setup.precision) +
         (vectors + 2.0 * static_cast<double>(vector_blocks(setup.rows)) + static_cast<double>(longest + 7)) * size;
}

std::vector<KernelSpec> cg_kernels(const LinearSystemSetup& setup) {
  std::vector<KernelSpec> specs;
  for (const char* name : {"csr_segments", "row_join", "krylov_product", "krylov_residual", "krylov_direction",
                           "krylov_step", "cg_alpha", "cg_beta", "residual_norm", "sum"})
    specs.push_back({name, setup.precision, {}});
  if (setup.scaled) specs.push_back({"krylov_scale", setup.precision, {}});
  return specs;
}

}  // namespace quoin
