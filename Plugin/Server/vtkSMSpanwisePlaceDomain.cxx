#include "vtkSMSpanwisePlaceDomain.h"

#include "vtkSpanwiseNearPlaceInformation.h"

#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkSMOutputPort.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMSourceProxy.h>

#include <cmath>

vtkStandardNewMacro(vtkSMSpanwisePlaceDomain);

int vtkSMSpanwisePlaceDomain::SetDefaultValues(vtkSMProperty* property, bool useUncheckedValues) {
  vtkSMProperty* const input = this->GetRequiredProperty("Input");
  vtkSMPropertyHelper values(property);
  values.SetUseUnchecked(useUncheckedValues);
  const bool hadNone = values.GetNumberOfElements() == 0;
  if (hadNone) { // room for the place of the bounds
    values.SetNumberOfElements(3);
  }
  const int ofBounds = this->Superclass::SetDefaultValues(property, useUncheckedValues);
  vtkSMOutputPort* const output =
    input != nullptr ? vtkSMPropertyHelper(input, /*quiet*/ true).GetAsOutputPort() : nullptr;
  if (ofBounds != 0 && output != nullptr && values.GetNumberOfElements() == 3) {
    double wanted[3];
    values.Get(wanted, 3);
    vtkNew<vtkSpanwiseNearPlaceInformation> near;
    near->SetPortNumber(output->GetPortIndex());
    near->SetWanted(wanted);
    output->GetSourceProxy()->GatherInformation(near);
    if (std::isfinite(near->GetSquaredDistance())) {
      values.Set(near->GetPlace(), 3);
      return 1;
    }
  }
  if (hadNone) {
    values.SetNumberOfElements(0);
  }
  return input != nullptr ? ofBounds : 0;
}
