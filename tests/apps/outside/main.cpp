// Solves a case on the backends that lie beside the library, as `quoin run` does.

#include <iostream>

#include "quoin/case.hpp"
#include "quoin/error.hpp"
#include "quoin/run.hpp"

int main(int argc, char** argv) try {
  if (argc != 2) throw quoin::Error(quoin::ErrorKind::usage, "usage: decay CASE.yaml");
  const auto plugins = quoin::find_plugins(quoin::plugin_folders({}));
  quoin::KeyTable keys = quoin::KeyTable::standard();
  for (const quoin::Candidate& plugin : plugins)
    if (plugin.refusal.empty()) keys.add_backend(plugin.name, plugin.keys);
  const quoin::Outcome outcome = quoin::run_case(quoin::Case::load(argv[1], {}, keys), plugins, {});
  quoin::shutdown_backends();
  return outcome.exit_code;
} catch (const quoin::Error& error) {
  std::cerr << error.what() << "\n";
  return error.exit_code();
}
