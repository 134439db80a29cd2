#pragma once

#include "Testing/Core/Solvers/Lattice/CavityTable.hpp"
#include "Testing/Core/Solvers/Lattice/LatticeCases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace spanwise::lattice::testing {

/// A cavity of size^2 cells; `options` say the rest.
template <class Space>
double errorOfCavity(const Context<Space>& context, LatticeOptions<2> options, int size, int reynolds, double speed) {
  options.box.end[0] = options.box.end[1] = size;
  options.sides[3].velocity[0] = speed;
  options.viscosity = speed * size / reynolds;
  LatticeFlow<Space, 2> flow(context, options);
  // Until nothing changes any more by a part of the speed in the time in which the lid passes half of the cavity.
  States<2> states = statesOf<Space, 2>(flow);
  const bool isRough = options.storage == Storage::Half; // rounding goes on for ever: as long as others take
  const double noise = isRough ? 1e-2 : 5e-5;
  double change = 1.0;
  for (int k = 0; (isRough ? k < 150 : change > noise * speed) && k < 250; ++k) {
    for (int step = 0; step < static_cast<int>(0.5 * size / speed); ++step) {
      flow.step();
    }
    change = 0.0;
    const States<2> now = statesOf<Space, 2>(flow);
    for (const auto& [at, state] : now) {
      change = std::max(change, std::abs(state[1] - states.at(at)[1]));
    }
    states = now;
  }
  EXPECT_LE(change, noise * speed);
  const auto value = [&](int axis, int i, int j) {
    return states.at({i, j})[static_cast<std::size_t>(axis) + 1] / speed;
  };
  // On a line through the middle, between the cells on both sides of it; linear along the line.
  const auto onLine = [&](int axis, double at) {
    const double place = at * size - 0.5;
    const int k = std::clamp(static_cast<int>(std::floor(place)), 0, size - 2);
    const auto middle = [&](int along) {
      const auto of = [&](int across) { return axis == 0 ? value(0, across, along) : value(1, along, across); };
      return 0.5 * (of(size / 2 - 1) + of(size / 2));
    };
    return middle(k) + (place - k) * (middle(k + 1) - middle(k));
  };
  const int column = reynolds == 100 ? 0 : (reynolds == 400 ? 1 : 2);
  double worst = 0.0;
  for (const int axis : {0, 1}) {
    const std::span<const CavityValue> table =
      axis == 0 ? std::span<const CavityValue>(alongVertical) : std::span<const CavityValue>(alongHorizontal);
    for (const CavityValue& row : table) {
      if (!std::isnan(row.of[column])) {
        worst = std::max(worst, std::abs(onLine(axis, row.at) - row.of[column]));
      }
    }
  }
  return worst;
}

} // namespace spanwise::lattice::testing
