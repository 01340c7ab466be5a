// Version 4.0: nodes and elements lie in blocks, one an entity; numbers have 4 bytes, counts 8.

#include "mesh/gmsh_layout.hpp"

namespace quoin {
namespace {

void read_entities_40(GmshStream& in, GmshFile& file) { read_entities(in, file, 6); }

void read_nodes_40(GmshStream& in, GmshFile& file) {
  const std::int64_t blocks = in.checked(in.int64(), "blocks of nodes", 4, 20);
  const std::int64_t count = in.checked(in.int64(), "nodes", 4, 28);
  const std::size_t place = in.place();
  file.nodes.reserve(count);
  for (std::int64_t block = 0; block < blocks; ++block) {
    in.int32();  // the entity
    const std::int64_t dimension = read_dimension(in);
    const bool parametric = in.flag();
    for (std::int64_t left = in.checked(in.int64(), "nodes", 4, 28); left > 0; --left) {
      const std::int64_t number = read_node_number(in);
      read_coordinates(in, file, number, in.place());
      read_parameters(in, dimension, parametric);
    }
  }
  expect_count(in, "nodes", static_cast<std::int64_t>(file.nodes.size()), count, place);
}

void read_elements_40(GmshStream& in, GmshFile& file) {
  const std::int64_t blocks = in.checked(in.int64(), "blocks of elements", 4, 20);
  const std::int64_t count = in.checked(in.int64(), "elements", 2, 8);
  const std::size_t place = in.place();
  for (std::int64_t block = 0; block < blocks; ++block) {
    const std::int64_t entity = in.int32();
    const std::int64_t dimension = read_dimension(in);
    read_elements_of(in, file, dimension, entity);
  }
  expect_count(in, "elements", file.element_count(), count, place);
}

}  // namespace

const GmshLayout gmsh_40{4.0, 4, read_entities_40, read_nodes_40, read_elements_40};

}  // namespace quoin
