/**
 * @class   vtkSpanwiseIntervalShape
 * @brief   a box, a ball or the inside of an implicit function as a grid made of intervals
 *
 * The grid has the cells whose centres lie in the shape, in 3D or in 2D. In 2D only x and y of a box or a ball matter,
 * and the grid lies in the plane z = Origin[2], where an implicit function is evaluated:
 *
 * - BOX: Corner <= c < Corner + Lengths along each axis, so that boxes side by side share no cell;
 * - BALL: at most Radius from Center; the test is made in units of cells if they are cubes, in double;
 * - IMPLICIT_FUNCTION: f(c) < 0, or f(c) >= 0 with Invert on, for the cells of the box. NaN is neither.
 *
 * By default there are 64 cells along the longest side of the shape. Shapes with one given spacing and one origin can
 * be combined by vtkSpanwiseSetAlgebra.
 *
 * A box costs O(rows), a ball O(rows) if cells are cubes, an implicit function one evaluation a cell of the box.
 * Several ranks share the work by planes, and no rank holds more than its own.
 */
#ifndef vtkSpanwiseIntervalShape_h
#define vtkSpanwiseIntervalShape_h

#include "spanwiseGeometryModule.h"
#include "vtkSpanwiseLatticeAlgorithm.h"

class vtkImplicitFunction;

class SPANWISEGEOMETRY_EXPORT vtkSpanwiseIntervalShape : public vtkSpanwiseLatticeAlgorithm {
public:
  static vtkSpanwiseIntervalShape* New();
  vtkTypeMacro(vtkSpanwiseIntervalShape, vtkSpanwiseLatticeAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Shapes { BOX = 0, BALL = 1, IMPLICIT_FUNCTION = 2 };

  ///@{
  /**
   * The dimension of the cells, 2 or 3. Default: 3.
   */
  vtkSetMacro(Dimension, int);
  vtkGetMacro(Dimension, int);
  ///@}

  ///@{
  /**
   * BOX, BALL or IMPLICIT_FUNCTION. Default: BALL.
   */
  vtkSetMacro(Shape, int);
  vtkGetMacro(Shape, int);
  ///@}

  ///@{
  /**
   * The lower corner of the box. Default: (-0.5, -0.5, -0.5).
   */
  vtkSetVector3Macro(Corner, double);
  vtkGetVector3Macro(Corner, double);
  ///@}

  ///@{
  /**
   * The side lengths of the box, not negative. Default: (1, 1, 1).
   */
  vtkSetVector3Macro(Lengths, double);
  vtkGetVector3Macro(Lengths, double);
  ///@}

  ///@{
  /**
   * The centre of the ball or disk. Default: (0, 0, 0).
   */
  vtkSetVector3Macro(Center, double);
  vtkGetVector3Macro(Center, double);
  ///@}

  ///@{
  /**
   * The radius of the ball or disk, not negative. Default: 0.5.
   */
  vtkSetMacro(Radius, double);
  vtkGetMacro(Radius, double);
  ///@}

  ///@{
  /**
   * The function whose inside, where it is negative, is the shape.
   */
  void SetImplicitFunction(vtkImplicitFunction*);
  vtkGetObjectMacro(ImplicitFunction, vtkImplicitFunction);
  ///@}

  ///@{
  /**
   * Take the outside of the implicit function instead. Default: off.
   */
  vtkSetMacro(Invert, bool);
  vtkGetMacro(Invert, bool);
  vtkBooleanMacro(Invert, bool);
  ///@}

  /**
   * Also the modification time of the implicit function.
   */
  vtkMTimeType GetMTime() override;

protected:
  vtkSpanwiseIntervalShape();
  ~vtkSpanwiseIntervalShape() override;

  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  int Dimension = 3;
  int Shape = BALL;
  double Corner[3] = {-0.5, -0.5, -0.5};
  double Lengths[3] = {1.0, 1.0, 1.0};
  double Center[3] = {0.0, 0.0, 0.0};
  double Radius = 0.5;
  vtkImplicitFunction* ImplicitFunction = nullptr;
  bool Invert = false;

private:
  vtkSpanwiseIntervalShape(const vtkSpanwiseIntervalShape&) = delete;
  void operator=(const vtkSpanwiseIntervalShape&) = delete;

  void GetShapeBounds(double bounds[6]) const;
  template <int Dim>
  void MakeShape(const spanwise::RankGroup& group, vtkUnstructuredGrid* output);
};

#endif
