#include "problems/dgcvs/setup/method.hpp"

#include <string>

#include "quoin/error.hpp"

namespace quoin {
namespace {

Compression compression_of(const Case& the_case) {
  const std::string& name = the_case.text("output.compression");
  return name == "none" ? Compression::none : name == "best" ? Compression::best : Compression::fast;
}

}  // namespace

DgMethod::DgMethod(const Case& the_case)
    : order(static_cast<int>(the_case.integer("method.order"))),
      precision(the_case.text("method.precision") == "float" ? Precision::float32 : Precision::float64),
      final_time(the_case.real("method.final_time")),
      newton(the_case.text("method.solver") == "newton"),
      split(the_case.text("method.loops") == "split"),
      sweeps(the_case.integer("method.sweeps")),
      newton_iterations(newton ? the_case.integer("method.newton_iterations") : 0),
      limiter_threshold(the_case.text("method.limiter") == "indicator" ? the_case.real("method.limiter_threshold")
                                                                       : 0.0),
      history_every(the_case.integer("output.history_every")),
      entities(the_case.text("method.entities").starts_with("mesh_order") ? EntityOrder::mesh_order
                                                                          : EntityOrder::boundary_last),
      together(the_case.text("method.entities") != "boundary_last" && the_case.text("method.entities") != "auto"),
      few_together(the_case.text("method.entities") == "auto" && !split),
      indexed(the_case.text("method.entities") == "mesh_order_indexed"),
      compression(compression_of(the_case)) {
  if (the_case.has("method.cfl")) cfl = the_case.real("method.cfl");
  if (the_case.has("method.max_steps")) max_steps = the_case.integer("method.max_steps");
  if (the_case.has("output.fields.every")) frames = Every(the_case, "output.fields.every", RunsBy::time);
  if (the_case.has("method.time_step")) {
    time_step = the_case.real("method.time_step");
    if (the_case.has("method.cfl"))
      throw the_case.error_at("method.time_step", "method.cfl is given as well; give one of them");
  }
  if (precision == Precision::float32 && order > 2)
    throw the_case.error_at("method.precision", "float is for orders up to 2; use precision: double");
  const std::string& limiter = the_case.text("method.limiter");
  if ((limiter == "indicator" || limiter == "always") && order == 0)
    throw the_case.error_at("method.limiter", "order 0 has no slopes to limit; use limiter: none, or a higher order");
}

}  // namespace quoin
