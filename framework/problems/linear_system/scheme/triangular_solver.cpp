#include "problems/linear_system/scheme/triangular_solver.hpp"

#include <array>

#include "problems/linear_system/scheme/device_matrix.hpp"
#include "problems/linear_system/setup/entries.hpp"
#include "problems/linear_system/setup/levels.hpp"

namespace quoin {
namespace {

class SweepSolver final : public TriangularSolver {
 public:
  SweepSolver(const DevicePlace& place, const SparseMatrix& n, const Storage& storage, std::int64_t sweeps)
      : sweeps_(sweeps),
        n_(place, n, storage),
        spare_(place, n.rows),
        defect_(kernel_on_line(place, "relax_defect", n.rows)) {}

  /// Each sweep needs the whole z of the one before, so that two vectors take turns.
  void solve(Queue& queue, const VectorPlace& r, const VectorPlace& z, const Argument& control) override {
    VectorPlace from = r;
    for (std::int64_t left = sweeps_; left > 0; --left) {
      const VectorPlace to = left % 2 == 1 ? z : VectorPlace(spare_);  // the last one is z
      n_.multiply(queue, from, to);
      defect_.launch(queue, std::array{r.list(), to.list(), control});
      from = to;
    }
  }
  [[nodiscard]] std::int64_t steps() const override { return sweeps_; }

 private:
  std::int64_t sweeps_;
  DeviceMatrix n_;
  Vector spare_;
  TimedKernel defect_;
};

class LevelSolver final : public TriangularSolver {
 public:
  LevelSolver(const DevicePlace& place, const SparseMatrix& n) : LevelSolver(place, n, levels_of(n)) {}

  void solve(Queue& queue, const VectorPlace& r, const VectorPlace& z, const Argument& control) override {
    kernel_.launch(
        queue, levels_,
        std::array{Argument::buffer(at_.memory()), Argument::buffer(row_.memory()), Argument::buffer(column_.memory()),
                   Argument::buffer(value_.memory()), r.list(), Argument::buffer(sums_.memory()), z.list(),
                   Argument::integer(entries_), Argument::integer(segments_), Argument::integer(rows_), control},
        cost_);
  }
  [[nodiscard]] std::int64_t steps() const override { return static_cast<std::int64_t>(levels_.size()); }

 private:
  LevelSolver(const DevicePlace& place, const SparseMatrix& n, const Levels& levels)
      : LevelSolver(place, ordered_rows(n, levels), levels, longest_segment(n) > segment_length) {}
  LevelSolver(const DevicePlace& place, const SparseMatrix& ordered, const Levels& levels, bool long_rows)
      : rows_(ordered.rows),
        entries_(ordered.entries()),
        segments_(long_rows ? rows_ + entries_ / segment_length + 1 : 1),
        at_(uploaded(place, ordered.at)),
        row_(uploaded(place, levels.row)),
        column_(uploaded(place, std::vector<std::int32_t>(ordered.column.begin(), ordered.column.end()))),
        value_(uploaded(place, in_precision(ordered.value, place.precision))),
        sums_(uploaded(place, in_precision(std::vector<double>(static_cast<std::size_t>(segments_)), place.precision))),
        kernel_(*place.executor, {"ilu_level", place.precision, {}}, Box::line(rows_), place.timer),
        cost_{static_cast<double>(entries_) * static_cast<double>(element_size(place.precision) + 4) +
                  static_cast<double>(rows_) * static_cast<double>(3 * element_size(place.precision) + 12),
              2.0 * static_cast<double>(entries_) + static_cast<double>(rows_)} {
    for (std::size_t k = 0; k + 1 < levels.first.size(); ++k)
      levels_.push_back({{levels.first[k], 0, 0}, {levels.first[k + 1], 1, 1}, {0, 0, 0}});
  }

  std::int64_t rows_, entries_, segments_;
  Buffer<std::int64_t> at_;
  Buffer<std::int32_t> row_, column_;
  Buffer<std::byte> value_, sums_;
  TimedKernel kernel_;
  Cost cost_;
  std::vector<Box> levels_;
};

}  // namespace

std::unique_ptr<TriangularSolver> solver_by_levels(const DevicePlace& place, const SparseMatrix& n) {
  return std::make_unique<LevelSolver>(place, n);
}

std::unique_ptr<TriangularSolver> solver_by_sweeps(const DevicePlace& place, const SparseMatrix& n,
                                                   const Storage& storage, std::int64_t sweeps) {
  return std::make_unique<SweepSolver>(place, n, storage, sweeps);
}

}  // namespace quoin
