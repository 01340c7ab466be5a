// Communicators from outside.

#include "quoin/communicators.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "plugin/loader.hpp"
#include "plugin/problems.hpp"
#include "quoin/communicator_abi.h"
#include "quoin/error.hpp"
#include "quoin/words.hpp"

namespace quoin {
namespace {

/// A table as a quoin::Communicator.
class PluginCommunicator final : public Communicator {
 public:
  PluginCommunicator(const quoin_communicator_table& table, std::string where)
      : table_(table), where_(std::move(where)) {
    place_.size = sizeof place_;
    call(table_.start, &place_);
    place_.host[sizeof place_.host - 1] = '\0';
    me_ = "rank " + std::to_string(place_.rank) + " (" + printable(place_.host, true) + ")";
  }
  ~PluginCommunicator() override { table_.finish(); }

  [[nodiscard]] int rank() const override { return place_.rank; }
  [[nodiscard]] int size() const override { return place_.ranks; }
  [[nodiscard]] Host host() const override { return {place_.host, place_.host_rank, place_.host_ranks}; }

  std::unique_ptr<Transfer> send(std::span<const std::byte> bytes, int to, int tag) override {
    return begin([&](quoin_transfer** made) { call(table_.send, bytes.data(), bytes.size(), to, tag, made); });
  }
  std::unique_ptr<Transfer> receive(std::span<std::byte> bytes, int from, int tag) override {
    return begin([&](quoin_transfer** made) { call(table_.receive, bytes.data(), bytes.size(), from, tag, made); });
  }
  std::unique_ptr<Transfer> combine(std::span<std::byte> value, Join join) override {
    auto transfer = begin([](quoin_transfer** /*made*/) {});
    transfer->join = std::move(join);
    call(table_.combine, value.data(), value.size(), joined, &transfer->join, &transfer->handle);
    return transfer;
  }
  void broadcast(std::span<std::byte> bytes, int root) override {
    const auto transfer =
        begin([&](quoin_transfer** made) { call(table_.broadcast, bytes.data(), bytes.size(), root, made); });
    wait(*transfer);
  }

  bool done(Transfer& transfer) override {
    auto& one = static_cast<Handle&>(transfer);
    if (one.handle == nullptr) return true;
    std::int32_t over = 0;
    quoin_error error = empty_error();
    const int status = table_.test(one.handle, &over, &error);
    if (status != 0 || over != 0) one.handle = nullptr;
    if (status != 0) raise(status, error, me_);
    if (over == 0) throw_if_told();
    return over != 0;
  }
  /// Polls: a rank that has failed must be noticed. At first as fast as it can, then others may have the core.
  void wait(Transfer& transfer) override {
    constexpr int eager = 200;
    constexpr int seldom = 64;  // a call costs as much as a look
    for (int k = 0; !done(transfer); ++k) {
      if (k <= eager) continue;
      if (k % seldom == 0 && meanwhile_) meanwhile_();
      std::this_thread::yield();
    }
  }
  void while_waiting(std::function<void()> call) override { meanwhile_ = std::move(call); }

  void report_failure(const Error& error) noexcept override {
    if (told_) return;  // all have been told of that one
    quoin_error told = empty_error();
    const std::string text = me_ + '\n' + error.what();
    text.copy(told.message, sizeof told.message - 1);
    table_.tell_failure(&told, static_cast<std::int32_t>(error.kind()));
  }
  [[noreturn]] void abort(int code) noexcept override {
    table_.abort(code);
    std::_Exit(code);
  }

 private:
  class Handle final : public Transfer {
   public:
    explicit Handle(PluginCommunicator& owner) : owner_(owner) {}
    ~Handle() override {
      if (std::uncaught_exceptions() > 0) return;  // what it waits for may never come
      try {
        while (handle != nullptr && !owner_.done(*this)) std::this_thread::yield();
      } catch (const std::exception&) {  // then nobody waits for it any more
      }
    }
    quoin_transfer* handle = nullptr;
    Join join;

