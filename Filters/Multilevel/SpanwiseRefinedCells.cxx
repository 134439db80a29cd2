#include "SpanwiseRefinedCells.h"

#include "SpanwiseValues.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Multilevel/Refine.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

/// Where the values of a cell's children stand: on a leaf, on a refined cell, or nowhere.
template <int Dim>
struct FinerLevel {
  const RankCells<Dim>* leaves;
  const HostIntervalSet<Dim>* refined;
  vtkCellData* restricted;
  const std::vector<double>* shares; ///< of each refined cell, the part of it that leaves cover
};

template <int Dim>
class Restriction {
public:
  Restriction(const HostIntervalSet<Dim>& parents, const FinerLevel<Dim>& finer) : parents_(parents), finer_(finer) {}

  void run(vtkCellData* values, std::vector<double>& shares) {
    const IntervalSetView<Dim> view = parents_.view();
    shares.assign(static_cast<std::size_t>(view.numCells), 0.0);
    for (std::int64_t r = 0; r < view.numRows; ++r) {
      for (std::int64_t i = view.rowOffsets[r]; i < view.rowOffsets[r + 1]; ++i) {
        for (std::int64_t k = 0; k < view.intervals[i].end - std::int64_t{view.intervals[i].begin}; ++k) {
          const std::int64_t cell = view.cellOffsets[i] + k;
          Cell<Dim> parent{};
          parent.at[0] = static_cast<Coordinate>(view.intervals[i].begin + k);
          parent.at[1] = view.rowKeys[r].y;
          if constexpr (Dim == 3) {
            parent.at[2] = view.rowKeys[r].z;
          }
          shares[static_cast<std::size_t>(cell)] = restrictTo(parent, cell, values);
        }
      }
    }
  }

private:
  struct Source {
    vtkCellData* values;
    std::int64_t cell;
    double share;
  };

  double restrictTo(const Cell<Dim>& parent, std::int64_t cell, vtkCellData* values) {
    sources_.clear();
    double whole = 0.0;
    for (int child = 0; child < 1 << Dim; ++child) {
      Cell<Dim> at{};
      for (int d = 0; d < Dim; ++d) {
        at.at[d] = 2 * parent.at[d] + ((child >> d) & 1);
      }
      if (const std::int64_t leaf = finer_.leaves->set.view().findCell(at); leaf >= 0) {
        sources_.push_back({finer_.leaves->values, leaf, 1.0});
      } else if (const std::int64_t inner = finer_.refined->view().findCell(at); inner >= 0) {
        sources_.push_back({finer_.restricted, inner, (*finer_.shares)[static_cast<std::size_t>(inner)]});
      } else {
        continue;
      }
      whole += sources_.back().share;
    }
    for (int a = 0; a < values->GetNumberOfArrays(); ++a) {
      vtkAbstractArray* to = values->GetAbstractArray(a);
      auto* numbers = vtkDataArray::SafeDownCast(to);
      if (numbers == nullptr || (to->GetDataType() != VTK_FLOAT && to->GetDataType() != VTK_DOUBLE)) {
        to->InsertTuples(cell, 1, sources_.front().cell, sources_.front().values->GetAbstractArray(a));
        continue;
      }
      for (int c = 0; c < numbers->GetNumberOfComponents(); ++c) {
        double sum = 0.0;
        for (const Source& source : sources_) {
          sum += source.share * source.values->GetArray(a)->GetComponent(source.cell, c);
        }
        numbers->SetComponent(cell, c, sum / whole);
      }
    }
    return whole / (1 << Dim);
  }

  const HostIntervalSet<Dim>& parents_;
  FinerLevel<Dim> finer_;
  std::vector<Source> sources_;
};

} // namespace

template <int Dim>
std::vector<HostIntervalSet<Dim>> refinedCells(const Hierarchy<Dim>& hierarchy) {
  Workspace<Kokkos::HostSpace> workspace;
  std::vector<HostIntervalSet<Dim>> refined(hierarchy.leaves.size());
  for (std::size_t k = refined.size(); k-- > 1;) {
    HostIntervalSet<Dim> covered;
    combine<Host, Dim>(Host(), SetOperation::Union, hierarchy.leaves[k].set, refined[k], covered, workspace);
    coarsen<Host, Dim>(Host(), Coarsening::Outside, covered, refined[k - 1], workspace);
  }
  return refined;
}

template <int Dim>
std::vector<vtkSmartPointer<vtkCellData>> restrictedValues(
  const Hierarchy<Dim>& hierarchy, const std::vector<HostIntervalSet<Dim>>& refined) {
  std::vector<vtkSmartPointer<vtkCellData>> restricted(refined.size());
  std::vector<double> shares;
  for (std::size_t k = refined.size(); k-- > 0;) {
    restricted[k] = vtkSmartPointer<vtkCellData>::New();
    sliceValues(hierarchy.leaves[k].values, 0, 0, restricted[k]);
    for (int a = 0; a < restricted[k]->GetNumberOfArrays(); ++a) {
      restricted[k]->GetAbstractArray(a)->SetNumberOfTuples(refined[k].numCells());
    }
    if (!refined[k].empty()) { // there is a finer level
      std::vector<double> own;
      Restriction<Dim>(refined[k], {&hierarchy.leaves[k + 1], &refined[k + 1], restricted[k + 1], &shares})
        .run(restricted[k], own);
      shares = std::move(own);
    } else {
      shares.clear();
    }
  }
  return restricted;
}

#define SPANWISE_REFINED_CELLS(Dim)                                                                                    \
  template std::vector<HostIntervalSet<Dim>> refinedCells<Dim>(const Hierarchy<Dim>&);                                 \
  template std::vector<vtkSmartPointer<vtkCellData>> restrictedValues<Dim>(                                            \
    const Hierarchy<Dim>&, const std::vector<HostIntervalSet<Dim>>&);
SPANWISE_REFINED_CELLS(2)
SPANWISE_REFINED_CELLS(3)

} // namespace spanwise
