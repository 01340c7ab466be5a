#include <algorithm>

#include "base/sha256.hpp"
#include "problems/linear_system/scheme/device_matrix.hpp"
#include "problems/linear_system/setup/case_vectors.hpp"
#include "problems/linear_system/setup/entries.hpp"
#include "problems/linear_system/setup/setup.hpp"
#include "quoin/matrix_products.hpp"

namespace quoin {

MatrixProducts time_products(const Case& the_case, const std::shared_ptr<Executor>& executor) {
  const LinearSystemSetup setup(the_case);
  const SparseMatrix matrix = setup.matrix();
  MatrixProducts found;
  found.refusal = refusal_of(matrix, setup.storage.format);
  if (!found.refusal.empty()) return found;

  const std::unique_ptr<Queue> queue = executor->queue();
  KernelTimer timer(*executor);
  const std::unique_ptr<Communicator> alone = one_process();
  const DevicePlace place{executor, *queue, setup.precision, timer, *alone};
  DeviceMatrix device(place, matrix, setup.storage);
  Vector x(place, matrix.columns);
  Vector y(place, matrix.rows);
  x.upload(*queue, random_vector(matrix.columns));

  const auto multiply = [&](std::int64_t products) {
    timer.begin(*queue);
    for (std::int64_t k = 0; k < products; ++k) device.multiply(*queue, x, y);
    timer.end(*queue);
    queue->synchronize();
    return timer.collect(timer.launches());
  };
  double one = 0.0;
  for (int warm = 0; warm < 3; ++warm) one = multiply(1);
  found.products = std::clamp<std::int64_t>(static_cast<std::int64_t>(0.1 / std::max(one, 1e-6)), 1, 1000);
  found.seconds = multiply(found.products);

  found.format = device.format();
  found.rows = matrix.rows;
  found.entries = matrix.entries();
  found.bytes = device.bytes();
  found.shared = device.shared();
  Sha256 hash;
  hash.add(y.values(*queue));
  found.sha256 = hash.hex();
  return found;
}

}  // namespace quoin
