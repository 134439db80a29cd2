#pragma once

#include "Core/Field/ForCells.hpp"
#include "Core/Solvers/Lattice/Detail/StepFields.hpp"
#include "Core/Solvers/Lattice/Detail/StepPieces.hpp"
#include "Core/Solvers/Lattice/Detail/StepRows.hpp"
#include "Core/Solvers/Lattice/Detail/StepTiles.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace spanwise::lattice::detail {

/// Calls call(collision, isPlain) with constants for a choice.
template <class Call>
auto withCollision(Collision collision, bool isPlain, const Call& call) {
  const auto with = [&](auto constant) {
    return isPlain ? call(constant, std::true_type()) : call(constant, std::false_type());
  };
  switch (collision) {
  case Collision::SingleRelaxation:
    return with(std::integral_constant<Collision, Collision::SingleRelaxation>());
  case Collision::TwoRelaxation:
    return with(std::integral_constant<Collision, Collision::TwoRelaxation>());
  case Collision::Regularised:
    return with(std::integral_constant<Collision, Collision::Regularised>());
  default:
    return with(std::integral_constant<Collision, Collision::Entropic>());
  }
}

/// Streams populations to the cells of a map, which do not collide.
template <class Set, class T>
struct StreamCells {
  using Real = Arithmetic<T>;

  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;
  StepFields<T> fields;
  GivenAtCells<Real> given;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      const StreamSegment<Set>& segment = segments[s];
      for (std::int64_t n = begin; n < end; ++n) {
        const std::int64_t k = n * fields.cellStride;
        Real f[Set::count];
        unrolled<Set::count>(
          [&](auto q) { f[q] = static_cast<Real>(fields.from[sourceOf<decltype(q)::value>(segment) + k]); });
        if (given.side >= 0) {
          applySideNumber<Set>(f, given.side, given.template at<Set::dimension>(lengths.offsets[s] + n));
        }
        unrolled<Set::count>(
          [&](auto q) { fields.to[segment.own + q * segment.ownStride + k] = static_cast<T>(f[q]); });
      }
    });
  }
};

/// How many cells stepCells() wants in a piece of rows.
template <class T, class ExecutionSpace>
constexpr int cellsPerPiece(const GivenAtCells<Arithmetic<T>>& given) {
  return runsOnHost<ExecutionSpace> || given.side >= 0 ? 1 : cellsAtOnce<T>;
}

/// stepCells() on the host.
template <class Set, class T, class ExecutionSpace>
void stepTiles(const ExecutionSpace& space, const StepRows<Set, typename ExecutionSpace::memory_space>& rows,
  const StepFields<T>& fields, Collision collision, const CollisionConstants<Arithmetic<T>>& constants,
  const GivenAtCells<Arithmetic<T>>& given) {
  using Real = Arithmetic<T>;
  const CollideTile<Set, Real> collideTiles = withCollision(collision, constants.plain, [](auto chosen, auto isPlain) {
    return static_cast<CollideTile<Set, Real>>(
      &collideTile<Set, decltype(chosen)::value, decltype(isPlain)::value, Real>);
  });
  const auto run = [&](std::int64_t numCells, const auto& move) {
    field::forCells(space, SPANWISE_KERNEL("lattice step"), numCells,
      StepTiles<Set, T, std::decay_t<decltype(move)>>{
        move, given, constants, collideTiles, &applySideToTile<Set, Real>},
      Work{numCells * Set::count});
  };
  if (fields.streaming == Streaming::Stay || fields.streaming == Streaming::None) {
    run(rows.own().numCells(), MoveOwnRows<Set, T>{rows.own().view(), fields});
    return;
  }
  run(rows.stream().numCells(), MoveStreamRows<Set, T>{rows.stream().view(), fields});
  run(rows.walled().numCells(), MoveWalledRows<Set, T>{rows.walledView(), fields});
}

/// stepCells() on a device.
template <class Set, class T, class ExecutionSpace>
void stepPieces(const ExecutionSpace& space, const StepRows<Set, typename ExecutionSpace::memory_space>& rows,
  const StepFields<T>& fields, Collision collision, const CollisionConstants<Arithmetic<T>>& constants,
  const GivenAtCells<Arithmetic<T>>& given) {
  const auto run = [&](std::int64_t count, const auto& body) {
    if (count > 0) {
      Kokkos::parallel_for(SPANWISE_KERNEL("lattice step"), IndexRange<ExecutionSpace>(space, 0, count), body);
    }
  };
  withCollision(collision, constants.plain, [&](auto chosen, auto isPlain) {
    const auto launch = [&](const auto& some, auto reach, auto atSide) {
      run(some.numPieces(),
        StepPiece<Set, T, decltype(chosen)::value, decltype(isPlain)::value, decltype(reach)::value,
          decltype(atSide)::value>{some.view(), fields, given, constants});
    };
    const auto launchAt = [&](const auto& some, auto reach) {
      const bool atSide = given.side >= 0 || some.cellsPerPiece() != cellsAtOnce<T>;
      atSide ? launch(some, reach, std::true_type()) : launch(some, reach, std::false_type());
    };
    const auto launchWalled = [&](auto inPlace) {
      run(rows.walled().numCells(),
        StepWalledCell<Set, T, decltype(chosen)::value, decltype(isPlain)::value, decltype(inPlace)::value>{
          rows.walledView(), fields, constants});
    };
    switch (fields.streaming) {
    case Streaming::Pull:
      if (fields.onlyStream != nullptr && given.side < 0) {
        launch(rows.stream(), std::integral_constant<Reach, Reach::ReadsSourcesOfSome>(), std::false_type());
        break;
      }
      launchAt(rows.stream(), std::integral_constant<Reach, Reach::ReadsSources>());
      launchWalled(std::false_type());
      break;
    case Streaming::PullAndPush:
      launchAt(rows.stream(), std::integral_constant<Reach, Reach::UsesSources>());
      launchWalled(std::true_type());
      break;
    default:
      launchAt(rows.own(), std::integral_constant<Reach, Reach::Own>());
    }
    return 0;
  });
}

/// A step of the cells of rows.
template <class Set, class T, class ExecutionSpace>
void stepCells(const ExecutionSpace& space, const StepRows<Set, typename ExecutionSpace::memory_space>& rows,
  const StepFields<T>& fields, Collision collision, const CollisionConstants<Arithmetic<T>>& constants,
  const GivenAtCells<Arithmetic<T>>& given) {
  if constexpr (runsOnHost<ExecutionSpace>) {
    stepTiles<Set>(space, rows, fields, collision, constants, given);
  } else {
    stepPieces<Set>(space, rows, fields, collision, constants, given);
  }
}

} // namespace spanwise::lattice::detail
