#pragma once

// Meshes of Gmsh's .msh files: versions 2.2, 4.0 and 4.1, ASCII and binary, of lines, triangles and quadrilaterals in a
// plane z = const. The physical curves are the sides: one without a name is called by its number. A boundary edge in no
// physical curve is refused; physical curves inside the domain mean nothing. Vertices that only point elements have are
// left out.

#include <filesystem>
#include <string>
#include <string_view>

#include "mesh/mesh.hpp"

namespace quoin {

/// Reads the file; the mesh has passed check_mesh(). Throws ErrorKind::io where the file cannot be read, and
/// ErrorKind::case_file, with file and line (ASCII) or byte (binary), where the file holds no such mesh.
Mesh read_gmsh(const std::filesystem::path& file);

/// Reads what such a file holds; `name` is what messages call it.
Mesh parse_gmsh(std::string_view bytes, const std::string& name);

}  // namespace quoin
