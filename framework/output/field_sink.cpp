#include "quoin/error.hpp"
#include "quoin/fields.hpp"

namespace quoin {

void FieldSink::grid_in_pieces(const GridPieces& pieces) {
  throw Error(ErrorKind::bug, "a field in pieces that were not asked for", pieces.field.name);
}

void FieldSink::elements_in_pieces(const ElementPieces& pieces) {
  throw Error(ErrorKind::bug, "a frame in pieces that were not asked for", pieces.frame.level);
}

}  // namespace quoin
