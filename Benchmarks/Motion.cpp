// Forces on bodies in a step of a motion: directly, each distance once, and by multipoles, by the number of bodies. The
// interaction and the accuracy are those that N-Body Motion takes where nothing is given. From where both take as long,
// pairsForMultipoles() (SumMethod.hpp) counts on.

#include "Benchmarks/Where.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/NBody/BodyForces.hpp"
#include "Testing/Rooms.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>

namespace spanwise::benchmarks {
namespace {

enum class Shape { Cube, Cluster };

/// Bodies with masses 0.5 to 1.5 / number, filling the unit cube or as in Plummer's sphere up to 10 of its lengths.
class Bodies {
public:
  Bodies(Shape shape, std::int64_t count) : values_("Benchmarks::bodies", 10 * count) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    view_.count = count;
    for (int axis = 0; axis < 3; ++axis) {
      view_.positions[axis] = values_.data() + axis * count;
      view_.velocities[axis] = values_.data() + (3 + axis) * count;
    }
    view_.masses = values_.data() + 6 * count;
    accelerations_ = values_.data() + 7 * count;
    double low[3] = {1e9, 1e9, 1e9};
    double high[3] = {-1e9, -1e9, -1e9};
    for (std::int64_t i = 0; i < count; ++i) {
      const double part = 0.985 * unit(random); // of the mass within the radius
      const double radius = 1.0 / std::sqrt(std::pow(part, -2.0 / 3.0) - 1.0);
      const double z = 2.0 * unit(random) - 1.0;
      const double angle = 2.0 * std::numbers::pi * unit(random);
      const double across = std::sqrt(1.0 - z * z);
      const double towards[3] = {across * std::cos(angle), across * std::sin(angle), z};
      for (int axis = 0; axis < 3; ++axis) {
        const double x = shape == Shape::Cube ? unit(random) : radius * towards[axis];
        view_.positions[axis][i] = x;
        low[axis] = std::min(low[axis], x);
        high[axis] = std::max(high[axis], x);
      }
      values_(6 * count + i) = (0.5 + unit(random)) / static_cast<double>(count);
    }
    softening_ = std::hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / std::cbrt(count) / 30.0;
  }

  [[nodiscard]] const nbody::BodiesView<3>& view() const { return view_; }
  [[nodiscard]] double* accelerations() const { return accelerations_; }
  [[nodiscard]] double softening() const { return softening_; }

private:
  Kokkos::View<double*, Kokkos::HostSpace> values_;
  nbody::BodiesView<3> view_;
  double* accelerations_;
  double softening_;
};

template <class Where>
void forces(benchmark::State& state, Shape shape, std::int64_t count, nbody::SumMethod method, double accuracy) {
  const auto space = Where::space();
  const Bodies bodies(shape, count);
  nbody::ForceOptions options;
  options.factor = -1.0;
  options.method = method;
  options.accuracy = accuracy;
  nbody::BodyForces<typename Where::Space, nbody::SoftenedInverseDistance, 3> sum({bodies.softening()}, options);
  const Context context(space);
  secondsOf(state, space, [&] { sum(context, bodies.view(), bodies.accelerations()); });
  state.counters["order"] = sum.order();
}

template <class Where>
void add(const std::string& where) {
  for (const auto& [shape, name] : {std::pair(Shape::Cube, "cube"), std::pair(Shape::Cluster, "cluster")}) {
    for (const std::int64_t count : {2'000, 3'000, 4'000, 6'000, 8'000, 12'000, 16'000, 24'000, 200'000}) {
      const auto add = [&, shape = shape](nbody::SumMethod method, double accuracy, const std::string& how) {
        benchmark::RegisterBenchmark(
          "Spanwise/Motion/" + std::string(name) + "/" + std::to_string(count) + "/" + how + "/" + where,
          [=](benchmark::State& state) { forces<Where>(state, shape, count, method, accuracy); })
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
      };
      if (count < 100'000) {
        add(nbody::SumMethod::Direct, 1e-4, "direct");
      }
      add(nbody::SumMethod::FastMultipole, 1e-3, "0.001");
      add(nbody::SumMethod::FastMultipole, 1e-4, "0.0001");
      add(nbody::SumMethod::FastMultipole, 1e-6, "1e-06");
    }
  }
}

const bool added = [] {
  add<OneThread>("1 thread");
  add<AllThreads>("all threads");
  return true;
}();

} // namespace
} // namespace spanwise::benchmarks
