#ifndef SpanwiseLeafValues_h
#define SpanwiseLeafValues_h

// A solution on the mesh of leaves as arrays of the leaves. Not wrapped and not installed.

#include "SpanwiseArrayOnSide.h"
#include "SpanwiseArrivalArrays.h"
#include "SpanwiseArrivalSettings.h"
#include "SpanwiseLevelProblem.h"

#include "Core/Runtime/ArrayLength.hpp"
#include "Core/Runtime/FieldView.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/Gradient.hpp"
#include "Core/Solvers/Eikonal/LeafSolution.hpp"

#include <vtkDataArray.h>
#include <vtkSmartPointer.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace spanwise {

/// What leaves get of a solution; nothing where there are no leaves.
struct LeafValues {
  std::int64_t numReached = 0;
  std::vector<vtkSmartPointer<vtkDataArray>> times;     ///< [levels], eikonal::timesAtCentres()
  std::vector<std::int64_t> nearest;                    ///< [leaves], the numbers of sources, if they are asked for
  std::vector<vtkSmartPointer<vtkDataArray>> gradients; ///< [levels], if they are asked for
};

namespace detail {

/// The values of leaves that a front has reached, and another where none has.
struct ValuesOfReached {
  const double* times;
  const double* tuples;
  double otherwise;
  FieldView<double> to;

  KOKKOS_FUNCTION void operator()(std::int64_t leaf) const {
    const bool isReached = times[leaf] < Kokkos::Experimental::infinity_v<double>;
    for (int c = 0; c < to.numComponents; ++c) {
      to(leaf, c) = isReached ? tuples[leaf * to.numComponents + c] : otherwise;
    }
  }
};

struct CountReached {
  using value_type = std::int64_t;
  const double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t leaf, std::int64_t& count) const {
    count += times[leaf] < Kokkos::Experimental::infinity_v<double> ? 1 : 0;
  }
};

/// No label where no front has reached the leaf, though one may have its corners.
struct LabelReached {
  const double* times;
  std::int32_t* labels;

  KOKKOS_FUNCTION void operator()(std::int64_t leaf) const {
    if (!(times[leaf] < Kokkos::Experimental::infinity_v<double>)) {
      labels[leaf] = -1;
    }
  }
};

} // namespace detail

template <ComputeSide side, int Dim>
class LeafValuesOn {
public:
  LeafValuesOn(const Context<SpaceOf<side>>& context, const ArrivalSettings& settings, const LevelProblem<Dim>& problem,
    const LeafSolve<side>& solved)
    : context_(context), settings_(settings), problem_(problem), solved_(solved), numLeaves_(problem.own.numCells()) {}

  [[nodiscard]] LeafValues take() {
    LeafValues values;
    times_ = array<double>(numLeaves_);
    const auto fill = [&](const auto& simplices) {
      eikonal::timesAtCentres(context_, solved_.mesh, solved_.fronts.speed, simplices.view(),
        solved_.times.factoring.view(), solved_.times.times.data(), times_);
    };
    if (solved_.report.dimension == 3) {
      fill(solved_.times.tetrahedra);
    } else {
      fill(solved_.times.triangles);
    }
    reduce(SPANWISE_KERNEL("reached"), all(), detail::CountReached{times_.data()}, values.numReached);
    values.times = ofLevels(settings_.resultArrayName, times_, 1, settings_.timeOfUnreached);
    if (settings_.computeNearestSource) {
      takeNearest(values.nearest);
    }
    if (settings_.computeGradient) {
      const auto ofCells = array<double>(3 * solved_.mesh.mesh.types.count());
      const auto ofLeaves = array<double>(3 * numLeaves_);
      eikonal::gradientOfTimes(
        context_, solved_.mesh.view(), solved_.report.dimension, solved_.times.times.data(), ofCells.data());
      eikonal::gradientsOfLeaves(context_, solved_.mesh, ofCells.data(), ofLeaves);
      values.gradients = ofLevels("Gradient", ofLeaves, 3, std::numeric_limits<double>::quiet_NaN());
    }
    return values;
  }

private:
  using Space = SpaceOf<side>;
  template <class T>
  using Array = Kokkos::View<T*, typename Space::memory_space>;

  template <class T>
  [[nodiscard]] static Array<T> array(std::int64_t count) {
    return Array<T>(Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Filters::valuesOfLeaves")),
      arrayLength<T>(count));
  }
  [[nodiscard]] IndexRange<Space> all() const { return {context_.space(), 0, numLeaves_}; }

  void takeNearest(std::vector<std::int64_t>& nearest) const {
    const auto labels = array<std::int32_t>(numLeaves_);
    eikonal::labelsOfLeaves(context_, solved_.mesh, solved_.times.times.data(), solved_.times.labels.data(), labels);
    forEach(SPANWISE_KERNEL("label reached"), all(), detail::LabelReached{times_.data(), labels.data()});
    nearest.reserve(static_cast<std::size_t>(numLeaves_));
    for (const std::int32_t label : hostValues(labels, numLeaves_)) {
      nearest.push_back(solved_.named.numberOf(label));
    }
  }

  /// An array of each level with the tuples of its leaves, or another value where no front has come.
  [[nodiscard]] std::vector<vtkSmartPointer<vtkDataArray>> ofLevels(
    const std::string& name, const Array<double>& tuples, int numComponents, double otherwise) const {
    std::vector<vtkSmartPointer<vtkDataArray>> arrays;
    std::int64_t first = 0;
    for (const RankCells<Dim>& level : problem_.own.leaves) {
      const std::int64_t count = level.set.numCells();
      ArrayOnSide<side, double> made(name, count, numComponents);
      forEach(SPANWISE_KERNEL("of reached"), IndexRange<Space>(context_.space(), 0, count),
        detail::ValuesOfReached{
          times_.data() + first, tuples.data() + first * numComponents, otherwise, made.values().view()});
      arrays.push_back(made.array());
      first += count;
    }
    return arrays;
  }

  const Context<Space>& context_;
  const ArrivalSettings& settings_;
  const LevelProblem<Dim>& problem_;
  const LeafSolve<side>& solved_;
  std::int64_t numLeaves_;
  Array<double> times_;
};

} // namespace spanwise

#endif
