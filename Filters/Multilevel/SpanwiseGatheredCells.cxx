#include "SpanwiseGatheredCells.h"

#include "SpanwiseJoinCells.h"
#include "SpanwiseMirroredArray.h"
#include "SpanwiseValues.h"

#include "Core/Field/Remap.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Label.hpp"

#include <vtkAbstractArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkSmartPointer.h>

#include <cstdint>
#include <utility>
#include <vector>

using namespace spanwise::field;
using namespace spanwise::geometry;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

/// Cells, and their arrays of the names of all.
template <int Dim>
struct Part {
  const MirroredSet<Dim>& set;
  std::vector<vtkAbstractArray*> arrays;
};

/// Copies values from parts, each of which has some of the cells of a set; all of them have all. Cells in common are
/// found on the host only where an array asks for them.
template <ComputeSide side, int Dim>
class Gathering {
public:
  Gathering(const MirroredSet<Dim>& set, std::vector<Part<Dim>> parts) : set_(set), parts_(std::move(parts)) {
    if constexpr (side == ComputeSide::Device) {
      common_.resize(parts_.size());
      for (std::size_t p = 0; p < parts_.size(); ++p) {
        commonCells<Space, Dim>(
          Context<Space>(), parts_[p].set.template on<side>(), set.template on<side>(), common_[p]);
      }
    }
  }

  /// The k-th array of all.
  vtkSmartPointer<vtkAbstractArray> array(std::size_t k) {
    vtkAbstractArray* const model = parts_[0].arrays[k];
    vtkSmartPointer<vtkAbstractArray> values;
    if constexpr (side == ComputeSide::Device) {
      values = madeOnDevice(model, set_.numCells(), [&]<class T>(auto& to) {
        for (std::size_t p = 0; p < parts_.size(); ++p) {
          const auto from = deviceField<T>(vtkDataArray::SafeDownCast(parts_[p].arrays[k]));
          copyCommon<Space, FieldTypeOf<T>>(Context<Space>(), common_[p], from, to);
          Space().fence(SPANWISE_LABEL("Multilevel::gathered")); // before the field goes
        }
      });
    }
    if (values == nullptr) {
      findRuns();
      values = arrayLike(model, set_.numCells());
      for (std::size_t p = 0; p < parts_.size(); ++p) {
        const auto& runs = runs_[p];
        copyRuns(onHost(parts_[p].arrays[k]), runs.data(), static_cast<std::int64_t>(runs.extent(0)), values);
      }
    }
    return values;
  }

private:
  using Space = SpaceOf<side>;

  void findRuns() {
    for (std::size_t p = runs_.size(); p < parts_.size(); ++p) {
      runs_.push_back(commonCells<Host, Dim>(Context<Host>(), set_.host(), parts_[p].set.host()));
    }
  }

  const MirroredSet<Dim>& set_;
  std::vector<Part<Dim>> parts_;
  std::vector<CommonCells<typename Space::memory_space>> common_;
  std::vector<Kokkos::View<CellRun*, Kokkos::HostSpace>> runs_;
};

/// The cells of `set` with the arrays of `like`, which all parts have.
template <ComputeSide side, int Dim>
RankCells<Dim> gathered(const MirroredSet<Dim>& set, std::vector<Part<Dim>> parts, vtkCellData* like) {
  RankCells<Dim> cells;
  cells.set = set;
  Gathering<side, Dim> gathering(cells.set, std::move(parts));
  for (int k = 0; k < like->GetNumberOfArrays(); ++k) {
    const int index = cells.values->AddArray(gathering.array(static_cast<std::size_t>(k)));
    if (const int attribute = like->IsArrayAnAttribute(k); attribute >= 0) {
      cells.values->SetActiveAttribute(index, attribute);
    }
  }
  return cells;
}

} // namespace

template <ComputeSide side, int Dim>
RankCells<Dim> selectedCells(const RankCells<Dim>& from, const MirroredSet<Dim>& set) {
  Part<Dim> part{from.set, {}};
  for (int k = 0; k < from.values->GetNumberOfArrays(); ++k) {
    part.arrays.push_back(from.values->GetAbstractArray(k));
  }
  return gathered<side, Dim>(combined<side, Dim>(SetOperation::Intersection, from.set, set), {part}, from.values);
}

template <ComputeSide side, int Dim>
RankCells<Dim> unitedCells(const RankCells<Dim>& a, const RankCells<Dim>& b) {
  if (a.set.empty() || b.set.empty()) {
    return a.set.empty() && !b.set.empty() ? b : a;
  }
  const auto ofA = vtkSmartPointer<vtkCellData>::New();
  const auto ofB = vtkSmartPointer<vtkCellData>::New();
  ofA->ShallowCopy(a.values);
  ofB->ShallowCopy(b.values);
  ofA->RemoveArray(vtkDataSetAttributes::GhostArrayName());
  keepArraysOf(ofA, ofB); // in the order of a
  keepArraysOf(ofB, ofA);
  Part<Dim> first{a.set, {}};
  Part<Dim> second{b.set, {}};
  for (int k = 0; k < ofA->GetNumberOfArrays(); ++k) {
    first.arrays.push_back(ofA->GetAbstractArray(k));
    second.arrays.push_back(ofB->GetAbstractArray(k));
  }
  return gathered<side, Dim>(combined<side, Dim>(SetOperation::Union, a.set, b.set), {first, second}, ofA);
}

#define SPANWISE_GATHERED_CELLS(side, Dim)                                                                             \
  template RankCells<Dim> selectedCells<ComputeSide::side, Dim>(const RankCells<Dim>&, const MirroredSet<Dim>&);       \
  template RankCells<Dim> unitedCells<ComputeSide::side, Dim>(const RankCells<Dim>&, const RankCells<Dim>&);
SPANWISE_GATHERED_CELLS(Host, 2)
SPANWISE_GATHERED_CELLS(Host, 3)
SPANWISE_GATHERED_CELLS(Device, 2)
SPANWISE_GATHERED_CELLS(Device, 3)

} // namespace spanwise
