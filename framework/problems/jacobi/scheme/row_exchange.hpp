#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "problems/jacobi/setup/setup.hpp"
#include "problems/jacobi/setup/strips.hpp"
#include "quoin/communicator.hpp"
#include "quoin/field.hpp"
#include "quoin/ranks.hpp"

namespace quoin {

/// A grid of which each rank has a strip.
struct StripGrid {
  Communicator& ranks;
  Strips strips;
  std::int64_t nx;
  Precision precision;

  [[nodiscard]] Strip own() const { return strips[ranks.rank()]; }
};
/// The case's.
StripGrid strip_grid(Communicator& ranks, const JacobiSetup& setup);

/// Brings rows of other ranks into the fields of each.
class RowExchange {
 public:
  /// Those that lie next to a rank's strip, into the ghosts of fields that hold it. `depth`: rows of ghosts on either
  /// side, as far as the grid has rows there; no strip but the uppermost has fewer. What stands at the ends of a row is
  /// 0.
  RowExchange(const StripGrid& grid, std::int64_t depth);
  /// The same on the case's grid, with its side values there, which the fields have already.
  RowExchange(Communicator& ranks, const JacobiSetup& setup, std::int64_t depth);
  /// All, into fields that hold the whole grid.
  static RowExchange of_all(const StripGrid& grid);

  /// All ranks call it, with fields that have their rows as far apart as those of the first call.
  void run(Queue& queue, std::initializer_list<Field*> fields);

 private:
  struct Cut {
    int rank;
    std::int64_t out, in;  ///< the first row to send and the first to come, in the field
    std::int64_t out_rows, in_rows;
  };
  explicit RowExchange(const StripGrid& grid) : grid_(grid) {}
  [[nodiscard]] bool alike(std::initializer_list<Field*> fields);
  void run_row_by_row(Queue& queue, Field& field) const;
  void fill(const Cut& cut, Queue& queue, Field& field, std::span<const std::byte> rows) const;

  StripGrid grid_;
  std::optional<bool> alike_;  // fields of all ranks have their rows equally far apart; known from the first run on
  std::optional<Sides> sides_;
  std::vector<Cut> cuts_;
  HostBytes out_, in_;  // kept: to come by fresh memory takes as long as to fill it
};

}  // namespace quoin
