// Queues and events: work is done in order, also where nobody waits for it.

#include <algorithm>
#include <array>
#include <chrono>
#include <initializer_list>
#include <optional>

#include "conformance/reference.hpp"
#include "conformance/suite.hpp"

namespace quoin::conformance {
namespace {

/// Calls `body` with a value of the widest type in which the device has those kernels, if there is one.
template <class Body>
void in_any_precision(const DeviceUnderTest& bench, std::initializer_list<const char*> kernels, Body&& body) {
  const auto& precisions = bench.executor->device().precisions;
  const auto offers = [&](Precision precision) {
    return std::find(precisions.begin(), precisions.end(), precision) != precisions.end() &&
           std::all_of(kernels.begin(), kernels.end(), [&](const char* name) {
             return bench.executor->supports({name, precision, {}});
           });
  };
  if (offers(Precision::float64))
    body(double{});
  else if (offers(Precision::float32))
    body(float{});
}
constexpr std::initializer_list<const char*> of_sweeps = {"jacobi_sweeps", "residual_norm"};
constexpr std::initializer_list<const char*> of_work = {"stream_triad"};

/// Jacobi sweeps between two fields with a norm after each, on the device and on the host. Nothing here
/// waits for the device but the final comparison.
template <class T>
struct Sweeps {
  static constexpr std::int64_t nx = 61, ny = 37, blocks_x = 4, blocks = 8, most = 64;
  static constexpr double a = 1.25, b = 3.5, diagonal = 2 * a + 2 * b, weight = 0.8 / diagonal, f = 0.3;

  explicit Sweeps(DeviceUnderTest& bench)
      : executor(*bench.executor),
        sweep(executor.kernel({"jacobi_sweeps", precision_of<T>, {}})),
        norm(executor.kernel({"residual_norm", precision_of<T>, {}})),
        fields{{executor, "even", place_grid<T>(executor, nx, ny, Style::native)},
               {executor, "odd", place_grid<T>(executor, nx, ny, Style::odd)}},
        partials(executor, "partials", {blocks_x, 0, blocks, 0}),
        weights(executor, "weights", place_array(1, Style::odd)),
        norms(executor, "norms", place_array(most, Style::odd)),
        control(executor, "control", place_array(2, Style::odd)) {
    for (Field<T>& field : fields) field.fill_with_sides(box, 1);  // equal sides: the fields swap roles
    weights[0] = static_cast<T>(weight);
    control[0] = control[1] = 0;
    for (Guarded* buffer : buffers()) {
      buffer->freeze();
      buffer->upload(*bench.queue);
    }
    bench.queue->synchronize();
  }

  std::vector<Guarded*> buffers() { return {&fields[0], &fields[1], &partials, &weights, &norms, &control}; }

  /// Gives the queue iterations [first, last) and does the same on the host.
  void run(Queue& queue, std::int64_t first, std::int64_t last, double tolerance = -1.0) {
    for (std::int64_t k = first; k < last; ++k) {
      Field<T>& u = fields[k % 2];
      Field<T>& u_new = fields[(k + 1) % 2];
      const Argument arguments[] = {
          u.argument(),         Argument::absent(),       u_new.argument(),   partials.argument(), Argument::real(a),
          Argument::real(b),    Argument::real(diagonal), weights.argument(), Argument::real(f),   Argument::integer(1),
          Argument::integer(0), Argument::integer(0),     control.argument()};
      launch(queue, *sweep, KernelId::jacobi_sweeps, box, arguments);
      Argument list = partials.argument();
      list.pitch = 0;
      const Argument sum[] = {list,
                              norms.argument(),
                              Argument::integer(k),
                              Argument::integer(k + 1),
                              Argument::integer(1),
                              Argument::real(1.0),
                              Argument::real(1.0),
                              Argument::real(tolerance),
                              control.argument()};
      launch(queue, *norm, KernelId::residual_norm, Box::line(blocks), sum);
    }
  }
  /// The same on the host alone.
  void run_on_host(Queue& queue, std::int64_t first, std::int64_t last) {
    on_device = false;
    run(queue, first, last);
    on_device = true;
  }
  void launch(Queue& queue, Kernel& kernel, KernelId id, const Box& where, std::span<const Argument> arguments) {
    if (on_device) kernel.launch(queue, where, arguments);
    run_reference_on(buffers(), variant_of({std::string(entry_of(id).name), precision_of<T>, {}}), where, arguments);
  }

  /// Copies back without any other wait: a copy comes after all earlier work of its queue.
  void compare(Queue& queue) {
    for (Guarded* buffer : buffers()) {
      buffer->download(queue);
      buffer->compare(most * executor.device().error_bound);
    }
  }

