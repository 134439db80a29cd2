#ifndef SpanwiseFibres_h
#define SpanwiseFibres_h

// How fast fronts travel along and across fibres, as of muscle or wood. Not wrapped and not installed.

#include <vtkDoubleArray.h>
#include <vtkSmartPointer.h>

class vtkDataArray;
class vtkDataSet;

namespace spanwise {

/// The speeds along and across fibres.
struct FibreSpeeds {
  double along = 1.0;
  double across = 1.0;
};

/// The space that fronts are in.
enum class FrontSpace { Solid, Plane };

/// The tensors M of the cells of a data set, xx yy zz xy yz xz, whose fibres have the directions of an array of 3
/// components on its cells or points: M = across^2 I + (along^2 - across^2) f f^T with the unit vector f of a
/// direction. Where a direction is 0 there are no fibres, and fronts travel at the speed across. Directions on points
/// give a cell the mean of the tensors M of its points, so that opposite directions are the same.
///
/// In a plane z = constant, a 2D grid, M is that of the times along it: of fibres that leave it fronts in it feel a
/// speed between the two, v with 1/v^2 = s/along^2 + (1 - s)/across^2 where s is the square of f's part in the plane.
/// Throws InvalidArgument where a speed is not positive and finite, the array has another number of components or
/// values, or a component is not finite. O(cells).
vtkSmartPointer<vtkDoubleArray> tensorsOfFibres(
  const FibreSpeeds& speeds, vtkDataArray* directions, bool onPoints, vtkDataSet* data, FrontSpace space);

} // namespace spanwise

#endif
