#pragma once

#include "Core/Solvers/NBody/Detail/EwaldLattice.hpp"
#include "Core/Solvers/NBody/Detail/FarOperators.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace spanwise::nbody::detail {

/// What all images of a cube of sources that do not touch it do in the cube: of a source at y and a target at x a
/// function F(x - y) that is smooth, since the nearest of these images is an edge further away than any two places of
/// the cube are. F is kept as a sum of Chebyshev's polynomials of (x - y) / edge, even ones only. The next singularity
/// lies at 2, so coefficients fall by (2 + sqrt(3))^2 = 13.9 from one even polynomial to the next (L. N. Trefethen,
/// Approximation Theory and Approximation Practice (2013), theorem 8.1), and 16 reach the last bits of doubles.
template <int Dim>
struct LatticeOperator {
  static constexpr int numTerms = 16;
  std::vector<double> terms; ///< of T_2a T_2b T_2c, [numTerms^Dim], the first axis fastest

  /// Adds to the coefficients of the cube's expansion what its moments do, both [order^Dim] (ExpansionKernels.hpp):
  /// T_k((xi - eta) / 2) is a sum of T_a(xi) T_b(eta), a + b <= k, so axes are done one after the other.
  /// O(numTerms^(Dim - 1) order^(Dim + 1)).
  void apply(int order, const double* moments, double* coefficients, Workspace<Kokkos::HostSpace>& workspace) const;
};

/// F as a function of (x - y) / edge.
using FarFunction = std::function<double(const double*)>;

/// The operator of F, which `makeFar` makes. Made once for a function and a length of edges (1 for one that scales with
/// the length), and kept in the process.
template <int Dim>
std::shared_ptr<const LatticeOperator<Dim>> latticeOperator(
  const RadialFunction& function, double edge, const std::function<FarFunction()>& makeFar);

/// F of the images of a cube that are two or more edges away along some axis, by Ewald's sums.
template <class Interaction, int Dim>
class FarImages {
public:
  FarImages(const Interaction& interaction, double edge)
    : interaction_(interaction), edge_(edge),
      lattice_(Host(), interaction, boxOf(edge), splittingFor<Dim>(0, 0), frame_), images_(lattice_.imagesWithin(2)) {
    for (int axis = 0; axis < Dim; ++axis) {
      images_[axis] = std::max(images_[axis], 1);
    }
  }

  double operator()(const double* inEdges) const {
    double x[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      x[axis] = edge_ * inEdges[axis];
    }
    std::vector<Kokkos::complex<double>> phases(static_cast<std::size_t>(lattice_.phaseCount()));
    lattice_.findPhases(x, phases.data());
    double sum = lattice_.constant;
    for (std::int64_t w = 0; w < lattice_.numWaves; ++w) {
      sum += lattice_.waves[w].weight * lattice_.phaseOf(lattice_.waves[w], phases.data()).real();
    }
    using Lattice = EwaldLattice<Interaction, Dim>;
    forEachPeriods<Dim>(images_, [&](const Periods<Dim>& image) {
      double r2 = 0.0;
      bool isAdjacent = true;
      for (int axis = 0; axis < Dim; ++axis) {
        const double d = x[axis] + image[axis] * edge_;
        r2 += d * d;
        isAdjacent &= std::abs(image[axis]) <= 1;
      }
      if (r2 == 0.0 && Lattice::Kernel::isSingular) {
        sum -= lattice_.farAtZero;
      } else {
        const double near = r2 <= lattice_.reach * lattice_.reach ? lattice_.kernel.near(r2).value : 0.0;
        sum += isAdjacent ? near - interaction_.template terms<Parts::Potential>(r2).value : near;
      }
    });
    return sum;
  }

private:
  using Host = HostExecutionSpace;

  static PeriodicBox boxOf(double edge) {
    PeriodicBox box;
    box.edges.fill(edge);
    return box;
  }

  Interaction interaction_;
  double edge_;
  Workspace<Kokkos::HostSpace> workspace_;
  Workspace<Kokkos::HostSpace>::Frame frame_{workspace_};
  EwaldLattice<Interaction, Dim> lattice_;
  Periods<Dim> images_;
};

} // namespace spanwise::nbody::detail
