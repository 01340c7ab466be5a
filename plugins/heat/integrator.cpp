#include "integrator.hpp"

#include <cmath>
#include <utility>

#include "quoin/precision.hpp"
#include "setup.hpp"

namespace heat {

using quoin::Argument;
using quoin::Box;
using quoin::Field;
using quoin::Queue;

namespace {

constexpr double damping = 2.0 / 13.0;

/// The Chebyshev polynomial of a degree at a point, with its derivatives.
struct Chebyshev {
  double value, first, second;
};

/// Of degrees 0 to `most`.
std::vector<Chebyshev> chebyshev(std::int64_t most, double x) {
  std::vector<Chebyshev> t{{1.0, 0.0, 0.0}, {x, 1.0, 0.0}};
  for (std::int64_t k = 2; k <= most; ++k) {
    const Chebyshev one = t.back();
    const Chebyshev two = t[t.size() - 2];
    t.push_back({2.0 * x * one.value - two.value, 2.0 * one.value + 2.0 * x * one.first - two.first,
                 4.0 * one.first + 2.0 * x * one.second - two.second});
  }
  return t;
}

std::int64_t blocks(std::int64_t nodes, std::int64_t side) { return (nodes + side - 1) / side; }

std::int64_t block_count(const Grid& grid) {
  return blocks(grid.nx, quoin::block_columns) * blocks(grid.ny, quoin::block_rows);
}

std::unique_ptr<Field> make_field(const std::shared_ptr<quoin::Executor>& executor, const Setup& setup,
                                  std::int64_t ring) {
  return std::make_unique<Field>(executor, setup.grid.nx, setup.grid.ny, ring, setup.precision);
}

}  // namespace

double stable_range(std::int64_t stages) {
  const auto s = static_cast<double>(stages);
  return 2.0 / 3.0 * (s * s - 1.0) * (1.0 - 2.0 / 15.0 * damping);
}

std::vector<Stage> rkc_stages(std::int64_t stages) {
  const auto count = static_cast<std::size_t>(stages);
  const double w0 = 1.0 + damping / static_cast<double>(stages * stages);
  const std::vector<Chebyshev> t = chebyshev(stages, w0);
  const double w1 = t[count].first / t[count].second;
  std::vector<double> b(count + 1);
  std::vector<double> times(count + 1);  // of Y_j
  for (std::size_t j = 2; j <= count; ++j) {
    b[j] = t[j].second / (t[j].first * t[j].first);
    times[j] = w1 * t[j].second / t[j].first;
  }
  b[0] = b[1] = b[2];
  times[1] = times[2] / (4.0 * w0);
  std::vector<Stage> list{{1.0, 0.0, 0.0, b[1] * w1, 0.0, 0.0}};
  for (std::size_t j = 2; j <= count; ++j) {
    const double now = 2.0 * b[j] * w0 / b[j - 1];
    const double last = -b[j] / b[j - 2];
    const double step = 2.0 * b[j] * w1 / b[j - 1];
    const double first = -(1.0 - b[j - 1] * t[j - 1].value) * step;
    list.push_back({1.0 - now - last, now, last, step, first, times[j - 1]});
  }
  return list;
}

TimeStepper::TimeStepper(const std::shared_ptr<quoin::Executor>& executor, const Setup& setup, Queue& queue,
                         quoin::KernelTimer& timer, std::int64_t longest)
    : setup_(setup),
      stages_(setup.integrator == Integrator::euler ? std::vector<Stage>{{1.0, 0.0, 0.0, 1.0, 0.0, 0.0}}
                                                    : rkc_stages(setup.stages)),
      first_(*executor, {"heat_start", setup.precision, {}}, Box::plane(setup.grid.nx, setup.grid.ny), timer),
      stage_(*executor, {"heat_stage", setup.precision, {}}, Box::plane(setup.grid.nx, setup.grid.ny), timer),
      energy_(*executor, {"heat_energy", setup.precision, {}}, Box::plane(setup.grid.nx, setup.grid.ny), timer),
      sum_(*executor, {"sum", setup.precision, {}}, Box::line(block_count(setup.grid)), timer),
      start_(make_field(executor, setup, 1)),
      source_(make_field(executor, setup, 0)),
      rate_(make_field(executor, setup, 0)),
      partials_(executor, static_cast<std::size_t>(block_count(setup.grid)) * element_size(setup.precision)),
      sums_(executor, static_cast<std::size_t>(longest) * element_size(setup.precision)) {
  for (auto& work : work_) work = make_field(executor, setup, 1);
  source_->upload(queue, [&](std::int64_t j, std::span<double> row) { setup_.source.row(j, 0, 0.0, row); });
}

void TimeStepper::load(Queue& queue, const Field::Fill& interior) {
  const Grid& grid = setup_.grid;
  const Field::Fill closed = [&](std::int64_t j, std::span<double> row) {
    if (j >= 0 && j < grid.ny) {
      interior(j, row.subspan(1, row.size() - 2));
      row.front() = setup_.boundary.at(grid.x(-1), grid.y(j), 0.0);
      row.back() = setup_.boundary.at(grid.x(grid.nx), grid.y(j), 0.0);
    } else {
      setup_.boundary.row(j, 1, 0.0, row);
    }
  };
  start_->upload(queue, closed);
  for (auto& work : work_) work->upload(queue, closed);  // stages leave the sides as they are
}

void TimeStepper::launch(Queue& queue, std::int64_t number, std::int64_t slot) {
  const Grid& grid = setup_.grid;
  const double h = setup_.step;
  const double a = setup_.diffusivity / (grid.dx * grid.dx);
  const double b = setup_.diffusivity / (grid.dy * grid.dy);
  const auto growth = [&](const Stage& stage) {
    return Argument::real(setup_.growth.at(grid.xmin, grid.ymin, h * (static_cast<double>(number) + stage.time)));
  };
  first_.launch(queue, std::array{start_->argument(), source_->argument(), rate_->argument(), work_[0]->argument(),
                                  Argument::real(a), Argument::real(b), Argument::real(2.0 * a + 2.0 * b),
                                  growth(stages_.front()), Argument::real(h * stages_.front().step)});
  std::size_t latest = 0;
  for (std::size_t k = 1; k < stages_.size(); ++k) {
    const Stage& stage = stages_[k];
    const std::size_t next = (latest + 1) % work_.size();
    Field& before = k == 1 ? *start_ : *work_[(latest + 2) % work_.size()];
    stage_.launch(queue, std::array{start_->argument(), work_[latest]->argument(), before.argument(),
                                    source_->argument(), rate_->argument(), work_[next]->argument(), Argument::real(a),
                                    Argument::real(b), Argument::real(2.0 * a + 2.0 * b), growth(stage),
                                    Argument::real(stage.whole), Argument::real(stage.now), Argument::real(stage.last),
                                    Argument::real(h * stage.step), Argument::real(h * stage.first)});
    latest = next;
  }
  std::swap(start_, work_[latest]);
  energy_.launch(queue, std::array{start_->argument(),
                                   Argument::buffer(partials_.memory(), 0, blocks(grid.nx, quoin::block_columns))});
  sum_.launch(queue, std::array{Argument::buffer(partials_.memory()), Argument::buffer(sums_.memory()),
                                Argument::integer(slot)});
}

std::vector<double> TimeStepper::energies(Queue& queue, std::int64_t count) const {
  std::vector<std::byte> raw(static_cast<std::size_t>(count) * element_size(setup_.precision));
  sums_.download(queue, raw);
  return quoin::from_precision(raw, setup_.precision);
}

double device_bytes(const Setup& setup, std::int64_t longest) {
  const double fields = 6.0 * quoin::field_bytes(setup.grid.nx, setup.grid.ny, setup.precision);
  const auto numbers = static_cast<double>(block_count(setup.grid) + longest);
  return fields + numbers * static_cast<double>(element_size(setup.precision));
}

}  // namespace heat
