#pragma once

// What Krylov methods have in common. Their numbers stay on the device, so that no launch waits for the host: it looks
// once for many iterations, and those behind a stop have done nothing.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/tree_groups.hpp"
#include "problems/linear_system/scheme/part_matrix.hpp"
#include "problems/linear_system/scheme/preconditioner.hpp"
#include "quoin/problem.hpp"

namespace quoin {

class KrylovSolver {
 public:
  KrylovSolver(const KrylovSolver&) = delete;
  KrylovSolver& operator=(const KrylovSolver&) = delete;
  virtual ~KrylovSolver() = default;

  /// The norm of b.
  [[nodiscard]] double rhs_norm();
  /// The norm of b - A x for the x of the newest iteration, which start() can go on from. It leaves the iteration as
  /// it is.
  double measure();
  /// Starts, or starts again, from that x and its residual.
  void start();
  /// How many more iterations can be launched until the method has to start again.
  [[nodiscard]] virtual std::int64_t room() const { return std::numeric_limits<std::int64_t>::max(); }
  /// Queues iteration `number`, from 1, whose norm goes to `slot`.
  virtual void launch(std::int64_t number, std::int64_t slot, double tolerance) = 0;

  enum class End { none, norm, breakdown };
  struct Found {
    std::int64_t stopped_at = 0;  ///< the iteration that has ended the run; 0: none has
    End end = End::none;          ///< by its norm, met or not finite, or by a number that the method divides by
    std::int64_t code = 0;        ///< of the breakdown
    std::vector<double> norms;    ///< of the slots
  };
  /// What has become of `count` launches. The queue has been waited for.
  [[nodiscard]] Found look(std::int64_t count);
  /// So many of them count.
  virtual void keep(std::int64_t /*iterations*/) {}
  /// What has broken down, for a user; of a method that divides by nothing, nothing has.
  [[nodiscard]] virtual std::string breakdown(const Found& /*found*/) { return {}; }
  /// Whether it makes sense to start again after that.
  [[nodiscard]] virtual bool restarts() const { return false; }
  /// What helps where the residual grows beyond all numbers, as the end of a sentence.
  [[nodiscard]] virtual const char* remedy() const { return ""; }

  /// The rows of this rank.
  [[nodiscard]] const DeviceMatrix& matrix() const { return matrix_.stored(); }
  [[nodiscard]] const Preconditioner* preconditioner() const { return preconditioner_.get(); }  ///< null for none
  /// The x of the newest iteration: on the first rank that of all ranks, which make these calls together.
  [[nodiscard]] std::vector<std::byte> solution() { return whole(complete(), 0); }
  /// What an iteration goes on from, on the first rank: array number n is written by write(n, files), which is
  /// write_array() of all ranks.
  using WriteArray = std::function<std::vector<WrittenPart>(std::int64_t n, RankFiles& files)>;
  virtual void save(CheckpointWriter& writer, const WriteArray& write);
  /// As write_parts().
  std::vector<WrittenPart> write_array(std::int64_t n, RankFiles* files);
  virtual void restore(CheckpointReader& reader);

 protected:
  KrylovSolver(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system,
               std::int64_t longest);

  /// The same, for the method's own vectors and numbers; r is the residual of x, and no iteration has been done.
  virtual void begin() = 0;
  /// The vectors and numbers that an iteration goes on from, besides x and r.
  struct Part {
    const char* name;
    Vector* vector;
  };
  struct Number {
    const char* name;
    Scalar* scalar;
  };
  virtual std::vector<Part> vectors() = 0;
  virtual std::vector<Number> numbers() = 0;
  /// The x of the newest iteration. The iterations go on from x_.
  virtual Vector& complete() { return x_; }
  /// Makes it x_.
  virtual void accept() {}

  [[nodiscard]] TimedKernel on_blocks(const char* kernel) const { return kernel_on_blocks(place_, kernel, rows_); }
  [[nodiscard]] TimedKernel on_line(const char* kernel) const { return kernel_on_line(place_, kernel, rows_); }
  /// For joined() sums.
  [[nodiscard]] TimedKernel on_sums(const char* kernel) const;
  [[nodiscard]] std::int64_t sums() const { return place_.ranks.size() > 1 ? 1 : vector_blocks(rows_); }
  [[nodiscard]] Vector vector() const { return {place_, rows_, room_}; }
  [[nodiscard]] Vector basis(std::int64_t count) const { return {place_, rows_, room_, count}; }
  [[nodiscard]] Scalar number(std::int64_t count = 1) const { return Scalar(place_, count); }
  [[nodiscard]] Buffer<std::byte> block_sums(std::int64_t lists = 1) const;
  [[nodiscard]] Argument control() { return Argument::buffer(control_.memory()); }
  [[nodiscard]] Argument norms() { return Argument::buffer(norms_.memory()); }

