#include "SpanwiseArrivalProblem.h"

#include <vtkCellArray.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkInformation.h>
#include <vtkInformationObjectBaseKey.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

#include <array>
#include <utility>

namespace spanwise {

namespace {

/// The arrays that a mesh is made of: who has the same ones has the same mesh.
using MeshArrays = std::array<vtkSmartPointer<vtkObject>, 3>;

MeshArrays arraysOf(vtkDataSet* mesh) {
  MeshArrays arrays;
  auto* points = vtkPointSet::SafeDownCast(mesh);
  if (points != nullptr && points->GetPoints() != nullptr) {
    arrays[0] = points->GetPoints()->GetData();
  }
  if (auto* grid = vtkUnstructuredGrid::SafeDownCast(mesh); grid != nullptr && grid->GetCells() != nullptr) {
    arrays[1] = grid->GetCells()->GetConnectivityArray();
    arrays[2] = grid->GetCellTypes();
  } else if (auto* polygons = vtkPolyData::SafeDownCast(mesh)) {
    arrays[1] = polygons->GetPolys()->GetConnectivityArray();
    arrays[2] = polygons->GetLines()->GetConnectivityArray();
  }
  return arrays;
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
  MeshArrays arrays;
};

} // namespace

void setProblem(vtkDataArray* times, vtkDataSet* mesh, ArrivalProblemPointer problem) {
  vtkNew<ArrivalRecord> record;
  record->problem = std::move(problem);
  record->arrays = arraysOf(mesh);
  times->GetInformation()->Set(ArrivalRecord::key(), record);
}

ArrivalProblemPointer problemOf(vtkDataArray* times, vtkDataSet* mesh) {
  if (times == nullptr || !times->HasInformation()) {
    return nullptr;
  }
  auto* record = dynamic_cast<ArrivalRecord*>(times->GetInformation()->Get(ArrivalRecord::key()));
  return record != nullptr && record->arrays == arraysOf(mesh) ? record->problem : nullptr;
}

} // namespace spanwise
