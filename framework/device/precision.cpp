#include "quoin/precision.hpp"

#include <cstring>

namespace quoin {

void store_values(std::span<const double> values, Precision precision, std::byte* raw) {
  if (precision == Precision::float64) {
    if (!values.empty()) std::memcpy(raw, values.data(), values.size_bytes());
    return;
  }
  for (const double value : values) {
    const auto narrow = static_cast<float>(value);
    std::memcpy(raw, &narrow, sizeof narrow);
    raw += sizeof narrow;
  }
}

double value_at(std::span<const std::byte> raw, std::size_t k, Precision precision) {
  if (precision == Precision::float64) {
    double value = 0.0;
    std::memcpy(&value, raw.data() + k * sizeof value, sizeof value);
    return value;
  }
  float value = 0.0F;
  std::memcpy(&value, raw.data() + k * sizeof value, sizeof value);
  return static_cast<double>(value);
}

RawValues::RawValues(std::span<const double> values, Precision precision) : raw_(std::as_bytes(values)) {
  if (precision == Precision::float64) return;
  narrow_.resize(values.size() * element_size(precision));
  store_values(values, precision, narrow_.data());
  raw_ = narrow_;
}

void load_values(std::span<const std::byte> raw, Precision precision, double* values) {
  if (precision == Precision::float64) {
    if (!raw.empty()) std::memcpy(values, raw.data(), raw.size());
    return;
  }
  for (std::size_t k = 0; k < raw.size() / element_size(precision); ++k) values[k] = value_at(raw, k, precision);
}

std::vector<double> from_precision(std::span<const std::byte> raw, Precision precision) {
  std::vector<double> values(raw.size() / element_size(precision));
  load_values(raw, precision, values.data());
  return values;
}

}  // namespace quoin
