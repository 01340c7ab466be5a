// Ranks that an MPI launcher has started. All else of Quoin knows no MPI.

#include <mpi.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "quoin/communicator_abi.h"
#include "quoin/error.hpp"
#include "quoin/toolchain.h"

struct quoin_transfer {
  MPI_Request request = MPI_REQUEST_NULL;
  uint64_t expected = 0;  // bytes of a message that comes in
  bool comes_in = false;
  MPI_Datatype whole = MPI_DATATYPE_NULL;  // of a value that is combined
};

namespace {

using quoin::Error;
using quoin::ErrorKind;

constexpr int failure_tag = 32767;  // the highest that every MPI has

/// The join of the value that is being combined: MPI gives its operation no argument of ours. One at a time.
struct {
  quoin_join join = nullptr;
  void* user = nullptr;
  uint64_t bytes = 0;
} combined;
MPI_Op operation = MPI_OP_NULL;
bool this_started_mpi = false;

void require(int status, const char* what) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw Error(ErrorKind::device, std::string(what) + ": " + text);
}

int count_of(uint64_t bytes) {
  if (bytes > INT_MAX) throw Error(ErrorKind::bug, "a message of more than 2 GiB");
  return static_cast<int>(bytes);
}

/// Runs `body`; what it throws becomes a status and a text.
template <class Body>
int guarded(quoin_error* error, const Body& body) {
  try {
    body();
    return 0;
  } catch (const Error& e) {
    std::snprintf(error->message, sizeof error->message, "%s", e.what());
    return static_cast<int>(e.kind());
  } catch (const std::bad_alloc&) {
    std::snprintf(error->message, sizeof error->message, "out of memory on the host");
    return static_cast<int>(ErrorKind::device);
  }
}

/// Starts what `begin` says; the transfer becomes the caller's.
template <class Begin>
int started(quoin_transfer** transfer, quoin_error* error, const Begin& begin) {
  return guarded(error, [&] {
    auto made = std::make_unique<quoin_transfer>();
    begin(*made);
    *transfer = made.release();
  });
}

void apply(void* left, void* right, int* /*count*/, MPI_Datatype* /*type*/) {
  combined.join(combined.user, left, right, combined.bytes);
}

int start(quoin_place* place, quoin_error* error) {
  return guarded(error, [&] {
    int running = 0;
    MPI_Initialized(&running);
    if (running == 0) {
      int level = 0;
      require(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level), "MPI does not start");
      this_started_mpi = true;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    require(MPI_Op_create(apply, /*commute=*/0, &operation), "MPI has no room for an operation");
    MPI_Comm_rank(MPI_COMM_WORLD, &place->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &place->ranks);
    MPI_Comm here = MPI_COMM_NULL;
    require(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here),
            "the ranks of a host cannot be told");
    MPI_Comm_rank(here, &place->host_rank);
    MPI_Comm_size(here, &place->host_ranks);
    MPI_Comm_free(&here);
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0;
    MPI_Get_processor_name(name, &length);
    std::snprintf(place->host, sizeof place->host, "%s", name);
  });
}

void finish() {
  if (operation != MPI_OP_NULL) MPI_Op_free(&operation);
  if (this_started_mpi) MPI_Finalize();
}

// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): what is begun here is tested elsewhere until it is done
int send(const void* data, uint64_t bytes, int32_t to, int32_t tag, quoin_transfer** transfer, quoin_error* error) {
  return started(transfer, error, [&](quoin_transfer& made) {
    require(MPI_Isend(data, count_of(bytes), MPI_BYTE, to, tag, MPI_COMM_WORLD, &made.request),
            "a message is not sent");
  });
}

int receive(void* data, uint64_t bytes, int32_t from, int32_t tag, quoin_transfer** transfer, quoin_error* error) {
  return started(transfer, error, [&](quoin_transfer& made) {
    made.comes_in = true;
    made.expected = bytes;
    require(MPI_Irecv(data, count_of(bytes), MPI_BYTE, from, tag, MPI_COMM_WORLD, &made.request),
            "a message is not received");
  });
}

