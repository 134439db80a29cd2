#include "SpanwiseReaderOutput.h"

#include <vtkDataObject.h>
#include <vtkDataObjectTypes.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkSmartPointer.h>

namespace spanwise {

void setOutputType(vtkInformationVector* outputs, bool isCollection) {
  const int type = isCollection ? VTK_PARTITIONED_DATA_SET_COLLECTION : VTK_UNSTRUCTURED_GRID;
  vtkInformation* info = outputs->GetInformationObject(0);
  vtkDataObject* output = vtkDataObject::GetData(info);
  if (!output || output->GetDataObjectType() != type) {
    info->Set(
      vtkDataObject::DATA_OBJECT(), vtkSmartPointer<vtkDataObject>::Take(vtkDataObjectTypes::NewDataObject(type)));
  }
}

} // namespace spanwise
