// Communicators behind the boundary: what a table in C does becomes what quoin::Communicator says.

#include "quoin/communicators.hpp"

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "quoin/communicator_abi.h"
#include "quoin/ranks.hpp"
#include "quoin/testing/mocks.hpp"
#include "testing.hpp"

namespace quoin {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using testing::error_of;
using testing::fake;
using ::testing::HasSubstr;
using testing::MockOpener;
using ::testing::Return;

/// What the table below is told to do, and has been asked for.
struct Script {
  int start_status = 0;
  int looks = 0;          ///< until a transfer is done
  int failing_look = -1;  ///< which fails
  int told_at = -1;       ///< the look after which another rank has failed
  int started = 0;
  int finished = 0;
  int looked = 0;
  std::vector<std::string> told{};  ///< to other ranks
};
Script script;

void say(quoin_error* error, const char* text) { std::strncpy(error->message, text, sizeof error->message - 1); }

int fake_start(quoin_place* place, quoin_error* error) {
  ++script.started;
  place->rank = 1;
  place->ranks = 3;
  place->host_rank = 0;
  place->host_ranks = 2;
  std::strncpy(place->host, "there", sizeof place->host);
  say(error, "no network");
  return script.start_status;
}
void fake_finish() { ++script.finished; }
int begin(quoin_transfer** transfer) {
  static char any;
  *transfer = script.looks > 0 ? reinterpret_cast<quoin_transfer*>(&any) : nullptr;
  return 0;
}
int fake_send(const void* /*data*/, uint64_t /*bytes*/, int32_t /*to*/, int32_t /*tag*/, quoin_transfer** transfer,
              quoin_error* /*error*/) {
  return begin(transfer);
}
int fake_receive(void* data, uint64_t bytes, int32_t /*from*/, int32_t /*tag*/, quoin_transfer** transfer,
                 quoin_error* /*error*/) {
  std::memset(data, 7, bytes);
  return begin(transfer);
}
/// As if rank 0 had brought as much.
int fake_combine(void* value, uint64_t bytes, quoin_join join, void* user, quoin_transfer** transfer,
                 quoin_error* /*error*/) {
  const std::vector<char> left(static_cast<const char*>(value), static_cast<const char*>(value) + bytes);
  join(user, left.data(), value, bytes);
  return begin(transfer);
}
int fake_broadcast(void* data, uint64_t bytes, int32_t /*root*/, quoin_transfer** transfer, quoin_error* /*error*/) {
  std::memset(data, 9, bytes);
  return begin(transfer);
}
int fake_test(quoin_transfer* /*transfer*/, int32_t* done, quoin_error* error) {
  say(error, "the cable is cut");
  if (script.looked == script.failing_look) return static_cast<int>(ErrorKind::device);
  *done = ++script.looked >= script.looks ? 1 : 0;
  return 0;
}
void fake_tell(const quoin_error* failure, int32_t kind) {
  script.told.push_back(std::to_string(kind) + " " + failure->message);
}
int32_t fake_failure(quoin_error* failure, int32_t* kind) {
  if (script.told_at < 0 || script.looked < script.told_at) return -1;
  script.told_at = -1;  // once
  say(failure, "rank 2 (elsewhere)\nthe disk is full");
  *kind = static_cast<int32_t>(ErrorKind::io);
  return 2;
}
void fake_abort(int32_t code) { std::_Exit(code); }

quoin_communicator_table table{sizeof(quoin_communicator_table),
                               QUOIN_ABI_MAJOR,
                               fake_start,
                               fake_finish,
                               fake_send,
                               fake_receive,
                               fake_combine,
                               fake_broadcast,
                               fake_test,
                               fake_tell,
                               fake_failure,
                               fake_abort};
const quoin_communicator_table* offered = &table;
const quoin_communicator_table* fake_communicator(const quoin_host* /*host*/) { return offered; }

class Communicators : public ::testing::Test {
 protected:
  Communicators() {
    script = {};
    offered = &table;
    std::filesystem::copy(fake("communicator"), folder_.folder("plugins"));
    ON_CALL(opener_, open(_)).WillByDefault(Return(this));
    ON_CALL(opener_, symbol(_, ::testing::StrEq(QUOIN_COMMUNICATOR_SYMBOL)))
        .WillByDefault(Return(reinterpret_cast<void*>(fake_communicator)));
  }
  [[nodiscard]] std::unique_ptr<Communicator> open() {
    return open_communicator({folder_.path() / "plugins"}, opener_);
  }

