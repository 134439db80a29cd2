/**
 * @class   vtkSpanwiseMeshbReader
 * @brief   reads meshes of GMlib, Medit and remeshers (.mesh, .meshb)
 *
 * The output is a vtkUnstructuredGrid with the vertices and the edges, triangles, quadrilaterals, tetrahedra, pyramids,
 * prisms and hexahedra of the file, in this order. Points are float where the file has floats (version 1), otherwise
 * double; those of 2D lie at z = 0. References are a cell and a point array of 64-bit integers, "Reference".
 *
 * Solutions at vertices are point arrays, "Solution", or "Solution 1", "Solution 2" ... where there are several: with
 * 1, 3 (vectors), 6 (symmetric matrices, such as metrics, as VTK has them) or 9 components. They are read from the file
 * itself and from the .solb or .sol file of the same name beside it. A solution of another mesh is left out with a
 * warning, and so are cells of higher order, polygons and polyhedra.
 *
 * Binary and text files of the versions 1 to 4 of libMeshb are read, of either order of bytes. VTK looks at the first
 * triangle of a prism from outside and these files from inside, so prisms are turned. Asked for several pieces, the
 * reader puts the mesh into the first. Everything in a file is checked before it is used; a file that is damaged or cut
 * off gives one error and an empty output.
 */
#ifndef vtkSpanwiseMeshbReader_h
#define vtkSpanwiseMeshbReader_h

#include "spanwiseReadersModule.h"
#include "vtkSpanwiseGridAlgorithm.h"

class SPANWISEREADERS_EXPORT vtkSpanwiseMeshbReader : public vtkSpanwiseGridAlgorithm {
public:
  static vtkSpanwiseMeshbReader* New();
  vtkTypeMacro(vtkSpanwiseMeshbReader, vtkSpanwiseGridAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The file.
   */
  vtkSetFilePathMacro(FileName);
  vtkGetFilePathMacro(FileName);
  ///@}

  /**
   * Whether a file begins as such a mesh, damaged or not. Reads 4096 bytes and reports no errors.
   */
  virtual int CanReadFile(const char* name);

protected:
  vtkSpanwiseMeshbReader();
  ~vtkSpanwiseMeshbReader() override;

  void MakeOutput(
    const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

  char* FileName = nullptr;

private:
  vtkSpanwiseMeshbReader(const vtkSpanwiseMeshbReader&) = delete;
  void operator=(const vtkSpanwiseMeshbReader&) = delete;
};

#endif
