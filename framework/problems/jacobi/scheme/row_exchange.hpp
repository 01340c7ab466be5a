#pragma once

#include <cstddef>
#include <cstdint>
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

/// Brings the rows of its neighbours that lie next to a rank's strip into the ghosts of its fields.
class RowExchange {
 public:
  /// `depth`: rows of ghosts on either side, as far as the grid has rows there; no strip but the uppermost has fewer.
  /// What stands at the ends of rows is 0.
  RowExchange(const StripGrid& grid, std::int64_t depth);
  /// On the case's grid, with its side values there, which the fields have already.
  RowExchange(Communicator& ranks, const JacobiSetup& setup, std::int64_t depth);

  /// All ranks call it with a field that has so many ghost rows.
  void run(Queue& queue, Field& field);

 private:
  struct Cut {
    int rank;
    std::int64_t out, in;  ///< the first row to send and the first ghost row, counted in the strip
    std::int64_t out_rows, in_rows;
  };
  [[nodiscard]] bool alike(const Field& field);
  void run_row_by_row(Queue& queue, Field& field) const;
  void fill_ghosts(const Cut& cut, Queue& queue, Field& field, std::span<const std::byte> rows) const;

  StripGrid grid_;
  bool of_case_ = false;
  std::optional<bool> alike_;  // fields of all ranks have their rows equally far apart; known from the first run on
  std::optional<Sides> sides_;
  std::vector<Cut> cuts_;
  std::vector<Parcel> out_, in_;  // kept: to come by fresh memory takes as long as to fill it
};

/// Brings the strips of all ranks into a field of each that holds the whole grid.
void gather_rows(const StripGrid& grid, Queue& queue, Field& field);

}  // namespace quoin
