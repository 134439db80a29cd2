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
  if (this->Superclass::SetDefaultValues(property, useUncheckedValues) == 0 || input == nullptr) {
    return 0;
  }
  vtkSMOutputPort* const output = vtkSMPropertyHelper(input, /*quiet*/ true).GetAsOutputPort();
  vtkSMPropertyHelper values(property);
  values.SetUseUnchecked(useUncheckedValues);
  if (output == nullptr || values.GetNumberOfElements() != 3) {
    return 1;
  }
  double wanted[3];
  values.Get(wanted, 3);
  vtkNew<vtkSpanwiseNearPlaceInformation> near;
  near->SetPortNumber(output->GetPortIndex());
  near->SetWanted(wanted);
  output->GetSourceProxy()->GatherInformation(near);
  if (std::isfinite(near->GetSquaredDistance())) {
    values.Set(near->GetPlace(), 3);
  }
  return 1;
}
