#include "SpanwiseArrivalProblem.h"

#include <vtkCellArray.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationObjectBaseKey.h>
#include <vtkMatrix3x3.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace spanwise {

namespace {

/// What the points and cells of a data set are made of: who has the same has the same points and cells.
struct Shape {
  std::array<vtkSmartPointer<vtkObject>, 3> arrays; ///< of a mesh or a grid of intervals
  std::array<int, 6> extent{};                      ///< of an image, and where it lies
  std::array<double, 15> place{};

  friend bool operator==(const Shape&, const Shape&) = default;
};

Shape shapeOf(vtkDataSet* data) {
  Shape shape;
  auto* points = vtkPointSet::SafeDownCast(data);
  if (points != nullptr && points->GetPoints() != nullptr) {
    shape.arrays[0] = points->GetPoints()->GetData();
  }
  if (auto* grid = vtkUnstructuredGrid::SafeDownCast(data); grid != nullptr && grid->GetCells() != nullptr) {
    shape.arrays[1] = grid->GetCells()->GetConnectivityArray();
    shape.arrays[2] = grid->GetCellTypes();
  } else if (auto* polygons = vtkPolyData::SafeDownCast(data)) {
    shape.arrays[1] = polygons->GetPolys()->GetConnectivityArray();
    shape.arrays[2] = polygons->GetLines()->GetConnectivityArray();
  } else if (auto* image = vtkImageData::SafeDownCast(data)) {
    std::copy_n(image->GetExtent(), 6, shape.extent.begin());
    std::copy_n(image->GetOrigin(), 3, shape.place.begin());
    std::copy_n(image->GetSpacing(), 3, shape.place.begin() + 3);
    std::copy_n(image->GetDirectionMatrix()->GetData(), 9, shape.place.begin() + 6);
  }
  return shape;
}

/// What an array's information holds.
class ArrivalRecord : public vtkObject {
public:
  static ArrivalRecord* New() { VTK_STANDARD_NEW_BODY(ArrivalRecord); }
  vtkTypeMacro(ArrivalRecord, vtkObject);

  static vtkInformationObjectBaseKey* key() {
    static vtkInformationObjectBaseKey* const key =
      vtkInformationObjectBaseKey::MakeKey("ARRIVAL_PROBLEM", "SpanwiseArrivalProblem");
    return key;
  }

  ArrivalProblemPointer problem;
  Shape shape;
};

/// The problems of data sets without cells, by their numbers.
std::map<std::int64_t, std::weak_ptr<const ArrivalProblem>>& partsWithoutCells() {
  static std::map<std::int64_t, std::weak_ptr<const ArrivalProblem>> parts;
  return parts;
}

} // namespace

void ArrivalProblem::setNumber(const RankGroup& group) {
  static std::int64_t last = 0;
  last = group.maximum(last) + 1;
  number_ = last;
}

ArrivalProblemPointer partWithoutCells(std::int64_t number) {
  const auto found = partsWithoutCells().find(number);
  return found != partsWithoutCells().end() ? found->second.lock() : nullptr;
}

void setProblem(vtkDataArray* times, vtkDataSet* data, ArrivalProblemPointer problem) {
  if (problem->number() > 0 && data->GetNumberOfCells() < 1) {
    auto& parts = partsWithoutCells();
    std::erase_if(parts, [](const auto& part) { return part.second.expired(); });
    parts[problem->number()] = problem;
  }
  vtkNew<ArrivalRecord> record;
  record->problem = std::move(problem);
  record->shape = shapeOf(data);
  times->GetInformation()->Set(ArrivalRecord::key(), record);
}

ArrivalProblemPointer problemOf(vtkDataArray* times, vtkDataSet* data) {
  if (times == nullptr || !times->HasInformation()) {
    return nullptr;
  }
  auto* record = dynamic_cast<ArrivalRecord*>(times->GetInformation()->Get(ArrivalRecord::key()));
  return record != nullptr && record->shape == shapeOf(data) ? record->problem : nullptr;
}

} // namespace spanwise
