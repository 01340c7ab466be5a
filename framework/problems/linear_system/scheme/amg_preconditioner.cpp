#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "problems/linear_system/scheme/part_matrix.hpp"
#include "problems/linear_system/scheme/preconditioner.hpp"
#include "problems/linear_system/setup/multigrid_levels.hpp"

namespace quoin {
namespace {

/// These are visited twice each time, so that the number of iterations does not grow with the system. Those below are
/// as good as solved then, and a GPU takes long for the many launches of a full W-cycle.
constexpr std::size_t first_twice = 1, last_twice = 2;
/// Of a visit to one level at most.
constexpr std::size_t maps = 7, products = 7, visits = 4;

/// What r and z are on a level below the finest.
struct Vectors {
  Vector r, z;
};

/// Two levels next to each other.
struct LevelCuts {
  const Cuts &fine, &coarse;
};

class Level {
 public:
  /// `coarse_room`: of vectors for the next level.
  Level(const DevicePlace& place, const SparseMatrix& matrix, const MultigridLevel& level, const LevelCuts& cuts,
        const Storage& storage, bool twice, const Room& coarse_room)
      : own_(cuts.fine[place.ranks.rank()]),
        rows_(own_.stored()),
        matrix_(place, matrix, cuts.fine, cuts.fine, storage),
        prolongation_(place, level.prolongation, cuts.fine, cuts.coarse, storage),
        restriction_(place, level.restriction, cuts.coarse, cuts.fine, storage),
        first_(place, rows_),
        second_(place, rows_),
        w_(place, rows_, restriction_.room()),
        start_(kernel_on_line(place, "relax_start", rows_)),
        sweep_(kernel_on_line(place, "relax_sweep", rows_)),
        defect_(kernel_on_line(place, "relax_defect", rows_)),
        correct_(kernel_on_line(place, "relax_correct", rows_)),
        coarse_(coarse_vectors(place, cuts.coarse, room_for_both(prolongation_.room(), coarse_room))) {
    first_.upload(place.queue, own_.of(level.weight[0]));
    second_.upload(place.queue, own_.of(level.weight[1]));
    if (twice) rest_ = Vectors{Vector(place, rows_), Vector(place, rows_, matrix_.room())};
  }

  /// Smooths z = 0, and leaves the residual for the next level.
  void descend(Queue& queue, const VectorPlace& r, const VectorPlace& z, const Argument& control) {
    start_.launch(queue, std::array{first_.list(), r.list(), z.list(), control});
    sweep(queue, second_, r, z, control);
    defect(queue, r, z, w_, control);
    restriction_.multiply(queue, w_, coarse_.r);
  }
  /// Adds what the next level has found, and smooths in the opposite order, so that the cycle is symmetric.
  void ascend(Queue& queue, const VectorPlace& r, const VectorPlace& z, const Argument& control) {
    prolongation_.multiply(queue, coarse_.z, w_);
    correct_.launch(queue, std::array{w_.list(), z.list(), control});
    sweep(queue, second_, r, z, control);
    sweep(queue, first_, r, z, control);
  }

  /// What is left of r for a second visit.
  Vectors& rest(Queue& queue, const VectorPlace& r, const VectorPlace& z, const Argument& control) {
    defect(queue, r, z, rest_->r, control);
    return *rest_;
  }
  /// Adds what that has found.
  void add_rest(Queue& queue, const VectorPlace& z, const Argument& control) {
    correct_.launch(queue, std::array{rest_->z.list(), z.list(), control});
  }

  [[nodiscard]] Vectors& coarse() { return coarse_; }
  /// Of its z.
  [[nodiscard]] const Room& room() const { return matrix_.room(); }
  [[nodiscard]] bool twice() const { return rest_.has_value(); }

 private:
  static Vectors coarse_vectors(const DevicePlace& place, const Cuts& cuts, const Room& room) {
    const std::int64_t rows = cuts[place.ranks.rank()].stored();
    return {Vector(place, rows, room), Vector(place, rows, room)};
  }
  void sweep(Queue& queue, Vector& weight, const VectorPlace& r, const VectorPlace& z, const Argument& control) {
    matrix_.multiply(queue, z, w_);
    sweep_.launch(queue, std::array{weight.list(), r.list(), w_.list(), z.list(), control});
  }
  /// w = r - A z
  void defect(Queue& queue, const VectorPlace& r, const VectorPlace& z, Vector& w, const Argument& control) {
    matrix_.multiply(queue, z, w);
    defect_.launch(queue, std::array{r.list(), w.list(), control});
  }

