#pragma once

namespace quoin {

struct Point {
  double x = 0;
  double y = 0;
};

}  // namespace quoin