  /// Rows of the plane that a vector is.
  [[nodiscard]] std::int64_t vector_rows() const { return block_rows * vector_blocks(rows_); }

  /// M u: in `image`, or without a preconditioner u itself.
  VectorPlace preconditioned(const VectorPlace& u, std::optional<Vector>& image);
  /// The same always in `image`, for kernels that change u while they read it.
  void precondition(const VectorPlace& u, Vector& image, TimedKernel& copy);
  /// y = A x, and the block sums of v y.
  void multiply(const VectorPlace& x, const VectorPlace& y, const VectorPlace& v, const Argument& sums);
  /// The block sums of u v.
  void product(const VectorPlace& u, const VectorPlace& v, const Argument& sums);
  /// The norm of an iteration from its block sums, which may stop the run.
  void look_at_norm(Buffer<std::byte>& squares, std::int64_t number, std::int64_t slot, double tolerance);
  void sum(Buffer<std::byte>& sums, Scalar& into);
  [[nodiscard]] double norm_of(Buffer<std::byte>& squares);
  /// Lists of block sums, one behind the other, for kernels that add them up: over several ranks each is one number,
  /// the sum of all ranks.
  [[nodiscard]] Argument joined(Buffer<std::byte>& sums, std::int64_t lists = 1);
  /// Takes back a stop.
  void reset();
  /// The block sums as a list.
  [[nodiscard]] static Argument list(Buffer<std::byte>& sums) { return Argument::buffer(sums.memory(), 0, 1); }

  DevicePlace place_;
  const Cuts cuts_;
  const RowRange own_;
  const std::int64_t rows_;  // on the device
  PartMatrix matrix_;
  std::unique_ptr<Preconditioner> preconditioner_;  // null for none
  const Room room_;
  Vector b_, x_, r_, w_;                  // w: a product with the matrix
  Buffer<std::byte> products_, squares_;  // block sums

 private:
  std::vector<Part> parts();
  /// On the first rank, number k of a basis with the elements of all ranks.
  std::vector<std::byte> whole(Vector& vector, std::int64_t k);
  [[nodiscard]] std::size_t bytes_before(std::int64_t k) const;
  [[nodiscard]] std::size_t kept_bytes(std::int64_t count) const;
  template <class T>
  void join(Buffer<std::byte>& sums, std::int64_t lists);

  Buffer<std::byte> joined_;          // of as many lists as a method has at once
  std::optional<TreeGroups> groups_;  // of several ranks
  TimedKernel product_, residual_, norm_, sum_;
  Vector measured_;
  Scalar total_;
  Buffer<std::byte> norms_;
  Buffer<std::int64_t> control_;
};

inline constexpr std::int64_t longest_chunk = 256;

/// A method, and what a run with it needs.
struct KrylovMethod {
  std::size_t launches = 0;  ///< of an iteration, at most; of a method by itself, without those of the next line
  std::size_t products = 1, applications = 1;  ///< with the matrix, and of the preconditioner, in an iteration
  bool transposed = false;  ///< whether it multiplies by the transposes of the matrix and of the preconditioner as well
  std::int64_t longest = longest_chunk;  ///< iterations that are launched at most before the host looks
  /// Its own, besides those that all methods have.
  std::int64_t vectors = 0, saved_vectors = 0;
  bool complete = false;  ///< whether an iteration whose norm stops the run leaves all that another would go on from
  std::vector<const char*> kernels;
  std::unique_ptr<KrylovSolver> (*make)(const DevicePlace& place, const LinearSystemSetup& setup,
                                        const LinearSystem& system, std::int64_t longest) = nullptr;
};
template <class Solver>
std::unique_ptr<KrylovSolver> make_solver(const DevicePlace& place, const LinearSystemSetup& setup,
                                          const LinearSystem& system, std::int64_t longest) {
  return std::make_unique<Solver>(place, setup, system, longest);
}
/// That of the case. Throws ErrorKind::case_file where it cannot go with the preconditioner.
KrylovMethod krylov_method(const LinearSystemSetup& setup);

/// The kernels that a run of the case makes.
std::vector<KernelSpec> krylov_kernels(const LinearSystemSetup& setup);
/// Its bytes on the device.
double device_bytes(const LinearSystemSetup& setup);

}  // namespace quoin
