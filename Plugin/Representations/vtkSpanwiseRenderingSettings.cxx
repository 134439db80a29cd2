#include "vtkSpanwiseRenderingSettings.h"

#include <vtkObjectFactory.h>
#include <vtkSmartPointer.h>

vtkSpanwiseRenderingSettings* vtkSpanwiseRenderingSettings::New() {
  vtkSpanwiseRenderingSettings* const instance = vtkSpanwiseRenderingSettings::GetInstance();
  instance->Register(nullptr);
  return instance;
}

vtkSpanwiseRenderingSettings* vtkSpanwiseRenderingSettings::GetInstance() {
  static const vtkSmartPointer<vtkSpanwiseRenderingSettings> instance = [] {
    auto object = vtkSmartPointer<vtkSpanwiseRenderingSettings>::Take(new vtkSpanwiseRenderingSettings);
    object->InitializeObjectBase();
    return object;
  }();
  return instance;
}

void vtkSpanwiseRenderingSettings::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "ExactPolygons: " << this->ExactPolygons << "\n"
     << indent << "MaximumPolygons: " << this->MaximumPolygons << "\n"
     << indent << "PixelSize: " << this->PixelSize << "\n";
}
