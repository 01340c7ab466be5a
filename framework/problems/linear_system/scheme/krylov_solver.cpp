#include "problems/linear_system/scheme/krylov_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "problems/linear_system/scheme/methods.hpp"
#include "quoin/ranks.hpp"

namespace quoin {
namespace {

/// b, x, r, a product with the matrix and a measured residual.
constexpr std::int64_t common_vectors = 5;
/// Of the launches that the host looks at together.
constexpr std::int64_t most_queued = 1 << 15;

std::unique_ptr<Preconditioner> made_preconditioner(const DevicePlace& place, const LinearSystemSetup& setup,
                                                    const LinearSystem& system) {
  const PreconditionerMethod method = preconditioner_method(setup);
  return method.make == nullptr ? nullptr : method.make(place, setup, system);
}

KrylovMethod method_of(const LinearSystemSetup& setup) {
  if (setup.solver == "bicgstab") return bicgstab();
  if (setup.solver == "cgs") return cgs();
  if (setup.solver == "bicg") return bicg();
  if (setup.solver == "gmres") return gmres(setup);
  if (setup.solver == "richardson") return richardson();
  return conjugate_gradients();
}

}  // namespace

KrylovSolver::KrylovSolver(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system,
                           std::int64_t longest)
    : place_(place),
      cuts_(system.cuts),
      own_(cuts_[place.ranks.rank()]),
      rows_(own_.stored()),
      matrix_(place, system.matrix, cuts_, cuts_, setup.storage),
      preconditioner_(made_preconditioner(place, setup, system)),
      room_(room_for_both(matrix_.room(), preconditioner_ ? preconditioner_->room() : Room())),
      b_(vector()),
      x_(vector()),
      r_(vector()),
      w_(vector()),
      products_(block_sums()),
      squares_(block_sums()),
      joined_(place.executor,
              static_cast<std::size_t>(std::max<std::int64_t>(1, setup.restart)) * element_size(place.precision)),
      product_(on_blocks("krylov_product")),
      residual_(on_blocks("krylov_residual")),
      norm_(on_sums("residual_norm")),
      sum_(on_sums("sum")),
      measured_(vector()),
      total_(number()),
      norms_(place.executor, static_cast<std::size_t>(longest) * element_size(place.precision)),
      control_(place.executor, 2) {
  b_.upload(place.queue, own_.of(system.rhs));
  if (!system.start.empty()) x_.upload(place.queue, own_.of(system.start));
  if (place.ranks.size() > 1)
    groups_.emplace(place.executor, place.precision, own_.first / vector_block, vector_blocks(own_.rows()),
                    std::max<std::int64_t>(1, setup.restart));
  reset();
}

TimedKernel KrylovSolver::on_sums(const char* kernel) const {
  return {*place_.executor, {kernel, place_.precision, {}}, Box::line(sums()), place_.timer};
}

Buffer<std::byte> KrylovSolver::block_sums(std::int64_t lists) const {
  return {place_.executor, static_cast<std::size_t>(lists * vector_blocks(rows_)) * element_size(place_.precision)};
}

void KrylovSolver::reset() { control_.upload(place_.queue, std::array<std::int64_t, 2>{0, 0}); }

VectorPlace KrylovSolver::preconditioned(const VectorPlace& u, std::optional<Vector>& image) {
  if (!preconditioner_) return u;
  preconditioner_->apply(place_.queue, u, *image, list(products_), control());
  return *image;
}

void KrylovSolver::precondition(const VectorPlace& u, Vector& image, TimedKernel& copy) {
  if (preconditioner_)
    preconditioner_->apply(place_.queue, u, image, list(products_), control());
  else
    copy.launch(place_.queue, std::array{u.list(), image.list()});
}

void KrylovSolver::multiply(const VectorPlace& x, const VectorPlace& y, const VectorPlace& v, const Argument& sums) {
  if (!matrix_.multiply(place_.queue, x, y, v, sums, control())) product(v, y, sums);
}

void KrylovSolver::product(const VectorPlace& u, const VectorPlace& v, const Argument& sums) {
  product_.launch(place_.queue, std::array{u.plane(), v.plane(), sums, control()});
}

void KrylovSolver::look_at_norm(Buffer<std::byte>& squares, std::int64_t number, std::int64_t slot, double tolerance) {
  norm_.launch(place_.queue, std::array{joined(squares), norms(), Argument::integer(slot), Argument::integer(number),
                                        Argument::integer(1), Argument::real(1.0), Argument::real(1.0),
                                        Argument::real(tolerance), control()});
}

void KrylovSolver::sum(Buffer<std::byte>& sums, Scalar& into) {
  sum_.launch(place_.queue, std::array{joined(sums), into.argument(), Argument::integer(0)});
}

Argument KrylovSolver::joined(Buffer<std::byte>& sums, std::int64_t lists) {
  if (place_.ranks.size() == 1) return Argument::buffer(sums.memory(), 0, lists == 1 ? 1 : vector_blocks(rows_));
  if (place_.precision == Precision::float64)
    join<double>(sums, lists);
  else
    join<float>(sums, lists);
  return list(joined_);
}

/// By the tree over the blocks of all ranks.
template <class T>
void KrylovSolver::join(Buffer<std::byte>& sums, std::int64_t lists) {
  const std::vector<T> totals = sums_of(place_.ranks, groups_->digests<T>(place_.queue, sums.memory(), lists));
  joined_.upload(place_.queue, std::as_bytes(std::span(totals)));
}

double KrylovSolver::norm_of(Buffer<std::byte>& squares) {
  sum(squares, total_);
  place_.queue.synchronize();
  // As the kernels of iterations do it: to round a root of doubles to float is to round once.
  return rounded(std::sqrt(total_.value(place_.queue)), place_.precision);
}

double KrylovSolver::rhs_norm() {
  product(b_, b_, list(products_));
  return norm_of(products_);
}

double KrylovSolver::measure() {
  matrix_.multiply(place_.queue, complete(), w_);
  residual_.launch(place_.queue, std::array{b_.plane(), w_.plane(), measured_.plane(), list(squares_)});
  return norm_of(squares_);
}

void KrylovSolver::start() {
  accept();
  reset();
  std::swap(r_, measured_);
  begin();
}

KrylovSolver::Found KrylovSolver::look(std::int64_t count) {
  std::array<std::int64_t, 2> stop{};
  control_.download(place_.queue, stop);
  Found found{stop[0], stop[0] == 0 ? End::none : stop[1] > 1 ? End::breakdown : End::norm, stop[1], {}};
  std::vector<std::byte> raw(static_cast<std::size_t>(count) * element_size(place_.precision));
  norms_.download(place_.queue, raw);
  found.norms = from_precision(raw, place_.precision);
  return found;
}

std::vector<KrylovSolver::Part> KrylovSolver::parts() {
  std::vector<Part> all{{"x", &x_}, {"r", &r_}};
  for (const Part& part : vectors()) all.push_back(part);
  return all;
}

std::vector<std::byte> KrylovSolver::whole(Vector& vector, std::int64_t k) {
  std::vector<std::byte> elements = vector.values(place_.queue, k);
  const std::size_t size = element_size(place_.precision);
  elements.resize(static_cast<std::size_t>(own_.rows()) * size);
  return place_.ranks.size() == 1 ? elements : gather(place_.ranks, elements);
}

/// Of all ranks, as one rank lays it out on its device.
std::size_t KrylovSolver::bytes_before(std::int64_t k) const {
  return static_cast<std::size_t>(k * vector_blocks(cuts_.rows()) * vector_block) * element_size(place_.precision);
}

/// The vectors of a basis one behind the other.
std::vector<WrittenPart> KrylovSolver::write_array(std::int64_t n, RankFiles* files) {
  Vector& vector = *parts().at(static_cast<std::size_t>(n)).vector;
  const std::size_t size = element_size(place_.precision);
  const std::size_t bytes = static_cast<std::size_t>(own_.rows()) * size;
  const ArrayPart own{{{static_cast<std::uint64_t>(own_.first) * size, bytes}},
                      static_cast<std::uint64_t>(vector.count()),
                      bytes_before(1)};
  return write_parts(place_.ranks, files, own, [&](const TakeBytes& take) {
    for (std::int64_t k = 0; k < vector.count(); ++k)
      take(std::span<const std::byte>(vector.values(place_.queue, k)).first(bytes));
  });
}

void KrylovSolver::save(CheckpointWriter& writer, const WriteArray& write) {
  std::int64_t n = 0;
  for (const Part& part : parts()) {
    writer.put_parts(part.name, kept_bytes(part.vector->count()),
                     [write, n](RankFiles& files) { return write(n, files); });
    ++n;
  }
  for (const Number& part : numbers()) {
    const std::vector<double> values = part.scalar->values(place_.queue);
    writer.put(part.name, std::as_bytes(std::span(values)));
  }
}

/// Of so many vectors, each in whole blocks but the last.
std::size_t KrylovSolver::kept_bytes(std::int64_t count) const {
  return bytes_before(count - 1) + static_cast<std::size_t>(cuts_.rows()) * element_size(place_.precision);
}

void KrylovSolver::restore(CheckpointReader& reader) {
  for (const Part& part : parts()) {
    const std::size_t size = element_size(place_.precision);
    const std::int64_t count = part.vector->count();
    std::vector<std::byte> raw(static_cast<std::size_t>(cuts_.rows()) * size);
    for (std::int64_t k = 0; k < count; ++k) {
      reader.get_part(part.name, kept_bytes(count), bytes_before(k), raw);
      const std::size_t first = static_cast<std::size_t>(own_.first) * size;
      part.vector->upload(place_.queue,
                          std::span<const std::byte>(raw).subspan(first, static_cast<std::size_t>(own_.rows()) * size),
                          k);
    }
  }
  for (const Number& part : numbers()) {
    std::vector<double> values = part.scalar->values(place_.queue);
    reader.get(part.name, std::as_writable_bytes(std::span(values)));
    part.scalar->upload(place_.queue, values);
  }
  reset();
}

KrylovMethod krylov_method(const LinearSystemSetup& setup) {
  KrylovMethod method = method_of(setup);
  const PreconditionerMethod preconditioner = preconditioner_method(setup);
  if (method.transposed && preconditioner.make != nullptr && !preconditioner.symmetric) {
    throw setup.the_case.error_at("method.preconditioner",
                                  fmt::format("{} needs the transpose of the preconditioner as well, and there is none "
                                              "of {}; use jacobi, or bicgstab, cgs or gmres",
                                              setup.solver, setup.preconditioner));
  }
  method.launches += method.products * most_product_launches + method.applications * preconditioner.launches;
  method.longest =
      std::clamp<std::int64_t>(most_queued / static_cast<std::int64_t>(method.launches), 1, method.longest);
  return method;
}

std::vector<KernelSpec> krylov_kernels(const LinearSystemSetup& setup) {
  std::vector<KernelSpec> specs;
  for (const char* name : segment_kernels(setup.storage.format)) specs.push_back({name, setup.precision, {}});
  for (const char* name : {"row_join", "krylov_product", "krylov_residual", "residual_norm", "sum"})
    specs.push_back({name, setup.precision, {}});
  for (const char* name : krylov_method(setup).kernels) specs.push_back({name, setup.precision, {}});
  for (const char* name : preconditioner_method(setup).kernels) specs.push_back({name, setup.precision, {}});
  return specs;
}

double device_bytes(const LinearSystemSetup& setup) {
  const auto size = static_cast<double>(element_size(setup.precision));
  const KrylovMethod method = krylov_method(setup);
  const auto vectors = static_cast<double>(common_vectors + method.vectors);
  const auto rest = static_cast<double>(method.longest + setup.restart * (setup.restart + 5) + 8);
  // Of each vector at most one list of block sums.
  return (method.transposed ? 2.0 : 1.0) *
             matrix_bytes(setup.rows, setup.entries, setup.storage.format, setup.precision) +
         preconditioner_method(setup).bytes +
         vectors * (vector_bytes(setup.rows, setup.precision) + static_cast<double>(vector_blocks(setup.rows)) * size) +
         rest * size;
}

}  // namespace quoin
