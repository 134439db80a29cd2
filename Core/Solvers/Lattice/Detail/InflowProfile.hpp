#pragma once

#include "Core/Geometry/Interval.hpp"
#include "Core/Solvers/Lattice/LatticeOptions.hpp"

#include <algorithm>
#include <cstdint>

namespace spanwise::lattice::detail {

/// The velocity at the cells of a side through which fluid flows in.
template <int Dim>
struct InflowProfile {
  geometry::Box<Dim> box;
  bool isParabola[Dim] = {};
  double velocity[Dim];

  InflowProfile(const LatticeOptions<Dim>& options, int side) : box(options.box) {
    const SideCondition<Dim>& is = options.sides[static_cast<std::size_t>(side)];
    std::copy(is.velocity, is.velocity + Dim, velocity);
    for (int d = 0; d < Dim; ++d) {
      const auto isWall = [&](int s) {
        return !options.repeats[d] && options.sides[static_cast<std::size_t>(s)].side == Side::Wall;
      };
      isParabola[d] = is.profile == Profile::Parabolic && d != side / 2 && isWall(2 * d) && isWall(2 * d + 1);
    }
  }

  /// What the given velocity is multiplied by at a cell. Means over a side are 1: those of cells have a parabola's
  /// values at their centres, whose mean over n cells is 1 + 1 / (2 n^2) of its own.
  [[nodiscard]] KOKKOS_FUNCTION double factor(const geometry::Cell<Dim>& cell) const {
    double product = 1.0;
    for (int d = 0; d < Dim; ++d) {
      if (isParabola[d]) {
        const auto length = static_cast<double>(box.extent(d));
        const double s = (cell.at[d] - box.begin[d] + 0.5) / length;
        product *= 6.0 * s * (1.0 - s) / (1.0 + 0.5 / (length * length));
      }
    }
    return product;
  }
};

template <int Dim, class T>
struct FillInflow {
  InflowProfile<Dim> profile;
  T* out; ///< [Dim][count]
  std::int64_t count;

  KOKKOS_FUNCTION void operator()(std::int64_t number, const geometry::Cell<Dim>& cell) const {
    for (int d = 0; d < Dim; ++d) {
      out[d * count + number] = static_cast<T>(profile.velocity[d] * profile.factor(cell));
    }
  }
};

} // namespace spanwise::lattice::detail