   private:
    PluginCommunicator& owner_;
  };

  static quoin_error empty_error() {
    quoin_error error{};
    error.size = sizeof error;
    return error;
  }
  template <class... Parameters, class... Given>
  void call(int (*function)(Parameters...), Given... given) const {
    quoin_error error = empty_error();
    if (const int status = function(given..., &error); status != 0) raise(status, error, me_.empty() ? where_ : me_);
  }
  template <class Begin>
  std::unique_ptr<Handle> begin(const Begin& start) {
    auto transfer = std::make_unique<Handle>(*this);
    start(&transfer->handle);
    return transfer;
  }
  static void joined(void* user, const void* left, void* right, std::uint64_t bytes) {
    (*static_cast<const Join*>(user))({static_cast<const std::byte*>(left), bytes},
                                      {static_cast<std::byte*>(right), bytes});
  }
  /// What report_failure() has sent: the place of that rank is the first line.
  [[noreturn]] static void raise_of(std::int32_t rank, std::int32_t kind, quoin_error& sent) {
    const std::string_view text(sent.message, strnlen(sent.message, sizeof sent.message));
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) raise(kind, sent, "rank " + std::to_string(rank));
    quoin_error error = empty_error();
    text.substr(end + 1).copy(error.message, sizeof error.message - 1);
    raise(kind, error, std::string(text.substr(0, end)));
  }
  /// Again and again, once another rank has failed.
  void throw_if_told() {
    quoin_error error = empty_error();
    std::int32_t kind = 0;
    const std::int32_t rank = told_ ? -1 : table_.failure(&error, &kind);
    try {
      if (rank >= 0) raise_of(rank, kind, error);
    } catch (const Error& told) {
      told_ = told;
    }
    if (told_) throw Error(*told_);
  }

  const quoin_communicator_table& table_;
  std::string where_;
  std::string me_;
  std::function<void()> meanwhile_;
  std::optional<Error> told_;  // what another rank has failed with
  quoin_place place_{};
};

}  // namespace

bool started_by_launcher() {
  constexpr std::array sizes{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
  if (std::ranges::any_of(sizes, [](const char* name) { return std::getenv(name) != nullptr; })) return true;
  const char* const tasks = std::getenv("SLURM_NTASKS");
  return std::getenv("PMIX_RANK") != nullptr ||
         (tasks != nullptr && std::atoi(tasks) > 1 && std::getenv("SLURM_STEP_ID") != nullptr);
}

std::unique_ptr<Communicator> open_communicator(const std::vector<std::filesystem::path>& folders,
                                                LibraryOpener& opener) {
  std::string refused;
  for (const Candidate& candidate : find_communicators(folders)) {
    if (!candidate.refusal.empty()) {
      refused += "\n  " + candidate.file.string() + " " + candidate.refusal;
      continue;
    }
    static const quoin_host host{sizeof(quoin_host), QUOIN_ABI_MAJOR, QUOIN_ABI_MINOR, nullptr, nullptr};
    const quoin_communicator_table* table = nullptr;
    open_symbol(candidate, opener, QUOIN_COMMUNICATOR_SYMBOL, "a function of that name",
                [&](void* symbol) { table = reinterpret_cast<quoin_communicator_function>(symbol)(&host); });
    if (table == nullptr || table->abi_major != QUOIN_ABI_MAJOR || table->size < sizeof(quoin_communicator_table))
      throw Error(ErrorKind::plugin, "the plugin refuses this host, or has too few functions; rebuild it",
                  candidate.file.string());
    return std::make_unique<PluginCommunicator>(*table, candidate.file.string());
  }
  std::string sought;
  for (const std::filesystem::path& folder : folders) sought += (sought.empty() ? "" : ", ") + folder.string();
  throw Error(ErrorKind::plugin,
              "there is no plugin that connects ranks: build Quoin where an MPI is installed (Debian: libopenmpi-dev, "
              "openmpi-bin); looked in " +
                  sought + refused);
}

}  // namespace quoin
