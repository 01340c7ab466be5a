/*
 * What the peers solve: -u_xx - u_yy = f on the unit square with five points on n x n interior nodes, u = 0 on the
 * sides and at the start, f = 2 pi^2 sin(pi x) sin(pi y). A program of its own for each library is started as
 * `mpiexec -n P PROGRAM n iterations` and prints one line of JSON.
 *
 * With PEERS_CG the distance of nodes is 1 and f is 1.
 */
#ifndef PEERS_PROBLEM_H
#define PEERS_PROBLEM_H

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int nodes; /* on a side */
  int iterations;
  double h;        /* distance of nodes */
  double beside;   /* matrix entry of a neighbour */
  double diagonal; /* matrix entry of a node */
} Problem;

/* Ends the program where the command line is not `n iterations`. */
static inline Problem problem_of(int argc, char** argv) {
  Problem p = {argc == 3 ? atoi(argv[1]) : 0, argc == 3 ? atoi(argv[2]) : 0, 0.0, 0.0, 0.0};
  if (p.nodes < 1 || p.iterations < 1) {
    fprintf(stderr, "usage: %s NODES ITERATIONS\n", argv[0]);
    exit(2);
  }
#ifdef PEERS_CG
  p.h = 1.0;
#else
  p.h = 1.0 / (p.nodes + 1);
#endif
  p.beside = -1.0 / (p.h * p.h);
  p.diagonal = 4.0 / (p.h * p.h);
  return p;
}

/* f at node (i, j), counted from 0. */
static inline double source(const Problem* p, int i, int j) {
#ifdef PEERS_CG
  (void)p, (void)i, (void)j;
  return 1.0;
#else
  const double pi = 3.14159265358979323846;
  return 2.0 * pi * pi * sin(pi * (i + 1) * p->h) * sin(pi * (j + 1) * p->h);
#endif
}

/* `two_norm`: of the residual that the last iteration leaves. It is scaled as Quoin's is. */
static inline void report(const Problem* p, const char* version, double seconds, double two_norm) {
  int rank = 0;
  int processes = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  if (rank != 0) return;
  printf("{\"version\": \"%s\", \"nodes\": %d, \"iterations\": %d, \"processes\": %d, \"seconds\": %.9e, ", version,
         p->nodes, p->iterations, processes, seconds);
  printf("\"residual\": %.17e}\n", two_norm * p->h);
}

#endif
