#pragma once

// What is done to populations cell by cell besides steps: they are started, summed and moved.

#include "Core/Runtime/FieldView.hpp"
#include "Core/Solvers/Lattice/Detail/StepFields.hpp"
#include "Core/Solvers/Lattice/Detail/StreamMap.hpp"

#include <cstdint>
#include <type_traits>

namespace spanwise::lattice::detail {

/// Equilibrium of densities and velocities.
template <class Set, class T>
struct StartCells {
  static constexpr int Dim = Set::dimension;
  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;
  T* values;
  Streaming streaming;
  std::int64_t cellStride;
  FieldView<const double> moments;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        const std::int64_t cell = lengths.offsets[s] + k;
        const auto put = [&](int q, double value) {
          values[writtenAt(segments[s], streaming, q) + k * cellStride] =
            static_cast<T>(static_cast<Arithmetic<T>>(value));
        };
        double velocity[Dim];
        for (int d = 0; d < Dim; ++d) {
          velocity[d] = moments(cell, d + 1);
        }
        const Equilibrium<Set, double> equilibrium(moments(cell, 0) - 1.0, velocity);
        put(0, equilibrium.rest);
        unrolled<Set::half>([&](auto n) {
          constexpr int q = decltype(n)::value + 1;
          put(q, 0.5 * (equilibrium.sum[n] + equilibrium.difference[n]));
          put(q + Set::half, 0.5 * (equilibrium.sum[n] - equilibrium.difference[n]));
        });
      }
    });
  }
};

/// Densities and velocities of what a step has written.
template <class Set, class T>
struct FindMoments {
  static constexpr int Dim = Set::dimension;
  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;
  const T* values;
  Streaming streaming;
  std::int64_t cellStride;
  double halfForce[Dim];
  FieldView<double> out;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        double f[Set::count];
        unrolled<Set::count>([&](auto q) {
          f[q] = static_cast<Arithmetic<T>>(values[writtenAt(segments[s], streaming, q) + k * cellStride]);
        });
        const Moments<Dim, double> sums = sumsOf<Set>(f);
        const std::int64_t cell = lengths.offsets[s] + k;
        out(cell, 0) = 1.0 + sums.density;
        for (int d = 0; d < Dim; ++d) {
          out(cell, d + 1) = (sums.velocity[d] - halfForce[d]) / (1.0 + sums.density);
        }
      }
    });
  }
};

/// What outflows know of sound, after what a step has written.
template <class Set, class T>
struct FindSound {
  using Real = Arithmetic<T>;
  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;
  const T* values;
  Streaming streaming;
  std::int64_t cellStride;
  GivenAtCells<Real> given;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    const int axis = given.side / 2;
    const Real outwards = given.side % 2 == 0 ? Real(-1) : Real(1);
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        Real f[Set::count];
        unrolled<Set::count>(
          [&](auto q) { f[q] = static_cast<Real>(values[writtenAt(segments[s], streaming, q) + k * cellStride]); });
        const Moments<Set::dimension, Real> sums = sumsOf<Set>(f);
        given.sound[lengths.offsets[s] + k] =
          soundAtSide(sums.density, outwards * sums.velocity[axis], given.density, given.back);
      }
    });
  }
};

/// Populations as the last step has left them, cell by cell; or where they are to be put.
template <class Set, class T, class Place>
struct MovePopulations {
  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;
  Place* values;
  Streaming streaming;
  std::int64_t cellStride;
  std::conditional_t<std::is_const_v<Place>, T, const T>* others; ///< [cell][population]

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (int q = 0; q < Set::count; ++q) {
        const std::int64_t place = writtenAt(segments[s], streaming, q);
        for (std::int64_t k = begin; k < end; ++k) {
          if constexpr (std::is_const_v<Place>) {
            others[(lengths.offsets[s] + k) * Set::count + q] = values[place + k * cellStride];
          } else {
            values[place + k * cellStride] = others[(lengths.offsets[s] + k) * Set::count + q];
          }
        }
      }
    });
  }
};

/// Populations cell by cell as numbers, and back.
template <class Set, class T>
struct GetNumbers {
  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;
  const T* values;
  std::int64_t cellStride;
  FieldView<double> numbers;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (int q = 0; q < Set::count; ++q) {
        const std::int64_t place = segments[s].own + q * segments[s].ownStride;
        for (std::int64_t k = begin; k < end; ++k) {
          numbers(lengths.offsets[s] + k, q) =
            static_cast<double>(static_cast<Arithmetic<T>>(values[place + k * cellStride]));
        }
      }
    });
  }
};
template <class Set, class T>
struct PutNumbers {
  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;
  T* values;
  std::int64_t cellStride;
  FieldView<const double> numbers;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (int q = 0; q < Set::count; ++q) {
        const std::int64_t place = segments[s].own + q * segments[s].ownStride;
        for (std::int64_t k = begin; k < end; ++k) {
          values[place + k * cellStride] =
            static_cast<T>(static_cast<Arithmetic<T>>(numbers(lengths.offsets[s] + k, q)));
        }
      }
    });
  }
};

} // namespace spanwise::lattice::detail
