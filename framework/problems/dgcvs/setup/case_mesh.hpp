#pragma once

#include "mesh/mesh.hpp"
#include "mesh/rectangle.hpp"
#include "problems/dgcvs/setup/law.hpp"
#include "problems/dgcvs/setup/method.hpp"
#include "quoin/case.hpp"

namespace quoin {

/// That of a case without a mesh file.
Rectangle rectangle_of(const Case& the_case);

/// The mesh of a case, refined and with its periodic sides joined. Throws ErrorKind::case_file where it does not fit
/// the case's sides, ErrorKind::resource where it does not fit into memory.
Mesh mesh_of(const Case& the_case, const HostLaw& law, const DgMethod& method);

}  // namespace quoin
