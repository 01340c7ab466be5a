/*
 * A backend in plain C, straight against the ABI. The definitions in CMakeLists.txt make it wrong in one
 * way each. Its one kernel, `record`, writes what it was launched with into the memory of its first argument.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "quoin/kernels_hash.h"
#include "quoin/plugin_abi.h"

#ifndef FAKE_MAGIC
#define FAKE_MAGIC QUOIN_ABI_MAGIC
#endif
#ifndef FAKE_MAJOR
#define FAKE_MAJOR 1
#endif
#ifndef FAKE_MINOR
#define FAKE_MINOR QUOIN_ABI_MINOR
#endif
#if defined(FAKE_OTHER_FAMILY)
#define FAKE_KERNELS "{\"halo\":\"0000\",\"stream\":\"" QUOIN_HASH_OF_stream "\"}"
#elif defined(FAKE_OTHER_KERNELS)
#define FAKE_KERNELS "{\"halo\":\"0000\"}"
#else
#define FAKE_KERNELS QUOIN_KERNELS
#endif
#ifndef FAKE_TABLE_BYTES
#define FAKE_TABLE_BYTES sizeof(struct longer_table)
#endif
#ifndef FAKE_KEYS
#define FAKE_KEYS "[]"
#endif
#ifndef FAKE_DESCRIBED_NAME
#define FAKE_DESCRIBED_NAME FAKE_NAME
#endif
#ifndef FAKE_SYNCHRONIZE
#define FAKE_SYNCHRONIZE synchronize
#endif

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#ifndef FAKE_NO_MANIFEST
__attribute__((used, section(QUOIN_MANIFEST_SECTION))) static const char manifest[] =
    "{\"name\":\"" FAKE_NAME "\",\"version\":\"1.2.3\",\"abi\":[" TEXT(FAKE_MAJOR) "," TEXT(
        FAKE_MINOR) "],\"toolchain\":\"cc\",\"kernels\":" FAKE_KERNELS ",\"keys\":" FAKE_KEYS "}";
#endif

/* Leaves a file behind where the environment names one, to show that the object has been opened. */
__attribute__((constructor)) static void mark(void) {
  const char* marker = getenv("QUOIN_FAKE_MARKER");
  FILE* file = marker == NULL ? NULL : fopen(marker, "w");
  if (file != NULL) fclose(file);
}

struct quoin_memory {
  uint64_t bytes;
  char data[];
};
struct quoin_executor {
  int32_t device;
  int downwards;
};
struct quoin_kernel {
  char name[64];
};
struct quoin_sequence { /* of one launch */
  quoin_kernel* kernel;
  quoin_box box;
  quoin_argument argument;
};
struct quoin_queue {
  quoin_sequence* recorded;
};

