#pragma once

#include <string_view>

#include "mesh/mesh.hpp"

namespace quoin {

/// Joins two sides, straight or curved, that are translations of one another: their vertices become the same ones
/// (Mesh::periodic) and their edges leave the boundary. Once for each direction; corners merge by themselves.
/// Throws ErrorKind::case_file where a side is not there, or a vertex or edge of one has no partner on the other.
void match_periodic(Mesh& mesh, std::string_view one, std::string_view other);

}  // namespace quoin
