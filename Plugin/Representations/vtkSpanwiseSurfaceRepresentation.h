/**
 * @class vtkSpanwiseSurfaceRepresentation
 * @brief shows grids that carry intervals, and all other data as its superclass does
 *
 * When the plugin is loaded, this is what stands behind Surface, Surface With Edges, Wireframe and Points.
 *
 * A grid that carries intervals is shown exactly as the superclass would show it as long as its surface is small
 * (vtkSpanwiseRenderingSettings); as Surface without a colouring array it is drawn as merged runs, which look
 * the same. A larger grid is drawn at the detail that the view needs: see vtkSpanwiseMapper. Selections and hovering
 * find cells, never runs.
 *
 * The ranks of a server each draw their own part in this way. What a client draws itself is always exact; larger grids
 * report the memory that this would take, so that ParaView leaves them to the server.
 */
#ifndef vtkSpanwiseSurfaceRepresentation_h
#define vtkSpanwiseSurfaceRepresentation_h

#include "spanwiseRepresentationsModule.h"
#include "vtkGeometryRepresentationWithFaces.h"
#include "vtkSmartPointer.h"

#include <string>

class vtkSpanwiseGeometryFilter;
class vtkSpanwiseMapper;
class vtkUnstructuredGrid;

class SPANWISEREPRESENTATIONS_EXPORT vtkSpanwiseSurfaceRepresentation : public vtkGeometryRepresentationWithFaces {
public:
  static vtkSpanwiseSurfaceRepresentation* New();
  vtkTypeMacro(vtkSpanwiseSurfaceRepresentation, vtkGeometryRepresentationWithFaces);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  int ProcessViewRequest(vtkInformationRequestKey* request, vtkInformation* inInfo, vtkInformation* outInfo) override;

  ///@{
  /**
   * Whether cells or merged runs are drawn depends on the type of representation and on what colours it.
   */
  void SetRepresentation(const char* type) override;
  using vtkGeometryRepresentationWithFaces::SetRepresentation;
  void SetInputArrayToProcess(int index, int port, int connection, int association, const char* name) override;
  using vtkGeometryRepresentationWithFaces::SetInputArrayToProcess;
  ///@}

  enum ShadingEnum { FACES = 0, SMOOTH = 1 };
  ///@{
  /**
   * How light falls on grids in 3D that carry intervals: on each face as it is, or as on the smooth surface that the
   * cells stand for, which needs cells and not merged runs. FACES by default.
   */
  void SetShading(int shading);
  vtkGetMacro(Shading, int);
  ///@}

protected:
  vtkSpanwiseSurfaceRepresentation();
  ~vtkSpanwiseSurfaceRepresentation() override;

  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

private:
  vtkSpanwiseSurfaceRepresentation(const vtkSpanwiseSurfaceRepresentation&) = delete;
  void operator=(const vtkSpanwiseSurfaceRepresentation&) = delete;

  bool MergesRuns();
  std::string ColorArrayName(int association);
  bool NeedsEveryArray();
  vtkIdType PolygonsForAClient();
  void SetUpFilter();
  void SetUpMapper(vtkSpanwiseMapper* mapper, bool enabled);
  bool ShowsOwnPiece(vtkDataObject* delivered);
  unsigned long SizeOfPiece();
  void ProvideCoarsePiece(vtkInformation* inInfo);
  vtkSpanwiseGeometryFilter* Filter();

  int Shading = FACES;
  vtkSmartPointer<vtkUnstructuredGrid> Grid; // what the last piece was made of; null if this class did not make it
};

#endif
