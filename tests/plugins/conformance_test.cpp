// The conformance suite must pass a right backend and find each mistake of a wrong one, in the kernel
// that makes it and in no other.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "quoin/catalogue.hpp"

namespace quoin {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

struct Finished {
  int code;
  std::string output;
};

/// Captures both streams, unless `arguments` end with a redirection of their own.
Finished run(const std::string& arguments) {
  const std::string command = std::string(QUOIN_PROGRAM) + " conformance 2>&1 " + arguments;
  FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  std::array<char, 4096> part{};
  while (const std::size_t count = fread(part.data(), 1, part.size(), pipe)) output.append(part.data(), count);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

struct Mistake {
  std::string name;
  std::set<std::string> found_in;
  std::string words;  // of the message
};

/// Those, and the kernels that are `wanted`: what all of a kind do wrong, new ones do as well.
template <class Wanted>
std::set<std::string> with_kernels(std::set<std::string> names, Wanted&& wanted) {
  for (const CatalogueEntry& entry : catalogue)
    if (wanted(entry)) names.emplace(entry.name);
  return names;
}
auto of(Pattern pattern) {
  return [pattern](const CatalogueEntry& entry) { return entry.pattern == pattern; };
}
const std::set<std::string> of_passes = with_kernels({}, of(Pattern::own_sweeps));
bool can_be_stopped(const CatalogueEntry& entry) { return entry.argument("control") < entry.arguments.size(); }

/// Whether the message has an element of an array of the kernel; true of a check that is no kernel's.
bool names_an_array(const std::string& check, const std::string& message) {
  const CatalogueEntry* entry = find_kernel(check);
  if (entry == nullptr) return true;
  return std::ranges::any_of(entry->arguments, [&](const ArgumentSpec& argument) {
    const std::string name(argument.name);
    return is_array(argument.kind) &&
           (message.find(name + "(") != std::string::npos || message.find(name + "[") != std::string::npos);
  });
}

void PrintTo(const Mistake& mistake, std::ostream* stream) { *stream << mistake.name; }

class Wrong : public testing::TestWithParam<Mistake> {};

TEST_P(Wrong, IsFound) {
  std::string checks;  // those of kernels of DG-CVS would take most of the time, for mistakes elsewhere
  for (const std::string& name : GetParam().found_in) checks += " --check '" + name + "'";
  const Finished finished =
      run(QUOIN_WRONG_PLUGIN " --json --set mistake=" + GetParam().name + checks + " 2>/dev/null");
  EXPECT_EQ(finished.code, 8);
  const Json report = Json::parse(finished.output);
  EXPECT_FALSE(report["conforms"]);
  std::set<std::string> failed;
  for (const Json& check : report["checks"]) {
    if (check["outcome"] != "failed") continue;
    failed.insert(check["name"]);
    const auto message = check["message"].get<std::string>();
    EXPECT_THAT(message, HasSubstr(GetParam().words));
    EXPECT_TRUE(names_an_array(check["name"].get<std::string>(), message)) << check["name"] << ": " << message;
  }
  EXPECT_EQ(failed, GetParam().found_in);
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, Wrong,
    testing::Values(
        Mistake{"operator", {"jacobi_laplacian"}, "au("}, Mistake{"weight", {"jacobi_update"}, "u("},
        Mistake{"order",
                with_kernels({"jacobi_sweeps", "order in a queue", "order across queues"}, of(Pattern::block_sums)),
                "expected"},
        Mistake{"weights", of_passes, "u_new("}, Mistake{"planes", of_passes, "partials("},
        Mistake{"beyond", {"jacobi_sweeps"}, "u_new("}, Mistake{"mean", {"jacobi_restrict"}, "coarse_u("},
        Mistake{"share", {"jacobi_prolong", "cube_prolong"}, "u("}, Mistake{"plane", {"cube_laplacian"}, "au("},
        Mistake{"tree", with_kernels({"order in a queue", "order across queues"}, of(Pattern::list_sums)), "["},
        Mistake{"tolerance", {"residual_norm"}, "tolerance just below the norm"},
        Mistake{"first", {"residual_norm"}, "8 iterations"},
        Mistake{"every", {"residual_norm"}, "that every third looks at"},
        Mistake{"slot", {"residual_norm", "sum", "order in a queue", "order across queues"}, "s["},
        Mistake{"outside",
                {"jacobi_laplacian",   "jacobi_boundary",     "jacobi_update",
                 "halo_pack",          "halo_unpack",         "stream_copy",
                 "stream_triad",       "stream_multiply_add", "dgcvs_observe",
                 "bicgstab_direction", "gmres_combine",       "gmres_correct",
                 "relax_start",        "relax_sweep",         "relax_defect",
                 "relax_correct",      "gmres_extend",        "memory",
                 "memory_add",         "memory_atomic_add",   "memory_shared_add",
                 "diffusion_operator", "diffusion_update",    "cube_laplacian",
                 "cube_flow",          "cube_flow_update"},
                "("},
        Mistake{"control", with_kernels({"order in a queue"}, can_be_stopped), ""},
        Mistake{"host", {"memory"}, "the host had written"}, Mistake{"apart", {"memory"}, "a kernel has not copied"},
        Mistake{"map", {"memory"}, "while it had the memory"}, Mistake{"input", {"stream_triad", "memory"}, "x"},
        Mistake{"copy", {"source of a copy"}, "copy_in"}, Mistake{"sequence", {"sequences"}, "expected"},
        Mistake{"entry", {"csr_segments"}, "sums("}, Mistake{"row", {"row_join"}, "y["},
        Mistake{"known", {"ilu_sweep"}, "made("}, Mistake{"level", {"ilu_level"}, "z("},
        Mistake{"sweeps", {"dgcvs_update"}, "own("}, Mistake{"start", {"dgcvs_update"}, "from the mean"},
        Mistake{"boundary", {"dgcvs_update"}, "boundary vertices"}, Mistake{"step", {"dgcvs_update"}, "own("},
        Mistake{"shape", {"dgcvs_update"}, "shapes in turn"}, Mistake{"region", {"dgcvs_update"}, "whole region"},
        Mistake{"bed", {"dgcvs_update"}, "shallow_water_bed"}, Mistake{"predicated", {"dgcvs_update"}, "among others"},
        Mistake{"twice", {"dgcvs_update"}, "among others"}, Mistake{"stale", {"dgcvs_update"}, "own("},
        Mistake{"parts", {"dgcvs_update"}, "rhs("}, Mistake{"newton", {"dgcvs_newton"}, "own("},
        Mistake{"matrix", {"dgcvs_linear"}, "own("}, Mistake{"limiter", {"dgcvs_limit"}, "own("},
        Mistake{"lost", {"memory_atomic_add", "memory_shared_add"}, "x("},
        Mistake{"spatial", {"dgcvs_observe"}, "mass("}, Mistake{"promises", {"unknown kernels"}, "supports"},
        Mistake{"layout", {"layouts"}, "does not hold the field"}),
    [](const auto& mistake) { return mistake.param.name; });

TEST(Conformance, PassesTheSameBackendWithoutAMistake) {
  const Finished finished = run(QUOIN_WRONG_PLUGIN);
  EXPECT_EQ(finished.code, 0) << finished.output;
  EXPECT_THAT(finished.output, HasSubstr("wrong on deliberate mistakes: conforms\n"));
}

TEST(Conformance, RunsTheChecksThatAreAskedFor) {
  const Finished passed = run(QUOIN_WRONG_PLUGIN " --check jacobi_update --check layouts --set mistake=operator");
  EXPECT_EQ(passed.code, 0);
  EXPECT_THAT(passed.output, testing::ContainsRegex("^jacobi_update +double[^\n]* ok\njacobi_update +float[^\n]* ok\n"
                                                    "layouts [^\n]* ok\nshutdown [^\n]* ok\n"
                                                    "wrong [^\n]*: all 4 checks passed that were asked for\n$"));
  EXPECT_EQ(run(QUOIN_WRONG_PLUGIN " --check jacobi_laplacian --set mistake=operator").code, 8);
}

TEST(Conformance, SaysWhichElementDiffersAlsoAsJUnit) {
  const auto file = std::filesystem::path(testing::TempDir()) / "quoin-conformance.xml";
  const Finished finished = run(QUOIN_WRONG_PLUGIN " --set mistake=operator --junit " + file.string());
  EXPECT_THAT(finished.output, testing::ContainsRegex("jacobi_laplacian +float +[0-9]+ cases +FAILED: 1x7: "
                                                      "au\\(0,1\\) is [^\n]*, expected"));
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  std::filesystem::remove(file);
  EXPECT_THAT(text.str(), HasSubstr("<testcase classname=\"wrong\" name=\"jacobi_laplacian float\""));
  EXPECT_THAT(text.str(), HasSubstr("<failure message=\"1x7: au(0,1) is "));
}

TEST(Conformance, RefusesWhatIsNotThere) {
  EXPECT_EQ(run("no_such_backend").code, 8);
  EXPECT_EQ(run("/no/such/file.so").code, 8);
  EXPECT_EQ(run(QUOIN_WRONG_PLUGIN ":7").code, 7);
  EXPECT_EQ(run(QUOIN_WRONG_PLUGIN " --set nonsense").code, 2);
  EXPECT_EQ(run(QUOIN_WRONG_PLUGIN " --check jacobi_laplacia").code, 2);
  EXPECT_EQ(run(QUOIN_WRONG_PLUGIN " --set mistake=operator --junit /no/such/folder/report.xml").code, 6);
}

}  // namespace
}  // namespace quoin
