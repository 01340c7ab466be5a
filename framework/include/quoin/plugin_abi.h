/*
 * The boundary between Quoin and a backend plugin: plain C, nothing else crosses it.
 *
 * A plugin is a shared object that exports one symbol, `quoin_plugin`, and carries its manifest, a
 * JSON text, in the ELF section QUOIN_MANIFEST_SECTION. Plugin authors do not write against this
 * header: they derive from quoin::Backend (plugin.hpp) and let its macro fill the table.
 *
 * Rules. Every struct starts with its own size and only ever grows at its end: the reader uses the
 * fields that lie within the size it was given, and steps through an array by the elements' own size.
 * quoin_option and quoin_constant carry no size and never change. The function table only grows at its end. Every
 * function returns 0, or the quoin::ErrorKind of what went wrong after writing a text into `error`, which
 * is never null; nothing is thrown across. What one side allocates, the same side frees.
 */
#ifndef QUOIN_PLUGIN_ABI_H
#define QUOIN_PLUGIN_ABI_H

#include <stddef.h>
#include <stdint.h>

/* NOLINTBEGIN(modernize-use-using): this is C */
#ifdef __cplusplus
extern "C" {
#endif

#define QUOIN_ABI_MAGIC 0x4e494f5551u /* "QUOIN" */
#define QUOIN_ABI_MAJOR 1
#define QUOIN_ABI_MINOR 6
#define QUOIN_MANIFEST_SECTION ".quoin.manifest"
#define QUOIN_PLUGIN_SYMBOL "quoin_plugin"
#define QUOIN_PROBLEM_SYMBOL "quoin_problem" /* of a problem: problem_plugin.hpp */
#define QUOIN_MOST_ARGUMENTS 32              /* of one launch */

typedef struct quoin_executor quoin_executor;
typedef struct quoin_memory quoin_memory;
typedef struct quoin_queue quoin_queue;
typedef struct quoin_event quoin_event;
typedef struct quoin_kernel quoin_kernel;
typedef struct quoin_sequence quoin_sequence;

typedef struct quoin_error {
  uint32_t size;
  char message[2048]; /* what was wrong and what to do, NUL-terminated */
  char where[256];    /* device, kernel; may be empty */
} quoin_error;

/* What the host offers to a plugin. */
typedef struct quoin_host {
  uint32_t size;
  uint32_t abi_major;
  uint32_t abi_minor;
  void (*log)(int32_t level, const char* message); /* 0 trace, 1 debug, 2 info, 3 warning, 4 error */
  /* Something that the plugin timed itself, such as the copies of a structured data mapping; CLOCK_MONOTONIC
   * seconds. Null where the host keeps no timeline. */
  void (*trace)(const char* category, const char* name, double begin, double end);
} quoin_host;

typedef struct quoin_device_info {
  uint32_t size;
  int32_t kind; /* quoin::DeviceKind */
  char name[256];
  uint64_t memory_bytes;
  uint32_t units;
  uint32_t subgroup;
  double peak_bandwidth;
  uint32_t memory_kinds; /* bit k: quoin::MemoryKind k */
  uint32_t precisions;   /* bit 2: float32, bit 3: float64 (log2 of the element size) */
  double error_bound;
  char note[512];
  char driver[256];  /* since 1.1 */
  char version[256]; /* since 1.1 */
} quoin_device_info;

/* One `key: value` of the case file's backend section, the value as written. */
typedef struct quoin_option {
  const char* key;
  const char* value;
} quoin_option;

typedef struct quoin_constant {
  const char* name;
  int64_t value;
} quoin_constant;

typedef struct quoin_kernel_spec {
  uint32_t size;
  int32_t precision; /* bytes of an element */
  const char* name;
  const quoin_constant* constants;
  uint64_t constant_count;
} quoin_kernel_spec;

typedef struct quoin_field_spec {
  uint32_t size;
  uint32_t element_bytes;
  int64_t extent[3];
  int64_t ghost;
} quoin_field_spec;

typedef struct quoin_layout {
  uint32_t size;
  uint32_t reserved;
  int64_t ghost;
  int64_t pitch;
  int64_t origin;
  uint64_t bytes;
} quoin_layout;

typedef struct quoin_box {
  uint32_t size;
  uint32_t reserved;
  int64_t lower[3];
  int64_t upper[3];
  int64_t origin[3];
} quoin_box;

typedef struct quoin_argument {
  uint32_t size;
  int32_t kind; /* quoin::Argument::Kind */
  quoin_memory* memory;
  uint64_t offset;
  int64_t pitch;
  double real_value;
  int64_t integer_value;
} quoin_argument;

typedef struct quoin_cost {
  uint32_t size;
  uint32_t reserved;
  double bytes;
  double flops;
} quoin_cost;

/*
 * The functions of a plugin. Entries up to and including `launch` are required; for the others the host's default is
 * named beside each. The host waits for all queues of an executor before it destroys memory of it, or one of them.
 */
typedef struct quoin_table {
  int (*device_count)(int32_t* count, quoin_error* error);
  int (*device_info)(int32_t device, quoin_device_info* info, quoin_error* error);
  int (*executor_create)(int32_t device, const quoin_option* options, uint64_t option_count, quoin_executor** executor,
                         quoin_error* error);
  void (*executor_destroy)(quoin_executor* executor);
  int (*supports)(quoin_executor* executor, const quoin_kernel_spec* spec, int32_t* answer, quoin_error* error);
  int (*memory_create)(quoin_executor* executor, uint64_t bytes, int32_t kind, quoin_memory** memory,
                       quoin_error* error);
  void (*memory_destroy)(quoin_memory* memory);
  int (*queue_create)(quoin_executor* executor, quoin_queue** queue, quoin_error* error);
  void (*queue_destroy)(quoin_queue* queue);
  int (*copy_in)(quoin_queue* queue, quoin_memory* target, uint64_t offset, const void* source, uint64_t bytes,
                 quoin_error* error);
  int (*copy_out)(quoin_queue* queue, void* target, const quoin_memory* source, uint64_t offset, uint64_t bytes,
                  quoin_error* error);
  int (*synchronize)(quoin_queue* queue, quoin_error* error);
  int (*kernel_create)(quoin_executor* executor, const quoin_kernel_spec* spec, quoin_kernel** kernel,
                       quoin_error* error);
  void (*kernel_destroy)(quoin_kernel* kernel);
  int (*launch)(quoin_kernel* kernel, quoin_queue* queue, const quoin_box* box, const quoin_argument* arguments,
                uint64_t argument_count, quoin_error* error);

  /* Optional. Absent: nothing to shut down. Called once, after every executor is gone. */
  void (*shutdown)(void);
  /* Optional. Absent: quoin::default_layout. */
  int (*layout)(quoin_executor* executor, const quoin_field_spec* spec, quoin_layout* layout, quoin_error* error);
  /* Optional, all four or none. Absent: recording waits for the queue and reads the host's clock. */
  int (*event_create)(quoin_executor* executor, quoin_event** event, quoin_error* error);
  void (*event_destroy)(quoin_event* event);
  int (*event_record)(quoin_queue* queue, quoin_event* event, quoin_error* error);
  int (*event_seconds)(const quoin_event* earlier, const quoin_event* later, double* seconds, quoin_error* error);
  /* Optional. Absent: the host waits for the event's queue before it goes on. */
  int (*event_wait)(quoin_queue* queue, const quoin_event* event, quoin_error* error);
  /* Optional. Absent: the catalogue's figures. */
  int (*cost)(quoin_kernel* kernel, const quoin_box* box, quoin_cost* cost, quoin_error* error);
  /* Optional. Absent: the host counts the launches that succeeded. */
  int (*launches)(quoin_queue* queue, uint64_t* count, quoin_error* error);
  /* Optional. Absent, or a null address: the host cannot look into the memory. Since 1.2. */
  int (*memory_on_host)(quoin_memory* memory, void** address, quoin_error* error);
  /* Optional, both or none. Absent, or a null address: the host copies. Since 1.3. */
  int (*memory_map)(quoin_queue* queue, quoin_memory* memory, uint64_t offset, uint64_t bytes, void** address,
                    quoin_error* error);
  int (*memory_unmap)(quoin_queue* queue, quoin_memory* memory, void* address, quoin_error* error);
  /* Optional. Absent: with every option the device is what device_info says. Since 1.4. */
  int (*executor_info)(quoin_executor* executor, quoin_device_info* info, quoin_error* error);
  /* Optional. Said before device_count: what the case says of the device, a number or a part of its name, or nothing.
   * Devices that this cannot mean need not be counted. Absent: all are. Since 1.5. */
  int (*device_wanted)(const char* device, quoin_error* error);
  /* Optional, all four or none. Launches between begin, where that answers 1, and end are recorded and not run; their
   * kernels and memories outlive the sequence. Absent, or an answer of 0: the host launches them one by one each time.
   * Since 1.6. */
  int (*sequence_begin)(quoin_queue* queue, int32_t* answer, quoin_error* error);
  int (*sequence_end)(quoin_queue* queue, quoin_sequence** sequence, quoin_error* error);
  int (*sequence_run)(quoin_queue* queue, quoin_sequence* sequence, quoin_error* error);
  void (*sequence_destroy)(quoin_sequence* sequence);
} quoin_table;

#define QUOIN_TABLE_REQUIRED_BYTES (offsetof(quoin_table, launch) + sizeof(void*))

typedef struct quoin_descriptor {
  uint64_t magic;
  uint32_t size;
  uint32_t abi_major;
  uint32_t abi_minor;
  uint32_t table_bytes; /* how much of the table this plugin fills */
  const char* name;
  const char* version;
  const char* toolchain;
  const quoin_table* table;
} quoin_descriptor;

/* The one exported symbol. The host struct outlives the plugin. Null where the host is refused. */
typedef const quoin_descriptor* (*quoin_plugin_function)(const quoin_host* host);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-use-using) */
#endif
