#ifndef SpanwiseController_h
#define SpanwiseController_h

// What filters have in common that work on ranks, whatever their superclass is and their output.

#include "vtkMultiProcessController.h"
#include "vtkSmartPointer.h"

/// The property, for the end of a class:
///
/// - Controller: the ranks that may work together; none is one process. Default: the global controller.
///
/// A macro, since VTK's wrappers see no members that come from a template, and classes have one superclass.
#define SPANWISE_CONTROLLER()                                                                                          \
public:                                                                                                                \
  vtkSetSmartPointerMacro(Controller, vtkMultiProcessController);                                                      \
  vtkGetSmartPointerMacro(Controller, vtkMultiProcessController);                                                      \
                                                                                                                       \
protected:                                                                                                             \
  vtkSmartPointer<vtkMultiProcessController> Controller = vtkMultiProcessController::GetGlobalController()

#endif
