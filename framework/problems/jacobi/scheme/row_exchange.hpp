#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "problems/jacobi/setup/setup.hpp"
#include "quoin/communicator.hpp"
#include "quoin/field.hpp"

namespace quoin {

/// Brings the rows of its neighbours that lie next to a rank's strip into the ghosts of its fields.
class RowExchange {
 public:
  /// `depth`: rows of ghosts on either side, as far as the grid has rows there.
  RowExchange(Communicator& ranks, const JacobiSetup& setup, std::int64_t depth);

  /// All ranks call it with a field that has so many ghost rows.
  void run(Queue& queue, Field& field) const;

 private:
  struct Cut {
    int rank;
    std::int64_t out, in;  ///< the first row to send and the first ghost row, counted in the strip
    std::int64_t out_rows, in_rows;
  };
  [[nodiscard]] std::vector<std::byte> rows_for(const Cut& cut, Queue& queue, const Field& field) const;
  void fill_ghosts(const Cut& cut, Queue& queue, Field& field, std::span<const std::byte> rows) const;

  Communicator& ranks_;
  const JacobiSetup& setup_;
  Sides sides_;  // where there are cuts
  std::vector<Cut> cuts_;
};

}  // namespace quoin
