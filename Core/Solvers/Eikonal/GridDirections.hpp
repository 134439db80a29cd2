#pragma once

#include "Core/Solvers/Eikonal/Tensor.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// A symmetric positive definite form as a sum of weights[k] steps[k] steps[k]^T, with weights >= 0 and whole numbers
/// in the steps.
template <int Dim>
struct LatticeDecomposition {
  static constexpr int count = Dim == 2 ? 3 : 6;
  double weights[count] = {};
  std::int32_t steps[count][Dim] = {};
};

/// Selling's decomposition (E. Selling, J. Reine Angew. Math. 77 (1874); as used by J. Fehrenbach, J.-M. Mirebeau, J.
/// Math. Imaging Vis. 49 (2014) and J.-M. Mirebeau, SIAM J. Numer. Anal. 57 (2019)): a superbase v_0 ... v_Dim of the
/// lattice, whose sum is 0, is changed until v_i^T M v_j <= 0 for all pairs. The weight of a pair is -v_i^T M v_j, and
/// its step is at right angles to the other vectors. O(log of the ratio of M's eigenvalues) changes.
template <int Dim>
KOKKOS_INLINE_FUNCTION LatticeDecomposition<Dim> decompose(const SymmetricTensor& m) {
  constexpr int numVectors = Dim + 1;
  const double entries[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
  std::int32_t v[numVectors][Dim] = {};
  for (int axis = 0; axis < Dim; ++axis) {
    v[axis][axis] = 1;
    v[Dim][axis] = -1;
  }
  const auto product = [&](int i, int j) {
    double sum = 0.0;
    for (int a = 0; a < Dim; ++a) {
      for (int b = 0; b < Dim; ++b) {
        sum += v[i][a] * entries[a][b] * v[j][b];
      }
    }
    return sum;
  };
  double trace = 0.0;
  for (int axis = 0; axis < Dim; ++axis) {
    trace += entries[axis][axis];
  }
  const double small = 1e-14 * trace; // so that rounding does not change bases for ever
  bool obtuse = false;
  for (int change = 0; change < 1000 && !obtuse; ++change) {
    obtuse = true;
    for (int i = 0; i < numVectors && obtuse; ++i) {
      for (int j = i + 1; j < numVectors && obtuse; ++j) {
        if (product(i, j) > small) {
          obtuse = false;
          for (int k = 0; k < numVectors; ++k) {
            if (k == i || k == j) {
              continue;
            }
            for (int a = 0; a < Dim; ++a) {
              v[k][a] += Dim == 2 ? v[i][a] - v[j][a] - v[k][a] : v[i][a];
            }
          }
          for (int a = 0; a < Dim; ++a) {
            v[i][a] = -v[i][a];
          }
        }
      }
    }
  }
  LatticeDecomposition<Dim> result;
  int n = 0;
  for (int i = 0; i < numVectors; ++i) {
    for (int j = i + 1; j < numVectors; ++j, ++n) {
      int others[2] = {};
      int numOthers = 0;
      for (int k = 0; k < numVectors; ++k) {
        if (k != i && k != j) {
          others[numOthers++] = k;
        }
      }
      const std::int32_t* p = v[others[0]];
      result.weights[n] = Kokkos::max(-product(i, j), 0.0);
      if constexpr (Dim == 2) {
        result.steps[n][0] = -p[1];
        result.steps[n][1] = p[0];
      } else {
        const std::int32_t* q = v[others[1]];
        for (int a = 0; a < 3; ++a) {
          result.steps[n][a] = p[(a + 1) % 3] * q[(a + 2) % 3] - p[(a + 2) % 3] * q[(a + 1) % 3];
        }
      }
      if (!(result.weights[n] > small)) {
        result.weights[n] = 0.0;
      }
    }
  }
  return result;
}

} // namespace spanwise::eikonal
