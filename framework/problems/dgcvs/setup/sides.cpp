#include "problems/dgcvs/setup/sides.hpp"

#include "base/text.hpp"
#include "problems/beside.hpp"
#include "problems/dgcvs/setup/state_formula.hpp"
#include "quoin/error.hpp"

namespace quoin {

std::string side_key(const std::string& side, const char* key) {
  return "problem.boundary." + path_part(side) + "." + key;
}

std::vector<SideCondition> sides_of(const Case& the_case, const HostLaw& law, const Mesh& mesh,
                                    const Expression::Constants& constants) {
  std::vector<SideCondition> sides;
  for (const std::string& side : mesh.sides) {
    const std::string key = side_key(side, "type");
    const std::string section = key.substr(0, key.rfind('.'));
    if (!the_case.has(key))
      throw the_case.error_at(key, "nothing is said of the side '" + side + "': give '" + section +
                                       "', periodic, dirichlet, exact, wall or open");
    const std::string& type = the_case.text(key);
    SideCondition condition;
    if (type != "periodic") condition.kind = type == "wall" ? SideKind::wall : SideKind::dirichlet;
    if (type == "open") {
      condition.path = "problem.initial";
      if (starts_from_fields(the_case))
        throw the_case.error_at(section + ".type",
                                "the side '" + side +
                                    "' is open: what comes in is the state of time 0, by its formula, "
                                    "which 'problem.initial.from' does not have; use dirichlet with a value");
    } else if (type == "dirichlet") {
      condition.path = section + ".value";
      condition.uses_time = StateFormula(the_case, condition.path, law, constants).uses_time();
    } else if (type == "stage" || type == "discharge") {
      if (!law.is_water())
        throw the_case.error_at(key, "a " + type + " is for shallow_water; " + law.name() + " has none");
      if (!the_case.has(section + ".series"))
        throw the_case.error_at(
            section, "the side '" + side + "' needs '" + section + ".series', a CSV file of times and values");
      condition.kind = type == "stage" ? SideKind::stage : SideKind::discharge;
      condition.series = std::make_shared<const TimeSeries>(beside_case(the_case, section + ".series"),
                                                            the_case.real("method.final_time"));
      condition.uses_time = true;
    } else if (type == "exact") {
      condition.uses_time = true;
      if (!ExactSolution::given(the_case))
        throw the_case.error_at(key,
                                "the side '" + side + "' takes the exact solution, but there is no 'problem.exact'");
    } else if (type == "wall" && !law.is_water()) {
      throw the_case.error_at(key, "a wall is for shallow_water; " + law.name() + " knows no walls");
    }
    sides.push_back(condition);
  }
  return sides;
}

}  // namespace quoin
