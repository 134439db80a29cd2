#ifndef SpanwisePeriodicAxes_h
#define SpanwisePeriodicAxes_h

// What filters have in common that may take axes as periodic, whatever their superclass is and their output. Along a
// periodic axis the first and the last cell of the period are neighbours: what leaves it on one side comes in on the
// other. In XML it is the proxy SpanwisePeriodicAxes.

#include "spanwiseParallelModule.h"
#include "vtkIndent.h"

namespace spanwise {

/// Which axes are periodic, and what one period is.
struct PeriodChoice {
  bool along[3];
  bool given;       ///< the period is the cells in `bounds`, otherwise the bounding box of all cells
  double bounds[6]; ///< of their centres, low <= c < high
};

/// Throws InvalidArgument unless `periodBox` is 0, the bounding box of the input's cells, or 1, given bounds.
SPANWISEPARALLEL_EXPORT PeriodChoice periodChoice(
  const bool (&along)[3], int periodBox, const double (&periodBounds)[6]);

SPANWISEPARALLEL_EXPORT void printPeriodicAxes(
  ostream& os, vtkIndent indent, const bool (&along)[3], int periodBox, const double (&periodBounds)[6]);

} // namespace spanwise

/// The properties, for the end of a class:
///
/// - PeriodicX, PeriodicY, PeriodicZ: whether the axis is periodic. In 2D z does not matter. Default: off.
/// - PeriodBox: what one period is: the bounding box of the input's cells, or the cells in PeriodBounds. Default:
///   BOX_OF_INPUT.
/// - PeriodBounds: with GIVEN_BOUNDS the least and greatest x, y and z of the centres of the period's cells (low <= c <
///   high), in the units of the points. Along periodic axes no cell of the input may lie outside.
///
/// A macro, since VTK's wrappers see no members that come from a template, and classes have one superclass.
#define SPANWISE_PERIODIC_AXES()                                                                                       \
public:                                                                                                                \
  vtkSetMacro(PeriodicX, bool);                                                                                        \
  vtkGetMacro(PeriodicX, bool);                                                                                        \
  vtkBooleanMacro(PeriodicX, bool);                                                                                    \
  vtkSetMacro(PeriodicY, bool);                                                                                        \
  vtkGetMacro(PeriodicY, bool);                                                                                        \
  vtkBooleanMacro(PeriodicY, bool);                                                                                    \
  vtkSetMacro(PeriodicZ, bool);                                                                                        \
  vtkGetMacro(PeriodicZ, bool);                                                                                        \
  vtkBooleanMacro(PeriodicZ, bool);                                                                                    \
  enum PeriodBoxes { BOX_OF_INPUT = 0, GIVEN_BOUNDS = 1 };                                                             \
  vtkSetMacro(PeriodBox, int);                                                                                         \
  vtkGetMacro(PeriodBox, int);                                                                                         \
  vtkSetVector6Macro(PeriodBounds, double);                                                                            \
  vtkGetVector6Macro(PeriodBounds, double);                                                                            \
                                                                                                                       \
protected:                                                                                                             \
  /* What was chosen, for periodsOf(). */                                                                              \
  spanwise::PeriodChoice GetPeriodChoice() const {                                                                     \
    return spanwise::periodChoice(                                                                                     \
      {this->PeriodicX, this->PeriodicY, this->PeriodicZ}, this->PeriodBox, this->PeriodBounds);                       \
  }                                                                                                                    \
  void PrintPeriodicAxes(ostream& os, vtkIndent indent) const {                                                        \
    spanwise::printPeriodicAxes(                                                                                       \
      os, indent, {this->PeriodicX, this->PeriodicY, this->PeriodicZ}, this->PeriodBox, this->PeriodBounds);           \
  }                                                                                                                    \
  bool PeriodicX = false;                                                                                              \
  bool PeriodicY = false;                                                                                              \
  bool PeriodicZ = false;                                                                                              \
  int PeriodBox = BOX_OF_INPUT;                                                                                        \
  double PeriodBounds[6] = {0.0, 1.0, 0.0, 1.0, 0.0, 1.0}

#endif
