/*
 * An asynchronous backend in plain C that offers two kernels only. Its options make it faulty: the call `in` of the
 * function table does what `what` says, from the time on that it is called for the `at`-th time.
 */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "quoin/kernels_hash.h"
#include "quoin/plugin_abi.h"

__attribute__((used, section(QUOIN_MANIFEST_SECTION))) static const char manifest[] =
    "{\"name\":\"" FAKE_NAME "\",\"version\":\"1.0.0\",\"abi\":[1,0],\"toolchain\":\"cc\",\"kernels\":" QUOIN_KERNELS
    ",\"keys\":[{\"key\":\"in\",\"type\":\"text\"},{\"key\":\"what\",\"type\":\"text\"},{\"key\":\"at\",\"type\":"
    "\"integer\"}]}";

static char fault_in[64], fault_what[64];
static int fault_at = 1, visits;

/* 0: go on; 1: report success without having done anything; else fail with that status. */
static int visit(const char* call, quoin_error* error) {
  if (strcmp(call, fault_in) != 0 || ++visits < fault_at) return 0;
  if (strcmp(fault_what, "crash") == 0) raise(SIGSEGV);
  if (strcmp(fault_what, "abort") == 0) abort();
  if (strcmp(fault_what, "exit") == 0) exit(0);
  if (strcmp(fault_what, "hang") == 0) pause();
  if (strcmp(fault_what, "print") == 0) {
    printf("{\"noise\": [}\n</testsuite>\n");
    fflush(stdout);
  }
  if (strcmp(fault_what, "text") == 0 && error != NULL) {
    snprintf(error->message, sizeof error->message, "red: \x1b[31m\nand no UTF-8: \xff, an end: </testsuite>");
    return 7;
  }
  return strcmp(fault_what, "skip") == 0;
}
#define VISIT(call)                     \
  const int fault = visit(call, error); \
  if (fault != 0) return fault == 1 ? 0 : fault

struct quoin_executor {
  int alive;
};
struct quoin_memory {
  char* data;
};
struct quoin_kernel {
  int triad;
};
struct quoin_event {
  uint64_t recorded, happened, users;
  double when;
};

/* What a queue is to do. */
struct task {
  enum { LAUNCH, RECORD, WAIT, END } kind;
  int triad;
  quoin_box box;
  double* data[3];
  int64_t pitch[3];
  double scale;
  quoin_event* event;
  uint64_t ticket;
};
enum { room = 4096 };
struct quoin_queue {
  pthread_t thread;
  struct task tasks[room];
  uint64_t given, done;
};

