// What ranks do together, over threads that shuffle their messages.

#include "quoin/ranks.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "framework/ranks/testing.hpp"
#include "kernels/dialect/cpp.hpp"
#include "quoin/testing/faulty_communicator.hpp"
#include "quoin/testing/thread_ranks.hpp"

namespace quoin {
namespace {

using test::end_of;
using testing::FaultyCommunicator;
using testing::run_ranks;

/// On 1, 2, 3 and 7 ranks.
void on_ranks(const std::function<void(Communicator&)>& body) {
  body(*one_process());
  for (const int size : {1, 2, 3, 7})
    for (std::uint64_t seed = 0; seed < 10; ++seed) run_ranks(size, body, {seed});
}

TEST(Agree, TheWorstCodeWins) {
  const std::vector<int> codes = {1, 7, 6, 9, 8, 3, 2, 5, 4, 143, 130, 0};
  for (std::size_t k = 0; k < codes.size(); ++k)
    for (std::size_t l = 0; l < codes.size(); ++l)
      EXPECT_EQ(worse_code(codes[k], codes[l]), k < l) << codes[k] << " against " << codes[l];
  EXPECT_TRUE(worse_code(139, 7));
  EXPECT_FALSE(worse_code(139, 1) || worse_code(1, 139));
}

TEST(Agree, AllLearnTheWorstOutcomeOfTheLowestRank) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto body = [](Communicator& ranks) {
      const std::array<int, 5> codes = {0, 4, 7, 7, 130};
      const int code = codes.at(static_cast<std::size_t>(ranks.rank()));
      const std::string number = std::to_string(ranks.rank());
      const RankOutcome all = agree(ranks, {code, "text " + number, "device " + number});
      EXPECT_EQ(all.code, 7);
      EXPECT_EQ(all.text, "text 2");
      EXPECT_EQ(all.where, "device 2");
      EXPECT_EQ(all.rank, 2);
      EXPECT_EQ(all.host, ranks.host().name);
    };
    run_ranks(5, body, {seed});
  }
}

TEST(Agree, WhereAllIsWellRankZeroSpeaks) {
  on_ranks([](Communicator& ranks) {
    const RankOutcome all = agree(ranks, {0, ranks.rank() == 0 ? "" : "done", {}});
    EXPECT_EQ(all.code, 0);
    EXPECT_EQ(all.text, "");
    EXPECT_EQ(all.rank, 0);
  });
}

TEST(Least, IsThatOfAnyRank) {
  on_ranks([](Communicator& ranks) {
    EXPECT_EQ(least_of(ranks, 10 - ranks.rank()), 11 - ranks.size());
    EXPECT_EQ(least_of(ranks, ranks.rank() - 10), -10);
  });
}

TEST(Share, AllHaveTheValueOfRankZero) {
  on_ranks(
      [](Communicator& ranks) { EXPECT_EQ(share_value(ranks, ranks.rank() == 0 ? 2.5 : 1.0 * ranks.rank()), 2.5); });
}

TEST(Exchange, MessagesReachThoseWhomTheyAreFor) {
  on_ranks([](Communicator& ranks) {
    const int size = ranks.size();
    const int next = (ranks.rank() + 1) % size;
    const int before = (ranks.rank() + size - 1) % size;
    const auto text = [](int from) { return std::vector<std::byte>(static_cast<std::size_t>(from), std::byte(from)); };
    std::vector<std::byte> sent = text(ranks.rank());
    std::vector<std::byte> come(static_cast<std::size_t>(before));
    exchange(ranks, std::vector<Parcel>{{next, sent}}, std::vector<Parcel>{{before, come}}, 5);
    EXPECT_EQ(come, text(before));
  });
}

TEST(Gather, InMemoryTheFirstRankHasThemAll) {
  on_ranks([](Communicator& ranks) {
    const auto own = static_cast<std::size_t>(ranks.rank() == 1 ? 0 : ranks.rank() + 3);
    const std::vector<std::byte> all = gather(ranks, std::vector<std::byte>(own, std::byte(ranks.rank())));
    std::vector<std::byte> expected;
    for (int rank = 0; rank < (ranks.rank() == 0 ? ranks.size() : 0); ++rank)
      expected.insert(expected.end(), static_cast<std::size_t>(rank == 1 ? 0 : rank + 3), std::byte(rank));
    EXPECT_EQ(all, expected);
  });
}

