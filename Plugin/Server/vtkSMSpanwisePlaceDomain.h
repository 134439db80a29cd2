/**
 * @class vtkSMSpanwisePlaceDomain
 * @brief Suggests a place in a cell of the input
 *
 * As BoundsDomain, but the default is the place in a cell that is nearest to that of the bounds: their middle is within
 * a closed surface or a hole, where no front can start. Without cells it is that of the bounds: but a
 * property without values keeps none. In XML: SpanwisePlaceDomain.
 */

#ifndef vtkSMSpanwisePlaceDomain_h
#define vtkSMSpanwisePlaceDomain_h

#include "spanwiseServerModule.h"
#include "vtkSMBoundsDomain.h"

class SPANWISESERVER_EXPORT vtkSMSpanwisePlaceDomain : public vtkSMBoundsDomain {
public:
  static vtkSMSpanwisePlaceDomain* New();
  vtkTypeMacro(vtkSMSpanwisePlaceDomain, vtkSMBoundsDomain);

  int SetDefaultValues(vtkSMProperty* property, bool useUncheckedValues) override;

protected:
  vtkSMSpanwisePlaceDomain() = default;
  ~vtkSMSpanwisePlaceDomain() override = default;

private:
  vtkSMSpanwisePlaceDomain(const vtkSMSpanwisePlaceDomain&) = delete;
  void operator=(const vtkSMSpanwisePlaceDomain&) = delete;
};

#endif