int combine(void* value, uint64_t bytes, quoin_join join, void* user, quoin_transfer** transfer, quoin_error* error) {
  return started(transfer, error, [&](quoin_transfer& made) {
    if (combined.join != nullptr) throw Error(ErrorKind::bug, "two values are combined at once");
    // One element, so that no library cuts it.
    require(MPI_Type_contiguous(count_of(bytes), MPI_BYTE, &made.whole), "a value is not combined");
    MPI_Type_commit(&made.whole);
    combined = {join, user, bytes};
    require(MPI_Iallreduce(MPI_IN_PLACE, value, 1, made.whole, operation, MPI_COMM_WORLD, &made.request),
            "a value is not combined");
  });
}

int broadcast(void* data, uint64_t bytes, int32_t root, quoin_transfer** transfer, quoin_error* error) {
  return started(transfer, error, [&](quoin_transfer& made) {
    require(MPI_Ibcast(data, count_of(bytes), MPI_BYTE, root, MPI_COMM_WORLD, &made.request), "nothing is broadcast");
  });
}

int test(quoin_transfer* transfer, int32_t* done, quoin_error* error) {
  std::unique_ptr<quoin_transfer> held(transfer);
  *done = 0;
  return guarded(error, [&] {
    MPI_Status status;
    int over = 0;
    const int result = MPI_Test(&held->request, &over, &status);
    if (result == MPI_SUCCESS && over == 0) return static_cast<void>(held.release());
    if (held->whole != MPI_DATATYPE_NULL) {
      MPI_Type_free(&held->whole);
      combined = {};
    }
    require(result, held->comes_in ? "a message is not received, or is longer than expected" : "a message is lost");
    int bytes = 0;
    if (held->comes_in) MPI_Get_count(&status, MPI_BYTE, &bytes);
    if (held->comes_in && static_cast<uint64_t>(bytes) != held->expected)
      throw Error(ErrorKind::bug, "a message of " + std::to_string(bytes) + " bytes came in place of one of " +
                                      std::to_string(held->expected));
    *done = 1;
  });
}

/// What is told of a failure.
struct Notice {
  int32_t kind;
  char message[sizeof quoin_error{}.message];
};

void tell_failure(const quoin_error* failure, int32_t kind) {
  static Notice notice;  // may still be on its way when this returns
  notice.kind = kind;
  std::memcpy(notice.message, failure->message, sizeof notice.message);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int other = 0; other < ranks; ++other) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (other != rank) MPI_Isend(&notice, sizeof notice, MPI_BYTE, other, failure_tag, MPI_COMM_WORLD, &request);
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  }
}

// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

int32_t failure(quoin_error* told, int32_t* kind) {
  int there = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, failure_tag, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || there == 0) return -1;
  Notice notice{};
  MPI_Recv(&notice, sizeof notice, MPI_BYTE, status.MPI_SOURCE, failure_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  std::memcpy(told->message, notice.message, sizeof notice.message);
  *kind = notice.kind;
  return status.MPI_SOURCE;
}

void abort_all(int32_t code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

}  // namespace

__attribute__((used, section(QUOIN_MANIFEST_SECTION))) static const char quoin_manifest[] =
    "{\"kind\":\"communicator\",\"name\":\"mpi\",\"version\":\"1.0.0\","
    "\"abi\":[" QUOIN_TEXT(QUOIN_ABI_MAJOR) "," QUOIN_TEXT(QUOIN_ABI_MINOR) "],"
    "\"toolchain\":\"" QUOIN_TOOLCHAIN "\",\"kernels\":{},\"keys\":[]}";

extern "C" __attribute__((visibility("default"))) const quoin_communicator_table* quoin_communicator(
    const quoin_host* host) {
  static const quoin_communicator_table table{sizeof(quoin_communicator_table),
                                              QUOIN_ABI_MAJOR,
                                              start,
                                              finish,
                                              send,
                                              receive,
                                              combine,
                                              broadcast,
                                              test,
                                              tell_failure,
                                              failure,
                                              abort_all};
  return host != nullptr && host->abi_major == QUOIN_ABI_MAJOR ? &table : nullptr;
}
