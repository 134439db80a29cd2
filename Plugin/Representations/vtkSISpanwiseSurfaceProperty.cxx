#include "vtkSISpanwiseSurfaceProperty.h"

#include <vtkObjectFactory.h>
#include <vtkSIProxy.h>

vtkStandardNewMacro(vtkSISpanwiseSurfaceProperty);

namespace {
// Subproxies are known to subclasses of vtkSIProxy alone.
struct Subproxies : vtkSIProxy {
  static vtkSIProxy* Of(vtkSIProxy* compound, const char* name) {
    vtkSIProxy* (vtkSIProxy::* const get)(const char*) = &Subproxies::GetSubSIProxy;
    return (compound->*get)(name);
  }
};
} // namespace

bool vtkSISpanwiseSurfaceProperty::ReadXMLAttributes(vtkSIProxy* compound, vtkPVXMLElement* element) {
  vtkSIProxy* const surface = Subproxies::Of(compound, "SurfaceRepresentation");
  return surface == nullptr ||
    this->Superclass::ReadXMLAttributes(surface, element); // sets what commands are called on
}
