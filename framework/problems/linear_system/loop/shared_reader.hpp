#pragma once

#include "quoin/communicator.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// A checkpoint that the first rank reads for all, who ask for the same.
class SharedReader final : public CheckpointReader {
 public:
  /// `reader`: of the first rank; null on others.
  SharedReader(Communicator& ranks, CheckpointReader* reader) : ranks_(ranks), reader_(reader) {}
  void get_part(const std::string& name, std::size_t total, std::size_t offset, std::span<std::byte> bytes) override;

 private:
  Communicator& ranks_;
  CheckpointReader* reader_;
};

}  // namespace quoin
