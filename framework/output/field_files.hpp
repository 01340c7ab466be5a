#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/sha256.hpp"
#include "output/result_folder.hpp"
#include "output/vtu.hpp"
#include "quoin/fields.hpp"

namespace quoin {

/// Writes the fields and tables of a run into its folder and hashes the fields of the newest frame.
class FieldFiles final : public FieldSink {
 public:
  /// Without `wanted` fields are hashed only; tables are written all the same. `pieces`: each of the ranks writes its
  /// own.
  FieldFiles(ResultFolder& folder, bool wanted, bool pieces = false, int ranks = 1)
      : folder_(folder), wanted_(wanted), pieces_(pieces), ranks_(ranks) {}

  /// What follows belongs to the frame after so many iterations or steps. False where that is the newest already:
  /// nothing more of it is to come.
  bool begin_frame(std::int64_t step);
  void grid(const GridField& field) override;
  void vector(const VectorValues& vector) override;
  void elements(const ElementFields& frame) override;
  void elements_of_ranks(const ElementsOfRanks& elements) override;
  [[nodiscard]] bool in_pieces() const override { return wanted_ && pieces_; }
  void grid_in_pieces(const GridPieces& pieces) override;
  void series(const Table& more) override;
  void table(const Table& table) override;
  /// What was written so far, for a checkpoint, and what goes on from there.
  [[nodiscard]] std::string state() const;
  void restore(const std::string& state);
  /// Brings the growing tables to the disk. None may grow after that.
  void close();

  /// Over the values of the newest frame, field by field, as they lie in memory (nodes of elements: doubles).
  [[nodiscard]] std::string sha256() const { return kept_sha256_.empty() ? hash_.hex() : kept_sha256_; }
  /// The files written so far, in the order of their first appearance.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  struct Series {
    GrowingFile file;
    std::size_t width;
    std::string text;  // all of it, for checkpoints
  };
  void note(const std::string& name);
  void note_all(const std::string& stem, const std::vector<std::string>& names);
  void hash(const ElementsOfRanks& elements);
  /// `at_once`: several threads may ask for arrays at the same time.
  void write_in_one(const ElementsOfRanks& elements);
  void write_in_pieces(const ElementsOfRanks& elements);
  void add_to_series(const ElementFields& frame, const std::string& picture);
  void grow(Series& series, const std::string& text);

  ResultFolder& folder_;
  bool wanted_;
  bool pieces_;
  int ranks_;
  Sha256 hash_;
  std::string kept_sha256_;                               // of a frame from before the run went on
  std::optional<std::int64_t> frame_;                     // the newest
  std::map<std::string, std::vector<TimedFile>> frames_;  // of each level
  std::map<std::string, VtuMesh> meshes_;                 // of each level, where they stay
  std::map<std::string, Series> series_;
  std::vector<std::string> names_;
};

}  // namespace quoin