 private:
  testing::TemporaryFolder folder_;
  ::testing::NiceMock<MockOpener> opener_;
};

TEST_F(Communicators, SayWhereTheyAre) {
  const auto ranks = open();
  EXPECT_EQ(ranks->rank(), 1);
  EXPECT_EQ(ranks->size(), 3);
  EXPECT_EQ(ranks->host().name, "there");
  EXPECT_EQ(ranks->host().rank, 0);
  EXPECT_EQ(ranks->host().size, 2);
}

TEST_F(Communicators, AreStartedAndFinishedOnce) {
  open().reset();
  EXPECT_EQ(script.started, 1);
  EXPECT_EQ(script.finished, 1);
}

TEST_F(Communicators, CarryBytesWhetherTheyAreDoneAtOnceOrLater) {
  for (const int looks : {0, 1, 1000}) {
    script.looks = looks;
    const auto ranks = open();
    std::array<std::uint8_t, 4> bytes{};
    const auto memory = std::as_writable_bytes(std::span(bytes));
    const auto wait = [&](std::unique_ptr<Communicator::Transfer> transfer) {
      script.looked = 0;
      ranks->wait(*transfer);
      EXPECT_EQ(script.looked, looks);
      EXPECT_TRUE(ranks->done(*transfer));
      EXPECT_EQ(script.looked, looks) << "a transfer that is done is gone";
    };
    wait(ranks->send(memory, 0, 5));
    wait(ranks->receive(memory, 0, 5));
    EXPECT_THAT(bytes, ElementsAre(7, 7, 7, 7));
    EXPECT_EQ(total_of(*ranks, 21), 42);
    script.looked = 0;
    ranks->broadcast(memory, 2);
    EXPECT_THAT(bytes, ElementsAre(9, 9, 9, 9));
  }
}

TEST_F(Communicators, CallWhileTheyWait) {
  script.looks = 5000;
  const auto ranks = open();
  int calls = 0;
  ranks->while_waiting([&calls] { ++calls; });
  int value = 0;
  ranks->broadcast(std::as_writable_bytes(std::span(&value, 1)), 0);
  EXPECT_GT(calls, 10);
  ranks->while_waiting([] { throw Error(ErrorKind::io, "enough"); });
  script.looked = 0;
  EXPECT_EQ(error_of([&] { ranks->broadcast(std::as_writable_bytes(std::span(&value, 1)), 0); }).kind(), ErrorKind::io);
}

TEST_F(Communicators, SayWhichRankACallFailedOn) {
  script.looks = 5;
  script.failing_look = 3;
  const auto ranks = open();
  int value = 0;
  const Error error = error_of([&] { ranks->broadcast(std::as_writable_bytes(std::span(&value, 1)), 0); });
  EXPECT_EQ(error.kind(), ErrorKind::device);
  EXPECT_EQ(error.where(), "rank 1 (there)");
  EXPECT_STREQ(error.what(), "the cable is cut");
}

TEST_F(Communicators, ThrowWhatAnotherRankHasFailedWithAgainAndAgain) {
  script.looks = 100;
  script.told_at = 10;
  const auto ranks = open();
  int value = 0;
  for (int again = 0; again < 3; ++again) {
    const Error error = error_of([&] { ranks->broadcast(std::as_writable_bytes(std::span(&value, 1)), 0); });
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_EQ(error.where(), "rank 2 (elsewhere)");
    EXPECT_STREQ(error.what(), "the disk is full");
  }
  ranks->report_failure(Error(ErrorKind::bug, "and so am I"));
  EXPECT_TRUE(script.told.empty()) << "all know of that one";
}

TEST_F(Communicators, TellOthersOfAFailureWithTheirPlace) {
  open()->report_failure(Error(ErrorKind::io, "no room"));
  EXPECT_THAT(script.told, ElementsAre("6 rank 1 (there)\nno room"));
}

TEST_F(Communicators, AreRefusedWithTheirFile) {
  script.start_status = static_cast<int>(ErrorKind::device);
  const Error error = error_of([this] { (void)open(); });
  EXPECT_THAT(error.where(), HasSubstr("communicator.so"));
  EXPECT_STREQ(error.what(), "no network");
  script.start_status = 0;
  quoin_communicator_table other = table;
  for (const quoin_communicator_table* const bad :
       {static_cast<const quoin_communicator_table*>(nullptr), &std::as_const(other)}) {
    other.size = sizeof other - 8;
    offered = bad;
    EXPECT_EQ(error_of([this] { (void)open(); }).kind(), ErrorKind::plugin);
  }
  other = table;
  ++other.abi_major;
  EXPECT_THAT(error_of([this] { (void)open(); }).what(), HasSubstr("rebuild it"));
}

TEST_F(Communicators, AreMissedWithWhatToInstall) {
  const testing::TemporaryFolder empty;
  const Error error = error_of([&] { (void)open_communicator({empty.path()}); });
  EXPECT_EQ(error.kind(), ErrorKind::plugin);
  EXPECT_THAT(error.what(), HasSubstr("libopenmpi-dev"));
  EXPECT_THAT(error.what(), HasSubstr(empty.path().string()));
}

}  // namespace
}  // namespace quoin