  bool on_device = true;
  Box box = Box::plane(nx, ny);
  Executor& executor;
  std::unique_ptr<Kernel> sweep, norm;
  Field<T> fields[2];
  Field<T> partials, weights, norms;
  Field<std::int64_t> control;
};

/// Work that takes the device a while to do, and no time to give to a queue that is asynchronous.
template <class T>
class Work {
 public:
  explicit Work(DeviceUnderTest& bench)
      : executor_(*bench.executor), triad_(executor_.kernel({"stream_triad", precision_of<T>, {}})) {
    constexpr double wanted = 2e-4;  // seconds of a launch
    constexpr std::int64_t most = std::int64_t{1} << 20U;
    for (length_ = 1 << 14; seconds_of_one(*bench.queue) < wanted && length_ < most;) length_ *= 4;
  }
  /// So many launches that they take some 20 ms.
  [[nodiscard]] int launches() const { return std::clamp(static_cast<int>(0.02 / seconds_), 8, 400); }
  void give(Queue& queue, int launches) {
    for (int k = 0; k < launches; ++k) launch(queue, *scratch_);
  }
  /// The last of the work, in a field of its own.
  void give_last(Queue& queue) { launch(queue, *result_); }
  /// How many elements of that field are as they were before, copied by that queue.
  std::int64_t missing(Queue& queue) {
    result_->download(queue);
    std::int64_t count = 0;
    for (std::int64_t k = 0; k < length_; ++k) count += same_bits(result_->seen(k, 0), (*result_)[k]) ? 1 : 0;
    return count;
  }
  [[nodiscard]] std::int64_t length() const { return length_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// Of the second, which finds everything made.
  double seconds_of_one(Queue& queue) {
    const Place place = place_array(length_, Style::native);
    for (auto* field : {&x_, &y_, &scratch_, &result_}) {
      field->emplace(executor_, "work", place);
      (*field)->freeze();
    }
    for (auto* field : {&x_, &y_}) {
      (*field)->fill(Box::line(length_), 1);
      (*field)->freeze();
    }
    for (auto* field : {&x_, &y_, &scratch_, &result_}) (*field)->upload(queue);
    for (int k = 0; k < 2; ++k) {
      const auto start = Clock::now();
      give(queue, 1);
      queue.synchronize();
      seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
    }
    scratch_->download(queue);  // waits where synchronize does not
    return seconds_;
  }
  void launch(Queue& queue, Field<T>& to) {
    const Argument arguments[] = {x_->argument(), y_->argument(), to.argument(), Argument::real(0.5)};
    triad_->launch(queue, Box::line(length_), arguments);
  }

  Executor& executor_;
  std::unique_ptr<Kernel> triad_;
  std::optional<Field<T>> x_, y_, scratch_, result_;
  std::int64_t length_ = 0;
  double seconds_ = 0.0;
};

void order_in_a_queue(DeviceUnderTest& bench, Cases& cases) {
  in_any_precision(bench, of_sweeps, [&](auto zero) {
    using T = decltype(zero);
    cases("60 sweeps without waiting", [&] {
      Sweeps<T> sweeps(bench);
      sweeps.run(*bench.queue, 0, 60);
      sweeps.compare(*bench.queue);
    });
    cases("a stop on the device in the middle of 60 sweeps", [&] {
      Sweeps<T> before(bench);
      before.run(*bench.queue, 0, 30);
      Sweeps<T> sweeps(bench);
      // Between two norms, far from either, so that a declared error bound does not move the stop.
      const double tolerance = 0.5 * (static_cast<double>(before.norms[28]) + static_cast<double>(before.norms[29]));
      sweeps.run(*bench.queue, 0, 60, tolerance);
      if (sweeps.control[0] == 0) throw Mismatch("the suite's own sweeps did not stop");
      sweeps.compare(*bench.queue);
    });
    cases("copies between launches", [&] {
      Sweeps<T> sweeps(bench);
      sweeps.run(*bench.queue, 0, 10);
      sweeps.fields[0].fill_with_sides(sweeps.box, 77);
      sweeps.fields[0].freeze();
      sweeps.fields[0].upload(*bench.queue);
      sweeps.run(*bench.queue, 10, 20);
      sweeps.compare(*bench.queue);
    });
  });
}

void two_queues(DeviceUnderTest& bench, Cases& cases) {
  in_any_precision(bench, of_work, [&](auto zero) {
    cases("a copy by another queue after synchronize", [&] {
      Work<decltype(zero)> work(bench);
      const auto other = bench.executor->queue();
      work.give(*bench.queue, work.launches());
      work.give_last(*bench.queue);
      bench.queue->synchronize();
      const std::int64_t missing = work.missing(*other);
      work.missing(*bench.queue);  // the copy waits, before memory goes
      if (missing > 0)
        throw Mismatch("synchronize has not waited: " + std::to_string(missing) + " of " +
                       std::to_string(work.length()) + " values were not there yet");
    });
    cases("a queue that waits for the long work of another", [&] {
      Work<decltype(zero)> work(bench);
      const auto other = bench.executor->queue();
      const auto done = bench.executor->event();
      work.give(*bench.queue, work.launches());
      work.give_last(*bench.queue);
      bench.queue->record(*done);
      other->wait(*done);
      const std::int64_t missing = work.missing(*other);
      bench.queue->synchronize();
      if (missing > 0)
        throw Mismatch("it has not waited: " + std::to_string(missing) + " of " + std::to_string(work.length()) +
                       " values that it copied were not there yet");
    });
  });
  in_any_precision(bench, of_sweeps, [&](auto zero) {
    using T = decltype(zero);
    cases("sweeps in turn on two queues, ordered by events alone", [&] {
      Sweeps<T> sweeps(bench);
      const auto other = bench.executor->queue();
      const auto here = bench.executor->event();
      const auto there = bench.executor->event();
      for (std::int64_t k = 0; k < 60; k += 6) {
        sweeps.run(*bench.queue, k, k + 3);
        bench.queue->record(*here);
        other->wait(*here);
        sweeps.run(*other, k + 3, k + 6);
        other->record(*there);  // the same events again in each round
        bench.queue->wait(*there);
      }
      sweeps.compare(*bench.queue);
    });
    cases("an event outlives its queue", [&] {
      Sweeps<T> sweeps(bench);
      const auto done = bench.executor->event();
      {
        const auto other = bench.executor->queue();
        sweeps.run(*other, 0, 20);
        other->record(*done);
        other->synchronize();
      }
      bench.queue->wait(*done);
      sweeps.compare(*bench.queue);
    });
  });
}

void source_of_a_copy(DeviceUnderTest& bench, Cases& cases) {
  cases("the source is overwritten at once", [&] {
    constexpr std::size_t bytes = 1 << 20;
    const auto memory = bench.executor->allocate(bytes, MemoryKind::device);
    std::vector<std::byte> source(bytes), seen(bytes);
    for (unsigned round = 1; round < 20; ++round) {
      std::fill(source.begin(), source.end(), static_cast<std::byte>(round));
      bench.queue->copy_in(*memory, 0, source);
      std::fill(source.begin(), source.end(), std::byte{0xff});
      bench.queue->copy_out(seen, *memory, 0);
      if (std::count(seen.begin(), seen.end(), static_cast<std::byte>(round)) != static_cast<std::ptrdiff_t>(bytes))
        throw Mismatch("the copy holds bytes that were written to the source after copy_in had returned");
    }
  });
}

void copies_at_offsets(DeviceUnderTest& bench, Cases& cases) {
  constexpr std::size_t total = std::size_t{3} * 4096;
  const auto memory = bench.executor->allocate(total, MemoryKind::device);
  std::vector<std::byte> mirror = uneven_bytes(total);
  std::vector<std::byte> seen(total);
  bench.queue->copy_in(*memory, 0, mirror);
  for (const std::size_t offset : {0, 1, 3, 8, 4095, 4096, 8191}) {
    for (const std::size_t bytes : {0, 1, 7, 64, 4097}) {
      cases(std::to_string(bytes) + " bytes at " + std::to_string(offset), [&] {
        std::vector<std::byte> part(bytes);
        bench.queue->copy_out(part, *memory, offset);
        if (!std::equal(part.begin(), part.end(), mirror.begin() + static_cast<std::ptrdiff_t>(offset)))
          throw Mismatch("copy_out gave other bytes");
        for (std::byte& value : part) value ^= std::byte{0x55};
        bench.queue->copy_in(*memory, offset, part);
        std::copy(part.begin(), part.end(), mirror.begin() + static_cast<std::ptrdiff_t>(offset));
        bench.queue->copy_out(seen, *memory, 0);
        const auto [wrong, expected] = std::mismatch(seen.begin(), seen.end(), mirror.begin());
        if (wrong != seen.end())
          throw Mismatch("after copy_in, byte " + std::to_string(wrong - seen.begin()) + " is wrong");
      });
    }
  }
}

void events_and_counts(DeviceUnderTest& bench, Cases& cases) {
  in_any_precision(bench, of_work, [&](auto zero) {
    cases("time between events, launches counted", [&] {
      Work<decltype(zero)> work(bench);
      constexpr int first = 10;
      constexpr int second = 30;
      std::array<std::unique_ptr<Event>, 3> events;
      for (auto& event : events) event = bench.executor->event();
      const std::uint64_t launches = bench.queue->launches();
      const auto start = std::chrono::steady_clock::now();
      bench.queue->record(*events[0]);
      work.give(*bench.queue, first);
      bench.queue->record(*events[1]);
      work.give(*bench.queue, second);
      bench.queue->record(*events[2]);
      const double one = events[1]->seconds_since(*events[0]);
      const double other = events[2]->seconds_since(*events[1]);
      const double both = events[2]->seconds_since(*events[0]);
      const double on_host = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      for (const double seconds : {one, other, both}) {
        if (!(seconds > 0.0) || !std::isfinite(seconds))
          throw Mismatch("seconds_since is " + show(seconds) + " for work recorded between two events");
      }
      constexpr double part = 0.01;
      constexpr double resolution = 1e-5;
      if (both > (1.0 + part) * on_host + 10 * resolution)
        throw Mismatch("seconds_since is " + show(both) + " for work that was done in " + show(on_host) + " s");
      if (std::abs(both - one - other) > part * both + resolution)
        throw Mismatch("seconds_since is " + show(one) + " and " + show(other) + " for two parts of the work, and " +
                       show(both) + " for both");
      bench.queue->synchronize();
      const std::uint64_t counted = bench.queue->launches() - launches;
      if (counted < first + second)
        throw Mismatch(std::to_string(first + second) + " launches, " + std::to_string(counted) + " counted");
    });
    cases("time between events around long work", [&] {
      Work<decltype(zero)> work(bench);
      const auto before = bench.executor->event();
      const auto after = bench.executor->event();
      double seconds = 0.0;
      double on_host = 0.0;
      // Times of when events are recorded, not of when they happen, are next to nothing. Where others hold up the host
      // before the work or behind it, so is the right time, but not again and again.
      for (int attempt = 0; attempt < 10 && seconds <= 0.1 * on_host; ++attempt) {
        bench.queue->synchronize();
        const auto start = std::chrono::steady_clock::now();
        bench.queue->record(*before);
        work.give(*bench.queue, work.launches());
        bench.queue->record(*after);
        bench.queue->synchronize();
        on_host = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        seconds = after->seconds_since(*before);
      }
      if (seconds <= 0.1 * on_host)
        throw Mismatch("seconds_since is " + show(seconds) + " for all the work of " + show(on_host) + " s");
    });
  });
}

bool records(Queue& queue) { return queue.begin_sequence() && queue.end_sequence() != nullptr; }

void sequences(DeviceUnderTest& bench, Cases& cases) {
  in_any_precision(bench, of_sweeps, [&](auto zero) {
    if (!records(*bench.queue)) {
      cases("launches of a queue that cannot record them", [&] {
        Sweeps<decltype(zero)> sweeps(bench);
        sweeps.run(*bench.queue, 0, 2);
        sweeps.compare(*bench.queue);
      });
      return;
    }
    cases("launches recorded, run twice among others", [&] {
      constexpr std::int64_t of_each = 2;  // iterations, of two launches
      Sweeps<decltype(zero)> sweeps(bench);
      const std::uint64_t before = bench.queue->launches();
      bench.queue->begin_sequence();
      sweeps.run(*bench.queue, 0, of_each);
      const std::unique_ptr<Sequence> sequence = bench.queue->end_sequence();
      bench.queue->run_sequence(*sequence);
      sweeps.compare(*bench.queue);
      sweeps.run(*bench.queue, 0, of_each);
      bench.queue->run_sequence(*sequence);
      sweeps.run_on_host(*bench.queue, 0, of_each);
      sweeps.run(*bench.queue, 0, of_each);
      sweeps.compare(*bench.queue);
      constexpr std::uint64_t launches = 4 * of_each * 2;
      const std::uint64_t counted = bench.queue->launches() - before;
      if (counted != launches)
        throw Mismatch(std::to_string(launches) + " launches, those of two runs of a sequence among them, " +
                       std::to_string(counted) + " counted");
    });
  });
}

constexpr InterfaceCheck of_queues[] = {
    {"order in a queue", order_in_a_queue},   {"order across queues", two_queues},
    {"source of a copy", source_of_a_copy},   {"copies at offsets", copies_at_offsets},
    {"events and counts", events_and_counts}, {"sequences", sequences},
};

}  // namespace

std::vector<std::byte> uneven_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t k = 0; k < count; ++k) bytes[k] = static_cast<std::byte>(k * 7 + k / 256);
  return bytes;
}

std::span<const InterfaceCheck> queue_checks() { return of_queues; }

}  // namespace quoin::conformance
