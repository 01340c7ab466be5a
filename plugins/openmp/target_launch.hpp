#pragma once

// How items of work reach a device: a struct Work, whose bytes are copied there, with
//
//   qn_index count() const;           the items
//   bool stopped() const;             whether nothing is left to do
//   void work(qn_index item) const;   does one; neighbouring items are neighbouring lanes of a GPU
//
// On a GPU they are a bare kernel whose arguments are plain numbers. A parallel loop would bring the OpenMP device
// runtime along, and a struct that a region captures is copied to the device by each launch, in memory of its own:
// there, products with sparse matrices took from 1.3 to twice as long on an H100.

#include <omp.h>
#include <ompx.h>

#include "kernels/dialect/cpp.hpp"
#include "target.hpp"

#if defined(__NVPTX__) || defined(__AMDGCN__)
#define QN_GPU 1
#else
#define QN_GPU 0
#endif

namespace quoin::kernels {
inline namespace QN_ISA {

#define QN_WORDS_8(W, t) W(t##0) W(t##1) W(t##2) W(t##3) W(t##4) W(t##5) W(t##6) W(t##7)
#define QN_WORDS(W) \
  QN_WORDS_8(W, 0)  \
  QN_WORDS_8(W, 1) QN_WORDS_8(W, 2) QN_WORDS_8(W, 3) QN_WORDS_8(W, 4) QN_WORDS_8(W, 5) QN_WORDS_8(W, 6) QN_WORDS_8(W, 7)
#define QN_WORD_NAME(k) w##k,
#define QN_WORD_NEXT(k) const std::uint64_t w##k = next();
#define QN_WORDS_FROM(work)                                                          \
  const auto words = __builtin_bit_cast(Words<Work>, work);                          \
  int at = 0;                                                                        \
  const auto next = [&] { return at < Words<Work>::size ? words.values[at++] : 0; }; \
  QN_WORDS(QN_WORD_NEXT)

inline constexpr int most_words = 64;
inline constexpr int team_lanes = 128;  ///< products by csr took longer with 256 to 1024 on an H100

/// The bytes of a Work, word by word.
template <class Work>
struct Words {
  static_assert(__is_trivially_copyable(Work) && sizeof(Work) % sizeof(std::uint64_t) == 0);
  static constexpr int size = sizeof(Work) / sizeof(std::uint64_t);
  static_assert(size <= most_words);
  std::uint64_t values[size];
};

// Regions hold no conditional compilation: host and devices must capture the same variables in the same order.

template <class Work>
QN_CALL Work work_of(const std::uint64_t (&words)[most_words]) {
  Words<Work> sent;
  QN_UNROLL
  for (int k = 0; k < Words<Work>::size; ++k) sent.values[k] = words[k];
  return __builtin_bit_cast(Work, sent);
}

template <class Work>
QN_CALL void work_as_lane([[maybe_unused]] const std::uint64_t (&words)[most_words]) {
#if QN_GPU
  const Work work = work_of<Work>(words);
  if (work.stopped()) return;
  const qn_index lanes = ompx_block_dim_x();
  const qn_index count = work.count();
  for (qn_index item = ompx_block_id_x() * lanes + ompx_thread_id_x(); item < count; item += ompx_grid_dim_x() * lanes)
    work.work(item);
#endif
}

template <class Work>
QN_CALL void work_as_iteration([[maybe_unused]] const Work& work, [[maybe_unused]] qn_index item) {
#if defined(QN_PROCESSOR_IMAGE)
  if (!work.stopped()) work.work(item);
#endif
}

template <int Lanes, class Work>
void launch_lanes(int device, const Work& work, qn_index most_teams) {
  const qn_index all = (work.count() + Lanes - 1) / Lanes;
  const auto teams = static_cast<int>(most_teams != 0 && most_teams < all ? most_teams : all);
  QN_WORDS_FROM(work)
#pragma omp target teams ompx_bare device(device) num_teams(teams) thread_limit(Lanes)
  work_as_lane<Work>({QN_WORDS(QN_WORD_NAME)});
}

template <class Work>
void launch_iterations(int device, const Work& work) {
  const qn_index count = work.count();
#pragma omp target teams distribute parallel for device(device) firstprivate(work)
  for (qn_index item = 0; item < count; ++item) work_as_iteration(work, item);
}

/// On a GPU by teams of so many lanes, and at most so many teams, if that is not 0.
template <int Lanes = team_lanes, class Work>
void launch_items(const openmp::Target& target, const Work& work, qn_index most_teams = 0) {
  target.architecture == openmp::Architecture::x86_64 ? launch_iterations(target.device, work)
                                                      : launch_lanes<Lanes>(target.device, work, most_teams);
}

/// One of those who do the work of a team.
struct Member {
  qn_index number, members;
  qn_index team, teams;
};

/// Waits for the team.
QN_CALL void team_barrier() {
#if QN_GPU
  ompx_sync_block_acq_rel();
#elif defined(QN_PROCESSOR_IMAGE)
#pragma omp barrier
#endif
}

template <class Work>
QN_CALL void work_as_member([[maybe_unused]] const std::uint64_t (&words)[most_words]) {
#if QN_GPU
  work_of<Work>(words).work({ompx_thread_id_x(), ompx_block_dim_x(), ompx_block_id_x(), ompx_grid_dim_x()});
#endif
}

template <class Work>
QN_CALL void work_as_thread([[maybe_unused]] const Work& work) {
#if defined(QN_PROCESSOR_IMAGE)
  work.work({omp_get_thread_num(), omp_get_num_threads(), omp_get_team_num(), omp_get_num_teams()});
#endif
}

/// Of a Work whose work(Member) each member of each team calls.
template <class Work>
void launch_teams(const openmp::Target& target, int teams, int members, const Work& work) {
  const int device = target.device;
  if (target.architecture == openmp::Architecture::x86_64) {
#pragma omp target teams num_teams(teams) thread_limit(members) device(device) firstprivate(work)
#pragma omp parallel num_threads(members)
    work_as_thread(work);
  } else {
    QN_WORDS_FROM(work)
#pragma omp target teams ompx_bare device(device) num_teams(teams) thread_limit(members)
    work_as_member<Work>({QN_WORDS(QN_WORD_NAME)});
  }
}

}  // namespace QN_ISA
}  // namespace quoin::kernels
