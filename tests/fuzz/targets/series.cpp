// Any bytes as a series over time: one that has a value at any time of the run, or an error of the case.

#include "problems/dgcvs/setup/series.hpp"

#include <cmath>

#include "quoin/error.hpp"
#include "text_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr double final_time = 1.0;
  const TextFile file(data, size);
  try {
    const quoin::TimeSeries series(file.path(), final_time);
    for (const double time : {0.0, 0.3, final_time})
      if (std::isnan(series.at(time))) std::abort();
  } catch (const quoin::Error& error) {
    if (error.kind() != quoin::ErrorKind::case_file) std::abort();
  }
  return 0;
}
