#ifndef CellsOfFile_h
#define CellsOfFile_h

#include "SpanwiseInputCells.h"
#include "SpanwiseRankGroup.h"

#include <vtkSmartPointer.h>

#include <limits>
#include <optional>
#include <string>

class vtkPolyData;
class vtkMultiProcessController;

/// How a file that is not made of intervals becomes cells.
struct FileCells {
  double lower = 0.5; ///< of an image those whose values are within these
  double upper = std::numeric_limits<double>::infinity();
  int resolution = 64;              ///< of a surface: cells along its longest side
  std::optional<double> cellSize{}; ///< of a surface: instead of that
};

/// Whether a file is a surface, to be filled with cells, by its name.
bool isSurfaceFile(const std::string& path);

/// Collective. The cells of a file: an .icsr set, those of an image (.vti) in a range of values, or those inside of a
/// closed surface (.stl, .vtp, .ply), of which `surface` receives this rank's part. Throws Error, with what the reader
/// or filter says, where there are none.
spanwise::InputCells cellsOfFile(const spanwise::RankGroup& group, vtkMultiProcessController* controller,
  const std::string& path, const FileCells& as = {}, vtkSmartPointer<vtkPolyData>* surface = nullptr);

#endif
