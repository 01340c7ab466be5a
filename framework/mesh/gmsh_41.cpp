// Version 4.1: nodes and elements lie in blocks, one an entity; numbers and counts have 8 bytes.

#include "mesh/gmsh_layout.hpp"

namespace quoin {
namespace {

void read_entities_41(GmshStream& in, GmshFile& file) { read_entities(in, file, 3); }

// The least and the largest number, which nothing here depends on.
void skip_range(GmshStream& in) {
  in.tag();
  in.tag();
}

void read_nodes_41(GmshStream& in, GmshFile& file) {
  const std::int64_t blocks = in.checked(in.int64(), "blocks of nodes", 4, 20);
  const std::int64_t count = in.checked(in.int64(), "nodes", 4, 32);
  const std::size_t head = in.place();
  skip_range(in);
  file.nodes.reserve(count);
  std::vector<std::pair<std::int64_t, std::size_t>> numbers;  // with their places: all come before the coordinates
  for (std::int64_t block = 0; block < blocks; ++block) {
    const std::int64_t dimension = read_dimension(in);
    in.int32();  // the entity
    const bool parametric = in.flag();
    numbers.resize(in.checked(in.int64(), "nodes", 4, 32));
    for (auto& [number, place] : numbers) {
      number = read_node_number(in);
      place = in.place();
    }
    for (const auto& [number, place] : numbers) {
      read_coordinates(in, file, number, place);
      read_parameters(in, dimension, parametric);
    }
  }
  expect_count(in, "nodes", static_cast<std::int64_t>(file.nodes.size()), count, head);
}

void read_elements_41(GmshStream& in, GmshFile& file) {
  const std::int64_t blocks = in.checked(in.int64(), "blocks of elements", 4, 20);
  const std::int64_t count = in.checked(in.int64(), "elements", 2, 16);
  const std::size_t head = in.place();
  skip_range(in);
  for (std::int64_t block = 0; block < blocks; ++block) {
    const std::int64_t dimension = read_dimension(in);
    const std::int64_t entity = in.int32();
    read_elements_of(in, file, dimension, entity);
  }
  expect_count(in, "elements", file.element_count(), count, head);
}

}  // namespace

const GmshLayout gmsh_41{4.1, 8, read_entities_41, read_nodes_41, read_elements_41};

}  // namespace quoin
