// The program in which plugins are opened for the first time; see plugin/probe.cpp.

#include <cstdlib>

#include "plugin/probe.hpp"

int main(int argc, char** argv) {
  if (argc == 4) quoin::answer_probe(argv[1], static_cast<pid_t>(std::strtol(argv[2], nullptr, 10)), argv[3]);
  return 2;
}