TEST(SumsOf, AreThoseOfTheTree) {
  on_ranks([](Communicator& ranks) {
    constexpr std::int64_t leaves = 29;
    const std::int64_t first = leaves * ranks.rank() / ranks.size();
    const std::int64_t last = leaves * (ranks.rank() + 1) / ranks.size();
    const auto leaf = [](std::size_t list, std::int64_t k) {
      return std::ldexp(1.1, static_cast<int>(k * 7 % 60)) * (1.0 + static_cast<double>(list));
    };
    std::vector<TreeDigest<double>> own(2, TreeDigest<double>(first));
    std::vector<TreeDigest<double>> expected(2);
    for (std::size_t list = 0; list < 2; ++list) {
      for (std::int64_t k = 0; k < leaves; ++k) expected[list].add(leaf(list, k));
      for (std::int64_t k = first; k < last; ++k) own[list].add(leaf(list, k));
    }
    EXPECT_EQ(sums_of(ranks, own), (std::vector{expected[0].sum(), expected[1].sum()}));
  });
}

TEST(Share, AllHaveTheTextOfRankZero) {
  on_ranks([](Communicator& ranks) {
    for (const std::string& text : {std::string("a: 1\nb: \0c", 10), std::string(100000, 'x'), std::string()})
      EXPECT_EQ(share(ranks, ranks.rank() == 0 ? text : "my own"), text);
  });
}

/// Two sums over the same leaves, the second of their squares, in parts of any size; some ranks have none.
template <class T>
void check_sums(int size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(random() % 3000);
  for (T& value : values)
    value = static_cast<T>(std::ldexp(static_cast<double>(random() % 2000) - 1000.0, static_cast<int>(random() % 40)));
  std::vector<std::size_t> cuts = {0, values.size()};
  for (int k = 1; k < size; ++k) cuts.push_back(random() % 3 == 0 ? cuts.back() : random() % (values.size() + 1));
  std::ranges::sort(cuts);
  std::vector<T> squares;
  for (const T value : values) squares.push_back(value * value);
  const auto count = static_cast<kernels::qn_index>(values.size());
  const auto tree = [&](const std::vector<T>& list) { return kernels::Bodies<T, T>::tree_sum(list.data(), count); };

  const auto body = [&](Communicator& ranks) {
    const auto rank = static_cast<std::size_t>(ranks.rank());
    std::array<TreeDigest<T>, 2> sums;
    sums.fill(TreeDigest<T>(static_cast<std::int64_t>(cuts[rank])));
    for (std::size_t k = cuts[rank]; k < cuts[rank + 1]; ++k) {
      sums[0].add(values[k]);
      sums[1].add(squares[k]);
    }
    ranks.wait(*combine_sums<T>(ranks, sums));
    EXPECT_EQ(sums[0].sum(), tree(values));
    EXPECT_EQ(std::signbit(sums[0].sum()), std::signbit(tree(values)));
    EXPECT_EQ(sums[1].sum(), tree(squares));
  };
  run_ranks(size, body, {seed});
}

TEST(CombineSums, HasTheBitsOfTheTreeOnAll) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const int size : {1, 2, 3, 4, 7}) {
      check_sums<double>(size, seed);
      check_sums<float>(size, seed);
    }
  }
}

using Bytes = std::vector<std::byte>;

Bytes bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// Pieces, one a call.
RowSource source(std::vector<Bytes> pieces) {
  return [pieces = std::move(pieces), next = std::size_t{0}]() mutable {
    return next < pieces.size() ? std::span<const std::byte>(pieces[next++]) : std::span<const std::byte>();
  };
}

/// Keeps what comes, and the sizes that it comes in.
struct Collected {
  std::string text;
  std::vector<std::size_t> sizes;
  RowSink sink() {
    return [this](std::span<const std::byte> bytes) {
      for (const std::byte byte : bytes) text += static_cast<char>(byte);
      sizes.push_back(bytes.size());
    };
  }
};

TEST(Gather, BytesComeInTheOrderOfRanksInChunks) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Collected got;
    const auto body = [&](Communicator& ranks) {
      const std::vector<std::vector<Bytes>> rows = {
          {bytes_of("ab")}, {}, {bytes_of("cdefghij"), bytes_of("k")}, {bytes_of("lmnopqrs")}};
      Collected unused;
      EXPECT_TRUE(gather_in_order(ranks, source(rows[static_cast<std::size_t>(ranks.rank())]),
                                  ranks.rank() == 0 ? got.sink() : unused.sink(), 4));
      EXPECT_EQ(unused.text, "");
      EXPECT_EQ(agree(ranks, {}).code, 0);
    };
    run_ranks(4, body, {seed});
    EXPECT_EQ(got.text, "abcdefghijklmnopqrs");
    EXPECT_EQ(got.sizes, (std::vector<std::size_t>{2, 4, 4, 1, 4, 4}));
  }
}

TEST(Gather, OneProcessHasItAll) {
  Collected got;
  EXPECT_TRUE(gather_in_order(*one_process(), source({bytes_of("abcde")}), got.sink()));
  EXPECT_EQ(got.text, "abcde");
}