static int fail(int status, const char* message, quoin_error* error) {
  snprintf(error->message, sizeof error->message, "%s", message);
  return status;
}
static int32_t left_out = 0; /* devices before those that may be wanted */
__attribute__((unused)) static int device_wanted(const char* device, quoin_error* error) {
  (void)error;
  left_out = strcmp(device, "Beta") == 0;
  return 0;
}
static int device_count(int32_t* count, quoin_error* error) {
  (void)error;
#ifdef FAKE_CRASH
  raise(SIGSEGV);
#endif
#ifdef FAKE_HANG
  for (;;) pause();
#endif
#ifdef FAKE_EXIT
  exit(0);
#endif
#ifdef FAKE_NO_DEVICE
  return fail(7, "the driver is not loaded", error);
#endif
#ifdef FAKE_PRINT
  printf("noise\n");
  fflush(stdout);
  fprintf(stderr, "noise\n");
#endif
  *count = 2 - left_out;
  return 0;
}
static int device_info(int32_t device, quoin_device_info* info, quoin_error* error) {
  device += left_out;
  if (device < 0 || device > 1) return fail(7, "no such device", error);
  info->kind = 1;
  snprintf(info->name, sizeof info->name, device == 0 ? "Fake Alpha" : "Fake Beta");
  info->memory_bytes = 1000;
  info->units = 3;
  info->subgroup = 32;
  info->peak_bandwidth = 2.5e9;
  info->memory_kinds = 1U | 4U | 32U;
  info->precisions = 4U;
  info->error_bound = 1e-6;
  snprintf(info->note, sizeof info->note, "not real");
#ifndef FAKE_OLDER
  snprintf(info->driver, sizeof info->driver, "driver 4.5");
  snprintf(info->version, sizeof info->version, "Fake 6.7");
#endif
  return 0;
}
static int executor_create(int32_t device, const quoin_option* options, uint64_t count, quoin_executor** executor,
                           quoin_error* error) {
  int downwards = 0;
  for (uint64_t k = 0; k < count; ++k) {
    if (strcmp(options[k].key, "status") == 0) return fail(atoi(options[k].value), "", error);
    if (strcmp(options[k].key, "order") == 0) downwards = strcmp(options[k].value, "down") == 0;
  }
  *executor = calloc(1, sizeof **executor);
  (*executor)->device = device;
  (*executor)->downwards = downwards;
  return 0;
}
__attribute__((unused)) static int executor_info(quoin_executor* executor, quoin_device_info* info,
                                                 quoin_error* error) {
  const int status = device_info(executor->device, info, error);
  if (executor->downwards) info->memory_kinds = 1U;
  return status;
}
static void executor_destroy(quoin_executor* executor) { free(executor); }
static int supports(quoin_executor* executor, const quoin_kernel_spec* spec, int32_t* answer, quoin_error* error) {
  (void)executor;
  (void)error;
  *answer = strcmp(spec->name, "record") == 0 && spec->precision == 4 && spec->constant_count == 1 &&
            strcmp(spec->constants[0].name, "order") == 0 && spec->constants[0].value == 5;
#ifdef FAKE_OTHER_FAMILY
  *answer = 1;
#endif
  return 0;
}
static int memory_create(quoin_executor* executor, uint64_t bytes, int32_t kind, quoin_memory** memory,
                         quoin_error* error) {
  (void)executor;
  (void)kind;
  if (bytes > 1000) return fail(7, "1000 bytes are free", error);
  *memory = calloc(1, sizeof **memory + bytes);
  (*memory)->bytes = bytes;
  return 0;
}
static void memory_destroy(quoin_memory* memory) { free(memory); }
__attribute__((unused)) static int memory_on_host(quoin_memory* memory, void** address, quoin_error* error) {
  (void)error;
  *address = memory->data;
  return 0;
}
__attribute__((unused)) static int memory_map(quoin_queue* queue, quoin_memory* memory, uint64_t offset, uint64_t bytes,
                                              void** address, quoin_error* error) {
  (void)queue;
  if (bytes > 500) return fail(7, "500 bytes at most", error);
  *address = memory->data + offset;
  return 0;
}
__attribute__((unused)) static int memory_unmap(quoin_queue* queue, quoin_memory* memory, void* address,
                                                quoin_error* error) {
  (void)queue;
  (void)error;
  if ((char*)address == memory->data) memory->data[0] = '!'; /* shows that it was called */
  return 0;
}
static int queue_create(quoin_executor* executor, quoin_queue** queue, quoin_error* error) {
  (void)executor;
  (void)error;
  *queue = calloc(1, sizeof **queue);
  return 0;
}
static void queue_destroy(quoin_queue* queue) { free(queue); }
static int copy_in(quoin_queue* queue, quoin_memory* target, uint64_t offset, const void* source, uint64_t bytes,
                   quoin_error* error) {
  (void)queue;
  (void)error;
  memcpy(target->data + offset, source, bytes);
  return 0;
}
static int copy_out(quoin_queue* queue, void* target, const quoin_memory* source, uint64_t offset, uint64_t bytes,
                    quoin_error* error) {
  (void)queue;
  (void)error;
  memcpy(target, source->data + offset, bytes);
  return 0;
}
__attribute__((unused)) static int synchronize(quoin_queue* queue, quoin_error* error) {
  (void)queue;
  (void)error;
  return 0;
}
static int kernel_create(quoin_executor* executor, const quoin_kernel_spec* spec, quoin_kernel** kernel,
                         quoin_error* error) {
  (void)executor;
  if (strcmp(spec->name, "null") == 0) return 0; /* success, but nothing made */
  *kernel = calloc(1, sizeof **kernel);
  snprintf((*kernel)->name, sizeof(*kernel)->name, "%s", spec->name);
  (void)error;
  return 0;
}
static void kernel_destroy(quoin_kernel* kernel) { free(kernel); }
static int launch(quoin_kernel* kernel, quoin_queue* queue, const quoin_box* box, const quoin_argument* arguments,
                  uint64_t count, quoin_error* error) {
  if (queue->recorded != NULL) {
    *queue->recorded = (quoin_sequence){kernel, *box, arguments[0]};
    return 0;
  }
  if (strcmp(kernel->name, "record") != 0) {
    snprintf(error->where, sizeof error->where, "point 3");
    return fail(5, "a point went wrong", error);
  }
  char* text = arguments[0].memory->data;
  text += sprintf(text, "box %d %d %d to %d %d %d from %d %d %d", (int)box->lower[0], (int)box->lower[1],
                  (int)box->lower[2], (int)box->upper[0], (int)box->upper[1], (int)box->upper[2], (int)box->origin[0],
                  (int)box->origin[1], (int)box->origin[2]);
  for (uint64_t k = 0; k < count; ++k) {
    const quoin_argument* a = &arguments[k];
    if (a->kind == 0 && a->memory == NULL) text += sprintf(text, ", absent");
    if (a->kind == 0 && a->memory != NULL)
      text += sprintf(text, ", %d bytes at %d by %d", (int)a->memory->bytes, (int)a->offset, (int)a->pitch);
    if (a->kind == 1) text += sprintf(text, ", real %g", a->real_value);
    if (a->kind == 2) text += sprintf(text, ", integer %d", (int)a->integer_value);
  }
  return 0;
}
__attribute__((unused)) static int sequence_begin(quoin_queue* queue, int32_t* answer, quoin_error* error) {
  (void)error;
  queue->recorded = calloc(1, sizeof *queue->recorded);
  *answer = 1;
  return 0;
}
__attribute__((unused)) static int sequence_end(quoin_queue* queue, quoin_sequence** sequence, quoin_error* error) {
  (void)error;
  *sequence = queue->recorded;
  queue->recorded = NULL;
  return 0;
}
__attribute__((unused)) static int sequence_run(quoin_queue* queue, quoin_sequence* sequence, quoin_error* error) {
  return launch(sequence->kernel, queue, &sequence->box, &sequence->argument, 1, error);
}
__attribute__((unused)) static void sequence_destroy(quoin_sequence* sequence) { free(sequence); }
__attribute__((unused)) static void shut_down(void) {
  const char* marker = getenv("QUOIN_FAKE_SHUTDOWN");
  FILE* file = marker == NULL ? NULL : fopen(marker, "a");
  if (file == NULL) return;
  fputs(FAKE_NAME "\n", file);
  fclose(file);
}

