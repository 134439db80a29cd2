#ifndef pqSpanwiseFollowDecorator_h
#define pqSpanwiseFollowDecorator_h

#include <pqPropertyWidgetDecorator.h>

#include <vector>

class vtkSMProperty;

/// Lets a property follow others in the panel, as the ends of a range follow the array and the component that they are
/// of. When something else is chosen there, the property takes what its domain suggests for that; when what was applied
/// last is chosen again, its own value of then. In XML:
///
///     <PropertyWidgetDecorator type="SpanwiseFollow" properties="Scalars Component"/>
class pqSpanwiseFollowDecorator : public pqPropertyWidgetDecorator {
  Q_OBJECT
public:
  pqSpanwiseFollowDecorator(vtkPVXMLElement* xml, pqPropertyWidget* parent);

private Q_SLOTS:
  void follow();

private:
  std::vector<vtkSMProperty*> followed_;
};

#endif
