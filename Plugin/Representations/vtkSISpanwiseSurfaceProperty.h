/**
 * @class vtkSISpanwiseSurfaceProperty
 * @brief a property of a whole representation that goes to what is behind its surfaces
 *
 * ParaView's representations of datasets are compounds of representations, and list which properties of these they
 * show. A plugin can add properties to the compound, but not to that list. Such a property, with this class as its
 * si_class, calls its command on vtkSpanwiseSurfaceRepresentation.
 */
#ifndef vtkSISpanwiseSurfaceProperty_h
#define vtkSISpanwiseSurfaceProperty_h

#include "spanwiseRepresentationsModule.h"
#include "vtkSIIntVectorProperty.h"

class SPANWISEREPRESENTATIONS_EXPORT vtkSISpanwiseSurfaceProperty : public vtkSIIntVectorProperty {
public:
  static vtkSISpanwiseSurfaceProperty* New();
  vtkTypeMacro(vtkSISpanwiseSurfaceProperty, vtkSIIntVectorProperty);

protected:
  vtkSISpanwiseSurfaceProperty() = default;
  ~vtkSISpanwiseSurfaceProperty() override = default;

  bool ReadXMLAttributes(vtkSIProxy* compound, vtkPVXMLElement* element) override;

private:
  vtkSISpanwiseSurfaceProperty(const vtkSISpanwiseSurfaceProperty&) = delete;
  void operator=(const vtkSISpanwiseSurfaceProperty&) = delete;
};

#endif
