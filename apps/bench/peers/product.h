/*
 * What the peers multiply: y = A x with x_i = 1 + (i mod 7) / 8. A square matrix lies by rows in three files of a
 * folder: `offsets` (int32, one more than there are rows), `columns` (int32) and `values` (float64). A program of its
 * own for each library is started as `mpiexec -n P PROGRAM FOLDER ROWS` and prints one line of JSON.
 */
#ifndef PEERS_PRODUCT_H
#define PEERS_PRODUCT_H

#include <stdio.h>
#include <stdlib.h>

enum { warm_products = 3 }; /* as many as `quoin bench spmv` does before it measures */

/* Of the command line. Ends the program where that is not `FOLDER ROWS`. */
static inline int rows_of(int argc, char** argv) {
  const int rows = argc == 3 ? atoi(argv[2]) : 0;
  if (rows < 1) {
    fprintf(stderr, "usage: %s FOLDER ROWS\n", argv[0]);
    exit(2);
  }
  return rows;
}

/* Elements `first` to `first + count` of a file of the folder. Ends the program where the file does not have them. */
static inline void read_elements(const char* folder, const char* name, void* into, size_t size, long first,
                                 size_t count) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* file = fopen(path, "rb");
  if (file == NULL || fseek(file, first * (long)size, SEEK_SET) != 0 || fread(into, size, count, file) != count) {
    fprintf(stderr, "%s does not hold the matrix\n", path);
    exit(1);
  }
  fclose(file);
}

static inline double x_at(long i) { return 1.0 + (double)(i % 7) / 8.0; }

/* To measure, about a tenth of a second, as `quoin bench spmv` does. */
static inline int products_of(double seconds_of_one) {
  const double products = 0.1 / seconds_of_one;
  return products < 1.0 ? 1 : products < 1000.0 ? (int)products : 1000;
}

static inline void report(const char* version, int processes, double seconds, int products, double norm) {
  printf("{\"version\": \"%s\", \"processes\": %d, \"us_per_product\": %.6f, \"norm\": %.17e}\n", version, processes,
         1e6 * seconds / products, norm);
}

#endif
