// The smallest backend: plain loops on the host's processor. Copy this folder to start a new one; the
// guide beside this file (README.md) walks through it.

#include "quoin/host_memory.hpp"
#include "quoin/plugin.hpp"

namespace {

using quoin::kernels::qn_index;
using quoin::kernels::Range;
using quoin::kernels::Resolved;
using quoin::kernels::View;

/// How this backend runs a kernel over its points; kernels/launchers.hpp says what each function must do.
struct LoopSkeleton {
  template <class T, class Point>
  void map(const Range& range, const qn_index* control, const Point& point) const {
    if (control != nullptr && control[0] != 0) return;
    for (qn_index j = range.j0; j < range.j1; ++j) {
      for (qn_index i = range.i0; i < range.i1; ++i) point.template at<T>(i, j);
    }
  }

  template <class T, class Point>
  void map_blocks(const Range& range, View<T> partials, const qn_index* control, const Point& point) const {
    if (control != nullptr && control[0] != 0) return;
    for (qn_index j = range.j0; j < range.j1; j += quoin::block_rows) {
      for (qn_index i = range.i0; i < range.i1; i += quoin::block_columns) {
        T pairs[quoin::block_columns / 2] = {};
        for (qn_index row = j; row < std::min(j + quoin::block_rows, range.j1); ++row) {
          for (qn_index column = i; column < std::min(i + quoin::block_columns, range.i1); column += 2) {
            const T low = point.template at<T>(column, row);
            const T high = column + 1 < range.i1 ? point.template at<T>(column + 1, row) : T(0);
            pairs[(column - i) / 2] += low + high;
          }
        }
        *partials.at((i - range.i0) / quoin::block_columns, (j - range.j0) / quoin::block_rows) =
            quoin::kernels::Bodies<T, T>::tree_across(pairs);
      }
    }
  }

  template <class T, class Point>
  void reduce(const T* values, qn_index count, const qn_index* control, const Point& point) const {
    if (control != nullptr && control[0] != 0) return;
    point(quoin::kernels::Bodies<T, T>::tree_sum(values, count));
  }
};

void launch(quoin::KernelId id, quoin::Precision precision, bool rhs_array, const Range& box,
            const Resolved* arguments) {
  if (precision == quoin::Precision::float64) {
    quoin::kernels::Launcher<double, LoopSkeleton>::launch({}, id, rhs_array, box, arguments);
  } else {
    quoin::kernels::Launcher<float, LoopSkeleton>::launch({}, id, rhs_array, box, arguments);
  }
}

class TemplateBackend : public quoin::Backend {
 public:
  std::vector<quoin::DeviceInfo> devices() override { return {quoin::host_device("plain loops")}; }
  std::unique_ptr<quoin::Executor> executor(int device, const quoin::Options&) override {
    return std::make_unique<quoin::HostExecutor>(devices().at(static_cast<std::size_t>(device)), launch);
  }
};

}  // namespace

QUOIN_BACKEND(TemplateBackend, "template", "1.0.0", "[]")