/* Of all queues and events. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

static void compute(const struct task* t) {
  for (int64_t j = t->box.lower[1]; j < t->box.upper[1]; ++j) {
    for (int64_t i = t->box.lower[0]; i < t->box.upper[0]; ++i) {
      const double x = t->data[0][j * t->pitch[0] + i];
      if (t->triad)
        t->data[2][j * t->pitch[2] + i] = fma(t->scale, t->data[1][j * t->pitch[1] + i], x);
      else
        t->data[1][j * t->pitch[1] + i] = x;
    }
  }
}

static void* work(void* given) {
  quoin_queue* queue = given;
  for (int end = 0; !end;) {
    pthread_mutex_lock(&mutex);
    while (queue->given == queue->done) pthread_cond_wait(&change, &mutex);
    struct task task = queue->tasks[queue->done % room];
    while (task.kind == WAIT && task.event->happened < task.ticket) pthread_cond_wait(&change, &mutex);
    pthread_mutex_unlock(&mutex);
    if (task.kind == LAUNCH) compute(&task);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    pthread_mutex_lock(&mutex);
    if (task.kind == RECORD) {
      task.event->when = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
      task.event->happened = task.ticket;
    }
    if (task.event != NULL) --task.event->users;
    end = task.kind == END;
    ++queue->done;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

static void push(quoin_queue* queue, struct task task) {
  pthread_mutex_lock(&mutex);
  while (queue->given - queue->done == room) pthread_cond_wait(&change, &mutex);
  if (task.kind == RECORD) ++task.event->recorded;
  if (task.event != NULL) {
    task.ticket = task.event->recorded;
    ++task.event->users;
  }
  queue->tasks[queue->given++ % room] = task;
  pthread_cond_broadcast(&change);
  pthread_mutex_unlock(&mutex);
}

static int device_count(int32_t* count, quoin_error* error) {
  (void)error;
  *count = 1;
  return 0;
}
static int device_info(int32_t device, quoin_device_info* info, quoin_error* error) {
  (void)device;
  (void)error;
  snprintf(info->name, sizeof info->name, "half \x1b[1mdone\nand more");
  info->memory_bytes = (uint64_t)4 << 30;
  info->units = 1;
  info->subgroup = 1;
  info->memory_kinds = 1U;
  info->precisions = 8U;
  return 0;
}
static int executor_create(int32_t device, const quoin_option* options, uint64_t count, quoin_executor** executor,
                           quoin_error* error) {
  (void)device;
  visits = 0;
  for (uint64_t k = 0; k < count; ++k) {
    if (strcmp(options[k].key, "in") == 0) snprintf(fault_in, sizeof fault_in, "%s", options[k].value);
    if (strcmp(options[k].key, "what") == 0) snprintf(fault_what, sizeof fault_what, "%s", options[k].value);
    if (strcmp(options[k].key, "at") == 0) fault_at = atoi(options[k].value);
  }
  VISIT("executor_create");
  *executor = calloc(1, sizeof **executor);
  return 0;
}
static void executor_destroy(quoin_executor* executor) {
  if (visit("executor_destroy", NULL) == 0) free(executor);
}
static int supports(quoin_executor* executor, const quoin_kernel_spec* spec, int32_t* answer, quoin_error* error) {
  (void)executor;
  VISIT("supports");
  *answer = spec->precision == 8 && (strcmp(spec->name, "stream_copy") == 0 || strcmp(spec->name, "stream_triad") == 0);
  return 0;
}
static int memory_create(quoin_executor* executor, uint64_t bytes, int32_t kind, quoin_memory** memory,
                         quoin_error* error) {
  (void)executor;
  (void)kind;
  VISIT("memory_create");
  char* data = bytes > (uint64_t)4 << 30 ? NULL : malloc(bytes + 1);
  if (data == NULL) {
    snprintf(error->message, sizeof error->message, "out of memory: %llu bytes asked for", (unsigned long long)bytes);
    return 7;
  }
  *memory = malloc(sizeof **memory);
  (*memory)->data = data;
  return 0;
}
static void memory_destroy(quoin_memory* memory) {
  if (visit("memory_destroy", NULL) != 0) return;
  free(memory->data);
  free(memory);
}
static int queue_create(quoin_executor* executor, quoin_queue** queue, quoin_error* error) {
  (void)executor;
  VISIT("queue_create");
  *queue = calloc(1, sizeof **queue);
  return pthread_create(&(*queue)->thread, NULL, work, *queue) == 0 ? 0 : 7;
}
static void queue_destroy(quoin_queue* queue) {
  push(queue, (struct task){.kind = END});
  pthread_join(queue->thread, NULL);
  if (visit("queue_destroy", NULL) == 0) free(queue);
}
static void drain(quoin_queue* queue) {
  pthread_mutex_lock(&mutex);
  while (queue->given != queue->done) pthread_cond_wait(&change, &mutex);
  pthread_mutex_unlock(&mutex);
}
static int copy_in(quoin_queue* queue, quoin_memory* target, uint64_t offset, const void* source, uint64_t bytes,
                   quoin_error* error) {
  VISIT("copy_in");
  drain(queue);
  memcpy(target->data + offset, source, bytes);
  return 0;
}
static int copy_out(quoin_queue* queue, void* target, const quoin_memory* source, uint64_t offset, uint64_t bytes,
                    quoin_error* error) {
  VISIT("copy_out");
  drain(queue);
  memcpy(target, source->data + offset, bytes);
  return 0;
}
static int synchronize(quoin_queue* queue, quoin_error* error) {
  VISIT("synchronize");
  drain(queue);
  return 0;
}
static int kernel_create(quoin_executor* executor, const quoin_kernel_spec* spec, quoin_kernel** kernel,
                         quoin_error* error) {
  int32_t offered = 0;
  VISIT("kernel_create");
  supports(executor, spec, &offered, error);
  if (!offered) {
    snprintf(error->message, sizeof error->message, "no kernel named '%s'", spec->name);
    return 7;
  }
  *kernel = calloc(1, sizeof **kernel);
  (*kernel)->triad = strcmp(spec->name, "stream_triad") == 0;
  return 0;
}
static void kernel_destroy(quoin_kernel* kernel) {
  if (visit("kernel_destroy", NULL) == 0) free(kernel);
}
static int launch(quoin_kernel* kernel, quoin_queue* queue, const quoin_box* box, const quoin_argument* arguments,
                  uint64_t count, quoin_error* error) {
  struct task task = {.kind = LAUNCH, .triad = kernel->triad, .box = *box};
  VISIT("launch");
  for (uint64_t k = 0; k < count && k < 3; ++k) {
    task.data[k] = (double*)(void*)(arguments[k].memory->data + arguments[k].offset);
    task.pitch[k] = arguments[k].pitch;
  }
  if (task.triad) task.scale = arguments[3].real_value;
  push(queue, task);
  return 0;
}
static void shut_down(void) { visit("shutdown", NULL); }
static int event_create(quoin_executor* executor, quoin_event** event, quoin_error* error) {
  (void)executor;
  VISIT("event_create");
  *event = calloc(1, sizeof **event);
  return 0;
}
static void event_destroy(quoin_event* event) {
  if (visit("event_destroy", NULL) != 0) return;
  pthread_mutex_lock(&mutex);
  while (event->users > 0) pthread_cond_wait(&change, &mutex);
  pthread_mutex_unlock(&mutex);
  free(event);
}
static int event_record(quoin_queue* queue, quoin_event* event, quoin_error* error) {
  VISIT("event_record");
  push(queue, (struct task){.kind = RECORD, .event = event});
  return 0;
}
static int event_wait(quoin_queue* queue, const quoin_event* event, quoin_error* error) {
  VISIT("event_wait");
  push(queue, (struct task){.kind = WAIT, .event = (quoin_event*)event});
  return 0;
}
static int event_seconds(const quoin_event* earlier, const quoin_event* later, double* seconds, quoin_error* error) {
  VISIT("event_seconds");
  pthread_mutex_lock(&mutex);
  while (earlier->happened < earlier->recorded || later->happened < later->recorded) pthread_cond_wait(&change, &mutex);
  *seconds = (later->when - earlier->when) * (strcmp(fault_what, "short") == 0 ? 0.01 : 1.0);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static const quoin_table table = {
    .device_count = device_count,
    .device_info = device_info,
    .executor_create = executor_create,
    .executor_destroy = executor_destroy,
    .supports = supports,
    .memory_create = memory_create,
    .memory_destroy = memory_destroy,
    .queue_create = queue_create,
    .queue_destroy = queue_destroy,
    .copy_in = copy_in,
    .copy_out = copy_out,
    .synchronize = synchronize,
    .kernel_create = kernel_create,
    .kernel_destroy = kernel_destroy,
    .launch = launch,
    .shutdown = shut_down,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_seconds = event_seconds,
    .event_wait = event_wait,
};

const quoin_descriptor* quoin_plugin(const quoin_host* host);
__attribute__((visibility("default"))) const quoin_descriptor* quoin_plugin(const quoin_host* host) {
  static const quoin_descriptor descriptor = {
      QUOIN_ABI_MAGIC, sizeof(quoin_descriptor), 1, 0, sizeof table, FAKE_NAME, "1.0.0", "cc", &table};
  (void)host;
  return &descriptor;
}
