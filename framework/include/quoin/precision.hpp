#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "quoin/executor.hpp"

namespace quoin {

/// The nearest value of the precision.
inline double rounded(double value, Precision precision) {
  return precision == Precision::float32 ? static_cast<double>(static_cast<float>(value)) : value;
}

/// Doubles as raw values of a precision; `raw` has room for them.
void store_values(std::span<const double> values, Precision precision, std::byte* raw);
/// Element k of raw values.
double value_at(std::span<const std::byte> raw, std::size_t k, Precision precision);

/// The same of its own. Doubles that stay as they are must live as long, for they are not copied.
class RawValues {
 public:
  RawValues(std::span<const double> values, Precision precision);
  RawValues(const RawValues&) = delete;
  RawValues& operator=(const RawValues&) = delete;
  operator std::span<const std::byte>() const { return raw_; }  // NOLINT(google-explicit-constructor)

 private:
  std::vector<std::byte> narrow_;
  std::span<const std::byte> raw_;
};
inline RawValues in_precision(std::span<const double> values, Precision precision) { return {values, precision}; }
/// Puts raw values as doubles, of which there are as many.
void load_values(std::span<const std::byte> raw, Precision precision, double* values);
std::vector<double> from_precision(std::span<const std::byte> raw, Precision precision);

}  // namespace quoin
