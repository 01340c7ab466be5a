// What the peers carry along on n x n squares of [-1, 1]^2, periodic: a wave that goes from time 0 to the end in equal
// steps of Runge and Kutta. A program is started as `PROGRAM ORDER CELLS STAGES COURANT` and prints one line of JSON.
#ifndef PEERS_FLOW_H
#define PEERS_FLOW_H

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

constexpr double pi = 3.14159265358979323846;

struct Flow {
  int order;  // of the polynomials
  int cells;  // on a side
  int stages;
  int steps;
  double dt;
};

// Of the command line; `speed` is |a| + |b|, of which COURANT is the multiple of dt over the side of a cell at most.
// Ends the program where it is not as above.
inline Flow flow_of(int argc, char** argv, double speed, double end) {
  Flow flow{};
  double courant = 0.0;
  if (argc == 5) {
    flow = {std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3]), 0, 0.0};
    courant = std::atof(argv[4]);
  }
  if (flow.order < 1 || flow.order > 3 || flow.cells < 4 || flow.stages < 2 || flow.stages > 4 || !(courant > 0.0)) {
    std::fprintf(stderr, "usage: %s ORDER CELLS STAGES COURANT\n", argv[0]);
    std::exit(2);
  }
  flow.steps = static_cast<int>(std::ceil(end * speed * flow.cells / (2.0 * courant)));
  flow.dt = end / flow.steps;
  return flow;
}

// Seconds of the steps alone, after one step that touches all memory and is undone by `start`.
template <class Start, class Step>
double seconds_of(const Flow& flow, Start&& start, Step&& step) {
  start();
  step();
  start();
  const auto begin = std::chrono::steady_clock::now();
  for (int count = 0; count < flow.steps; ++count) step();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// `l2`: the norm of the difference from the exact solution at the end. It is printed as Quoin's is, over the root of
// the area.
inline void report(const Flow& flow, const char* version, double seconds, double l2) {
  if (!(l2 < 1.0)) {
    std::fprintf(stderr, "the wave grew, to an error of %g: COURANT is too large\n", l2);
    std::exit(1);
  }
  std::printf(
      "{\"version\": \"%s\", \"order\": %d, \"cells\": %d, \"stages\": %d, \"processes\": 1, \"steps\": %d, "
      "\"seconds\": %.9e, \"l2\": %.17e}\n",
      version, flow.order, flow.cells, flow.stages, flow.steps, seconds, l2 / 2.0);
}

#endif
