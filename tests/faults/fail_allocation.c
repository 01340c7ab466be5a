/*
 * Preloaded into a program together with libfiu's library for POSIX: makes the call of malloc, calloc or realloc fail
 * whose number QUOIN_FAIL_ALLOCATION gives, counted from the start of main. With 0 none fails, and their number is
 * printed at the end.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fiu-control.h>
#include <fiu.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int main_function(int, char**, char**);
typedef int start_function(main_function*, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);

static main_function* real_main;
static long failing;
static atomic_long calls;
static _Thread_local int opening;

static int reached(const char* name, int* failnum, void** failinfo, unsigned* flags) {
  (void)name;
  (void)failnum;
  (void)failinfo;
  (void)flags;
  return !opening && atomic_fetch_add(&calls, 1) + 1 == failing;
}

static int counted_main(int argc, char** argv, char** environment) {
  static const char* const points[] = {"libc/mm/malloc", "libc/mm/calloc", "libc/mm/realloc"};
  fiu_init(0);
  for (int k = 0; k < 3; ++k) fiu_enable_external(points[k], 1, NULL, 0, reached);
  const int code = real_main(argc, argv, environment);
  for (int k = 0; k < 3; ++k) fiu_disable(points[k]);
  if (failing == 0) fprintf(stderr, "%ld allocations\n", (long)calls);
  return code;
}

/* What is run before main, such as the constructors of libraries, is not counted: nobody could catch its errors. Nor
 * are those of the thirty libraries that come with HDF5. */
typedef void* open_function(const char*, int);
open_function dlopen;
void* dlopen(const char* file, int mode) {
  open_function* open = (open_function*)dlsym(RTLD_NEXT, "dlopen");
  opening = file != NULL && strstr(file, "quoin-hdf5") != NULL;
  void* const library = open(file, mode);
  opening = 0;
  return library;
}

start_function __libc_start_main;
int __libc_start_main(main_function* main, int argc, char** argv, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void* stack_end) {
  start_function* start = (start_function*)dlsym(RTLD_NEXT, "__libc_start_main");
  const char* number = getenv("QUOIN_FAIL_ALLOCATION");
  real_main = main;
  if (number != NULL) failing = atol(number);
  return start(number == NULL ? main : counted_main, argc, argv, init, fini, loader_fini, stack_end);
}