  RowRange own_;
  std::int64_t rows_;
  PartMatrix matrix_, prolongation_, restriction_;
  Vector first_, second_, w_;
  TimedKernel start_, sweep_, defect_, correct_;
  Vectors coarse_;
  std::optional<Vectors> rest_;
};

/// One cycle.
class AmgPreconditioner final : public Preconditioner {
 public:
  AmgPreconditioner(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system)
      : AmgPreconditioner(place, setup, system,
                          multigrid_of(system.matrix, setup.the_case.real("method.preconditioner.strength"))) {}

  bool apply(Queue& queue, const VectorPlace& r, const VectorPlace& z, const Argument& /*partials*/,
             const Argument& control) override {
    cycle(queue, 0, r, z, control);
    return false;
  }

  [[nodiscard]] Room room() const override { return room_of(0); }
  [[nodiscard]] std::vector<Figure> figures() const override {
    return {{"preconditioner.levels", static_cast<std::int64_t>(levels_.size()) + 1},
            {"preconditioner.coarsest_rows", coarsest_rows_},
            {"preconditioner.operator_complexity", complexity_}};
  }

 private:
  AmgPreconditioner(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system,
                    const Multigrid& multigrid)
      : AmgPreconditioner(place, setup, system.matrix, multigrid, cuts_of(system, multigrid)) {}

  /// From the coarsest on, which the vectors of the one above have room for.
  AmgPreconditioner(const DevicePlace& place, const LinearSystemSetup& setup, const SparseMatrix& a,
                    const Multigrid& multigrid, const std::vector<Cuts>& cuts)
      : levels_(multigrid.levels.size()),
        inverse_(place, multigrid.inverse, cuts.back(), cuts.back(), setup.storage),
        coarsest_rows_(multigrid.rows),
        complexity_(static_cast<double>(multigrid.entries) / static_cast<double>(a.entries())) {
    for (std::size_t number = levels_.size(); number-- > 0;) {
      const MultigridLevel& level = multigrid.levels[number];
      levels_[number] = std::make_unique<Level>(place, number == 0 ? a : level.matrix, level,
                                                LevelCuts{cuts[number], cuts[number + 1]}, setup.storage,
                                                number >= first_twice && number <= last_twice, room_of(number + 1));
    }
  }

  static std::vector<Cuts> cuts_of(const LinearSystem& system, const Multigrid& multigrid) {
    const int ranks = system.cuts.ranks();
    std::vector<Cuts> cuts{system.cuts};
    for (std::size_t number = 1; number < multigrid.levels.size(); ++number)
      cuts.emplace_back(multigrid.levels[number].matrix, ranks);
    if (!multigrid.levels.empty()) cuts.emplace_back(multigrid.inverse, ranks);
    return cuts;
  }
  [[nodiscard]] const Room& room_of(std::size_t level) const {
    return level < levels_.size() ? levels_[level]->room() : inverse_.room();
  }

  void cycle(Queue& queue, std::size_t number, const VectorPlace& r, const VectorPlace& z, const Argument& control) {
    if (number == levels_.size()) return inverse_.multiply(queue, r, z);
    visit(queue, number, r, z, control);
    Level& level = *levels_[number];
    if (!level.twice()) return;
    Vectors& rest = level.rest(queue, r, z, control);
    visit(queue, number, rest.r, rest.z, control);
    level.add_rest(queue, z, control);
  }
  void visit(Queue& queue, std::size_t number, const VectorPlace& r, const VectorPlace& z, const Argument& control) {
    Level& level = *levels_[number];
    level.descend(queue, r, z, control);
    cycle(queue, number + 1, level.coarse().r, level.coarse().z, control);
    level.ascend(queue, r, z, control);
  }

  std::vector<std::unique_ptr<Level>> levels_;
  PartMatrix inverse_;
  std::int64_t coarsest_rows_;
  double complexity_;
};

}  // namespace

PreconditionerMethod amg_preconditioner(const LinearSystemSetup& setup) {
  // Of a Poisson matrix all levels together have less than twice its entries and rows, and prolongations fewer.
  const double matrices = 4.0 * matrix_bytes(setup.rows, setup.entries, setup.storage.format, setup.precision);
  return {.launches = most_multigrid_levels * visits * (maps + products * most_product_launches),
          .kernels = {"relax_start", "relax_sweep", "relax_defect", "relax_correct"},
          .bytes = matrices + 10.0 * vector_bytes(setup.rows, setup.precision),
          .host = 6.0 * 16.0 * static_cast<double>(setup.entries + setup.rows),
          .make = make_preconditioner<AmgPreconditioner>};
}

}  // namespace quoin
