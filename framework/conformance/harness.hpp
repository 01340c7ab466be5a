#pragma once

// What every check of the suite stands on: buffers between guard zones whose whole content is known,
// and a trial, which launches one kernel and then looks at every byte of every buffer.

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "quoin/catalogue.hpp"
#include "quoin/executor.hpp"

namespace quoin::conformance {

/// The backend did not do what the catalogue or the interface says; the text says where.
struct Mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The device under test and the queue that the checks use where they need only one.
struct DeviceUnderTest {
  std::shared_ptr<Executor> executor;
  std::unique_ptr<Queue> queue;
};

template <class T>
constexpr Precision precision_of = std::is_same_v<T, double> ? Precision::float64 : Precision::float32;

/// Elements of a grid by their indices; negative ones reach ghosts.
template <class T>
struct View {
  T* first = nullptr;
  std::int64_t pitch = 0;
  T& operator()(std::int64_t i, std::int64_t j) const { return first[j * pitch + i]; }
};

/// Where a grid lies in its allocation, in elements.
struct Place {
  std::int64_t pitch = 0;   ///< 0: a plain array
  std::int64_t offset = 0;  ///< from the start of the allocation to element (0, 0)
  std::int64_t count = 0;   ///< of the allocation, with guards at both ends
  std::int64_t left = 0;    ///< ghosts and padding of a row before its element 0
};

enum class Style {
  native,  ///< the pitch and alignment that the executor asks for
  odd,     ///< an odd pitch, a wide ghost ring, and a start that is one element off any alignment
};

/// A place for nx by ny elements of T with at least one ghost layer.
template <class T>
Place place_grid(const Executor& executor, std::int64_t nx, std::int64_t ny, Style style) {
  constexpr std::int64_t guard = 512;
  if (style == Style::native) {
    const Layout layout = executor.layout({{nx, ny, 1}, sizeof(T), 1});
    const auto count = static_cast<std::int64_t>(layout.bytes / sizeof(T));
    return {layout.pitch, guard + layout.origin, count + 2 * guard, layout.origin - layout.ghost * layout.pitch};
  }
  constexpr std::int64_t ghost = 5;
  const std::int64_t pitch = (nx + 2 * ghost) | 1;
  return {pitch, guard + 1 + ghost * pitch + ghost, (ny + 2 * ghost) * pitch + 2 * guard, ghost};
}

/// A place for n elements without rows.
inline Place place_array(std::int64_t n, Style style) {
  constexpr std::int64_t guard = 512;
  return {0, guard + (style == Style::odd ? 1 : 0), n + 2 * guard, 0};
}

/// A value that no kernel should ever use or produce, another one for each field of a trial and each index: what is
/// copied or computed from poison at one place then differs from the poison at every other. A signaling NaN, of which
/// arithmetic makes a quiet one: x86 gives z + w the bits of a quiet z.
template <class T>
T poison(std::size_t salt, std::size_t index) {
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(0x7ff4'0000'0000'0000U | (salt & 0xffffU) << 32U | (index & 0xffff'ffffU));
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(0x7f80'8000U | (salt & 0x3fU) << 16U | (index & 0x7fffU)));
  } else if constexpr (sizeof(T) == sizeof(std::int32_t)) {
    return static_cast<T>(0x5a00'0000U | (salt & 0x3fU) << 16U | (index & 0xffffU));
  } else {
    return static_cast<T>(0x5a5a'0000'0000'0000U | (salt & 0xffffU) << 32U | (index & 0xffff'ffffU));
  }
}

/// A number whose bits look random, another one for each argument: Stafford's mix13, as in SplitMix64.
constexpr std::uint64_t mixed(std::uint64_t value) {
  value *= 0x9e37'79b9'7f4a'7c15U;
  value = (value ^ value >> 30U) * 0xbf58'476d'1ce4'e5b9U;
  value = (value ^ value >> 27U) * 0x94d0'49bb'1331'11ebU;
  return value ^ value >> 31U;
}

template <class T>
bool same_bits(T a, T b) {
  using Bytes = std::array<std::byte, sizeof(T)>;
  return std::bit_cast<Bytes>(a) == std::bit_cast<Bytes>(b);
}

/// The value in decimal and, for a real, to the bit.
template <class T>
std::string show(T value) {
  std::ostringstream text;
  if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    if (std::isnan(value)) text << "nan (0x" << std::hex << std::bit_cast<Bits>(value) << ")";
    if (std::isnan(value)) return text.str();
  }
  text.precision(std::numeric_limits<T>::max_digits10);
  text << value;
  if constexpr (std::is_floating_point_v<T>) text << " (" << std::hexfloat << value << ")";
  return text.str();
}