/* What a newer minor version may look like: entries that this host does not know. */
struct longer_table {
  quoin_table table;
  void (*unknown[4])(void);
};

/* Beyond the size that the plugin states lies rubbish, which must not be called. */
#define RUBBISH ((void*)1)
__attribute__((unused)) static const struct longer_table table = {
    {device_count,   device_info,    executor_create, executor_destroy, supports, memory_create,
     memory_destroy, queue_create,   queue_destroy,   copy_in,          copy_out, FAKE_SYNCHRONIZE,
     kernel_create,  kernel_destroy, launch,
#ifdef FAKE_OLDER
     RUBBISH,        RUBBISH,        RUBBISH,         RUBBISH,          RUBBISH,  RUBBISH,
     RUBBISH,        RUBBISH,        RUBBISH,         RUBBISH,          RUBBISH,  RUBBISH,
     RUBBISH,        RUBBISH,        RUBBISH,         RUBBISH,          RUBBISH,  RUBBISH},
#elif defined(FAKE_SOME_EVENTS)
     shut_down, NULL, RUBBISH, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
     NULL,      NULL, NULL,    NULL},
#elif defined(FAKE_MAPS_ONLY)
     shut_down, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, memory_map, NULL, NULL, NULL, NULL, NULL, NULL,
     NULL},
#elif defined(FAKE_SOME_SEQUENCES)
     shut_down, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, sequence_run,
     NULL},
#else
     shut_down, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, memory_on_host, memory_map, memory_unmap,
     executor_info, device_wanted, sequence_begin, sequence_end, sequence_run, sequence_destroy},
#endif
    {RUBBISH, RUBBISH, RUBBISH, RUBBISH}};

#ifndef FAKE_NO_SYMBOL
const quoin_descriptor* quoin_plugin(const quoin_host* host);
__attribute__((visibility("default"))) const quoin_descriptor* quoin_plugin(const quoin_host* host) {
  static const quoin_descriptor descriptor = {FAKE_MAGIC,       sizeof(quoin_descriptor), FAKE_MAJOR, FAKE_MINOR,
                                              FAKE_TABLE_BYTES, FAKE_DESCRIBED_NAME,      "1.2.3",    "cc",
                                              &table.table};
#ifdef FAKE_REFUSES
  return NULL;
#endif
#ifdef FAKE_LOG
  host->log(3, "hello from the fake");
#endif
  (void)host;
  return &descriptor;
}
#endif
