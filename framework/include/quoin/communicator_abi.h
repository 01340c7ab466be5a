/*
 * The boundary between Quoin and a plugin that carries bytes between ranks: plain C, with the rules of plugin_abi.h.
 * The plugin exports one symbol, `quoin_communicator`, and carries a manifest of the kind "communicator". What each
 * entry does is said where its C++ form is declared: quoin/communicator.hpp.
 */
#ifndef QUOIN_COMMUNICATOR_ABI_H
#define QUOIN_COMMUNICATOR_ABI_H

#include "quoin/plugin_abi.h"

/* NOLINTBEGIN(modernize-use-using): this is C */
#ifdef __cplusplus
extern "C" {
#endif

#define QUOIN_COMMUNICATOR_SYMBOL "quoin_communicator"

typedef struct quoin_transfer quoin_transfer;

/* right = left joined with right, `bytes` each. */
typedef void (*quoin_join)(void* user, const void* left, void* right, uint64_t bytes);

/* Where a process finds itself after `start`. */
typedef struct quoin_place {
  uint32_t size;
  int32_t rank, ranks;
  int32_t host_rank, host_ranks;
  char host[256];
} quoin_place;

typedef struct quoin_communicator_table {
  uint32_t size;
  uint32_t abi_major;
  int (*start)(quoin_place* place, quoin_error* error);
  /* Of a rank that ends well; after `start`, once, with no transfer left. */
  void (*finish)(void);
  int (*send)(const void* data, uint64_t bytes, int32_t to, int32_t tag, quoin_transfer** transfer, quoin_error* error);
  int (*receive)(void* data, uint64_t bytes, int32_t from, int32_t tag, quoin_transfer** transfer, quoin_error* error);
  int (*combine)(void* value, uint64_t bytes, quoin_join join, void* user, quoin_transfer** transfer,
                 quoin_error* error);
  int (*broadcast)(void* data, uint64_t bytes, int32_t root, quoin_transfer** transfer, quoin_error* error);
  /* Makes progress and does not wait. A transfer that is done, or has failed, is gone. */
  int (*test)(quoin_transfer* transfer, int32_t* done, quoin_error* error);
  /* Tells the other ranks; waits for none of them. */
  void (*tell_failure)(const quoin_error* failure, int32_t kind);
  /* What another rank has told, once: its number, or -1. */
  int32_t (*failure)(quoin_error* failure, int32_t* kind);
  void (*abort)(int32_t code);
} quoin_communicator_table;

typedef const quoin_communicator_table* (*quoin_communicator_function)(const quoin_host* host);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-use-using) */

#endif