/// A node of a field in a message.
inline std::string node(const char* field, std::int64_t i, std::int64_t j) {
  return std::string(field) + "(" + std::to_string(i) + "," + std::to_string(j) + ")";
}

/// Throws Mismatch where a value is further from what is known without an oracle.
inline void expect_close(const std::string& what, double value, double expected, double tolerance) {
  if (std::abs(value - expected) <= tolerance) return;
  throw Mismatch(what + " is " + show(value) + ", mathematics says " + show(expected));
}

/// A buffer of the device whose content the host knows.
class Guarded {
 public:
  Guarded() = default;
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  virtual ~Guarded() = default;
  /// What the mirror holds now becomes the content before the launch.
  virtual void freeze() = 0;
  virtual void upload(Queue& queue) = 0;
  virtual void download(Queue& queue) = 0;
  /// Throws Mismatch where the last download differs from the mirror: by a bit, or by more than `bound`
  /// of the largest value that the kernel was to write.
  virtual void compare(double bound) const = 0;
  /// Throws Mismatch where the last two downloads differ.
  virtual void compare_repeat() const = 0;
  [[nodiscard]] virtual Memory& memory() = 0;
  /// The mirror from that byte of the memory on.
  [[nodiscard]] virtual void* mirror_from(std::size_t offset) = 0;
};

/// A grid or array of T on the device, and its mirror on the host: all of it is poison until it is set.
template <class T>
class Field : public Guarded {
 public:
  Field(Executor& executor, std::string name, const Place& place, MemoryKind kind = MemoryKind::device,
        std::size_t salt = 0)
      : name_(std::move(name)), place_(place), mirror_(static_cast<std::size_t>(place.count)) {
    const std::size_t bytes = mirror_.size() * sizeof(T);
    memory_ = executor.allocate(bytes, kind);
    if (memory_->bytes() < bytes) throw Mismatch(name_ + ": the memory is smaller than what was asked for");
    if (memory_->kind() != kind) throw Mismatch(name_ + ": the memory is of another kind than what was asked for");
    for (std::size_t k = 0; k < mirror_.size(); ++k) mirror_[k] = poison<T>(salt, k);
    before_ = mirror_;
  }

  [[nodiscard]] View<T> view() { return {mirror_.data() + place_.offset, place_.pitch}; }
  T& operator[](std::int64_t index) { return mirror_[static_cast<std::size_t>(place_.offset + index)]; }
  [[nodiscard]] Argument argument() {
    return Argument::buffer(*memory_, static_cast<std::size_t>(place_.offset) * sizeof(T), place_.pitch);
  }
  [[nodiscard]] Memory& memory() override { return *memory_; }
  [[nodiscard]] void* mirror_from(std::size_t offset) override { return mirror_.data() + offset / sizeof(T); }
  [[nodiscard]] std::vector<T>& mirror() { return mirror_; }
  /// Element (i, j) as the device held it at the last download.
  [[nodiscard]] T seen(std::int64_t i, std::int64_t j) const {
    return seen_[static_cast<std::size_t>(place_.offset + j * place_.pitch + i)];
  }

  /// Fills [x0, x1) by [y0, y1) with reals of full mantissa in [-scale, scale).
  void fill(std::int64_t x0, std::int64_t x1, std::int64_t y0, std::int64_t y1, unsigned seed, T scale = 1) {
    const View<T> elements = view();
    std::uint64_t state = std::uint64_t{seed} << 32U;
    for (std::int64_t j = y0; j < y1; ++j) {
      for (std::int64_t i = x0; i < x1; ++i)
        elements(i, j) = scale * static_cast<T>(static_cast<double>(mixed(++state)) * 0x1p-63 - 1.0);
    }
  }
  void fill(const Box& box, unsigned seed, T scale = 1) {
    fill(box.lower[0], box.upper[0], box.lower[1], box.upper[1], seed, scale);
  }
  /// Fills the box and the neighbours of its nodes. The corners around it stay poison: no kernel needs them.
  void fill_with_sides(const Box& box, unsigned seed, T scale = 1) {
    fill(box.lower[0] - 1, box.upper[0] + 1, box.lower[1], box.upper[1], seed, scale);
    fill(box.lower[0], box.upper[0], box.lower[1] - 1, box.lower[1], seed + 1, scale);
    fill(box.lower[0], box.upper[0], box.upper[1], box.upper[1] + 1, seed + 2, scale);
  }