TEST(Gather, ARankIsNotAskedBeforeItsTurn) {
  std::vector<int> order;
  const auto body = [&](Communicator& ranks) {
    int left = 3;
    const int rank = ranks.rank();
    const RowSource rows = [&, rank]() -> std::span<const std::byte> {
      static constexpr std::array<std::byte, 1> row{};
      order.push_back(rank);  // without a lock: one at a time
      return std::span(row).first(left-- > 0 ? 1 : 0);
    };
    (void)gather_in_order(ranks, rows, [&](std::span<const std::byte>) { order.push_back(-1); });
  };
  run_ranks(2, body);
  EXPECT_EQ(order, (std::vector<int>{0, -1, 0, -1, 0, -1, 0, 1, -1, 1, -1, 1, -1, 1}));
}

/// What each of three ranks says of a gathering, where one of them goes wrong at its second piece; agreed on at last.
std::vector<std::string> gathered(int wrong, bool sink_is_wrong, std::uint64_t seed) {
  std::vector<std::string> said(3);
  const auto body = [&](Communicator& ranks) {
    int pieces = 0;
    const Bytes piece = bytes_of("ab");
    const RowSource rows = [&]() -> std::span<const std::byte> {
      if (++pieces == 2 && ranks.rank() == wrong && !sink_is_wrong) throw Error(ErrorKind::device, "lost", "gpu");
      return pieces > 2 ? std::span<const std::byte>() : std::span<const std::byte>(piece);
    };
    int left = 2 * wrong + 1;
    const RowSink sink = [&](std::span<const std::byte>) {
      if (sink_is_wrong && left-- == 0) throw Error(ErrorKind::io, "the disk is full");
    };
    RankOutcome own;
    std::string& end = said[static_cast<std::size_t>(ranks.rank())];
    try {
      end = gather_in_order(ranks, rows, sink, 64) ? "all" : "stopped";
    } catch (const Error& error) {
      end = error.what();
      own = {error.exit_code(), error.what(), error.where()};
    }
    const RankOutcome all = agree(ranks, own);
    EXPECT_EQ(all.code, sink_is_wrong ? 6 : 7);
    EXPECT_EQ(all.rank, sink_is_wrong ? 0 : wrong);
  };
  run_ranks(3, body, {seed});
  return said;
}

TEST(Gather, WhereASourceThrowsTheOthersAreStopped) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_THAT(gathered(0, false, seed), ::testing::ElementsAre("lost", "stopped", "stopped"));
    EXPECT_THAT(gathered(1, false, seed), ::testing::ElementsAre("stopped", "lost", "stopped"));
    EXPECT_THAT(gathered(2, false, seed), ::testing::ElementsAre("stopped", "all", "lost"));
  }
}

TEST(Gather, WhereTheSinkThrowsTheOthersAreStopped) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_THAT(gathered(0, true, seed), ::testing::ElementsAre("the disk is full", "stopped", "stopped"));
    EXPECT_THAT(gathered(1, true, seed), ::testing::ElementsAre("the disk is full", "stopped", "stopped"));
    EXPECT_THAT(gathered(2, true, seed), ::testing::ElementsAre("the disk is full", "all", "stopped"));
  }
}

TEST(Gather, ChunksOfNothingAreABug) {
  EXPECT_THROW((void)gather_in_order(*one_process(), source({}), RowSink(), 0), Error);
}

/// Everything above, on each of three ranks.
void together(Communicator& ranks) {
  (void)share(ranks, "text");
  std::array<TreeDigest<double>, 1> sums{TreeDigest<double>(ranks.rank())};
  sums[0].add(1);
  ranks.wait(*combine_sums<double>(ranks, sums));
  EXPECT_EQ(sums[0].sum(), 3);
  Collected got;
  EXPECT_TRUE(gather_in_order(ranks, source({bytes_of("ab")}), got.sink()));
  EXPECT_EQ(agree(ranks, {}).code, 0);
}

TEST(Together, AnyCallThatFailsEndsAll) {
  int calls = 0;
  run_ranks(3, [&](Communicator& ranks) {
    FaultyCommunicator counted(ranks, -1, FaultyCommunicator::Fault::throws);
    together(counted);
    if (ranks.rank() == 1) calls = counted.calls();
  });
  ASSERT_GT(calls, 10);
  for (int call = 0; call < calls; ++call) {
    for (const auto fault : {FaultyCommunicator::Fault::throws, FaultyCommunicator::Fault::short_message}) {
      const std::string end = end_of([&] {
        const auto body = [&](Communicator& ranks) {
          FaultyCommunicator faulty(ranks, call, fault);
          together(ranks.rank() == 1 ? faulty : ranks);
        };
        run_ranks(3, body, {static_cast<std::uint64_t>(call)});
      });
      if (fault == FaultyCommunicator::Fault::throws)
        EXPECT_EQ(end, "6: rank 1: call " + std::to_string(call) + " of the communicator fails, as asked for");
      else
        EXPECT_EQ(end.substr(0, 5), "bug: ") << "call " << call << ": " << end;
    }
  }
}

}  // namespace
}  // namespace quoin