  void freeze() override { before_ = mirror_; }
  void upload(Queue& queue) override { queue.copy_in(*memory_, 0, std::as_bytes(std::span(before_))); }
  void download(Queue& queue) override {
    last_ = std::exchange(seen_, std::vector<T>(mirror_.size()));
    queue.copy_out(std::as_writable_bytes(std::span(seen_)), *memory_, 0);
  }

  void compare(double bound) const override {
    if (std::memcmp(seen_.data(), mirror_.data(), mirror_.size() * sizeof(T)) == 0) return;
    double largest = 0.0;
    for (std::size_t k = 0; k < mirror_.size(); ++k) {
      if (!same_bits(mirror_[k], before_[k]) && std::isfinite(static_cast<double>(mirror_[k])))
        largest = std::max(largest, std::abs(static_cast<double>(mirror_[k])));
    }
    for (std::size_t k = 0; k < mirror_.size(); ++k) {
      if (same_bits(seen_[k], mirror_[k])) continue;
      if (same_bits(mirror_[k], before_[k])) {
        throw Mismatch(at(k) + " was changed from " + show(before_[k]) + " to " + show(seen_[k]) +
                       ", the kernel must not write there");
      }
      if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(seen_[k]) && std::isnan(mirror_[k])) continue;  // the payload of a NaN is no promise
        if (std::abs(static_cast<double>(seen_[k]) - static_cast<double>(mirror_[k])) <= bound * largest) continue;
      }
      const bool untouched = same_bits(seen_[k], before_[k]);
      throw Mismatch(at(k) + (untouched ? " was not written: it is " : " is ") + show(seen_[k]) + ", expected " +
                     show(mirror_[k]));
    }
  }
  void compare_repeat() const override {
    if (std::memcmp(seen_.data(), last_.data(), seen_.size() * sizeof(T)) == 0) return;
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      if (!same_bits(seen_[k], last_[k]))
        throw Mismatch(at(k) + " is " + show(seen_[k]) + " in a repeat and was " + show(last_[k]));
    }
  }

 private:
  /// The element's name: indices relative to element (0, 0), so that ghosts and guards show as such.
  [[nodiscard]] std::string at(std::size_t k) const {
    const std::int64_t index = static_cast<std::int64_t>(k) - place_.offset;
    if (place_.pitch == 0) return name_ + "[" + std::to_string(index) + "]";
    const std::int64_t from_row_0 = index + place_.left;
    const std::int64_t before = from_row_0 < 0 ? place_.pitch - 1 : 0;  // division rounds down
    const std::int64_t j = (from_row_0 - before) / place_.pitch;
    return name_ + "(" + std::to_string(index - j * place_.pitch) + "," + std::to_string(j) + ")";
  }

  std::string name_;
  Place place_;
  std::vector<T> mirror_;  // what the oracle says
  std::vector<T> before_;  // what was uploaded
  std::vector<T> seen_;    // what came back
  std::vector<T> last_;    // what came back the time before
  std::unique_ptr<Memory> memory_;
};

/// One launch of one kernel. Buffers come from it; after `launch` the caller lets the oracle work on
/// their mirrors, and `compare` looks at all of them.
class Trial {
 public:
  Trial(DeviceUnderTest& bench, KernelSpec spec) : bench_(bench), kernel_(bench.executor->kernel(spec)) {}

  template <class T>
  Field<T>& field(std::string name, const Place& place, MemoryKind kind = MemoryKind::device) {
    auto made = std::make_unique<Field<T>>(*bench_.executor, std::move(name), place, kind, fields_.size());
    Field<T>& field = *made;
    fields_.push_back(std::move(made));
    return field;
  }

  void launch(const Box& box, std::vector<Argument> arguments) {
    box_ = box;
    arguments_ = std::move(arguments);
    for (const auto& field : fields_) field->freeze();
    launch_again();
  }

  [[nodiscard]] const std::vector<std::unique_ptr<Guarded>>& fields() const { return fields_; }

  void compare() const {
    for (const auto& field : fields_) field->compare(bench_.executor->device().error_bound);
  }

  /// Repeats the launch on the same input, which must give the same bits.
  void repeat() {
    launch_again();
    for (const auto& field : fields_) field->compare_repeat();
  }

 private:
  void launch_again() {
    for (const auto& field : fields_) field->upload(*bench_.queue);
    kernel_->launch(*bench_.queue, box_, arguments_);
    bench_.queue->synchronize();
    for (const auto& field : fields_) field->download(*bench_.queue);
  }

  DeviceUnderTest& bench_;
  std::unique_ptr<Kernel> kernel_;
  std::vector<std::unique_ptr<Guarded>> fields_;
  Box box_;
  std::vector<Argument> arguments_;
};

}  // namespace quoin::conformance
