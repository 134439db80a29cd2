#ifndef SpanwiseFrontSources_h
#define SpanwiseFrontSources_h

// Where fronts start, from what people give. Not wrapped and not installed.

#include "SpanwiseRankGroup.h"
#include "SpanwiseUpload.h"

#include "Core/Solvers/Eikonal/Sources.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

class vtkDataArray;
class vtkDataSet;
class vtkFieldData;

namespace spanwise {

/// What stands at a place of lists that are thought one behind the other; -1 stays, and behind them all the places go
/// on from 0.
[[nodiscard]] std::int64_t numberIn(std::initializer_list<const std::vector<std::int64_t>*> lists, std::int64_t place);

/// Sources in the host's memory.
struct FrontSources {
  std::vector<std::int64_t> vertices;
  std::vector<double> vertexTimes;
  std::vector<std::int64_t> elements;
  std::vector<double> elementTimes;
  std::vector<std::int64_t> elementNumbers; ///< what people call the elements; empty: as they are numbered
  std::vector<double> points;               ///< 3 a point
  std::vector<double> pointTimes;
  std::vector<std::int64_t> pointNumbers; ///< as they were given, one rank's after the other's
  std::vector<double> surfacePoints;      ///< 3 a point
  std::vector<std::int64_t> triangles;    ///< 3 a triangle; two the same: a segment
  std::vector<double> triangleTimes;
  std::vector<std::int64_t> triangleNumbers; ///< as they were given; empty: as they are numbered
  double reach = 0.0;                        ///< how far points may be from a triangle's plane

  /// What people call the source that Core numbers so: its point or cell in the mesh, or its number among the points or
  /// triangles that were given. -1 stays.
  [[nodiscard]] std::int64_t numberOf(std::int64_t source) const;
};

/// What the values of an array on a mesh say about fronts.
enum class SourceArray {
  Marks, ///< fronts start at 0 where a value is not 0
  Times  ///< fronts start at finite values
};

/// The vertices, or elements, that an array on points, or cells, makes sources. Throws InvalidArgument unless it has
/// one component.
void addSources(FrontSources& sources, vtkDataArray* array, bool onPoints, SourceArray meaning);

/// The numbers of the points or cells of an input where its array of this name is not 0; none where there is no name.
/// `arrays` are on `count` of `what`, "point" or "cell". Throws InvalidArgument where there is no such array of one
/// component, or it has another length.
std::vector<std::int64_t> regionOf(
  vtkFieldData* arrays, const std::string& name, std::int64_t count, const std::string& what);

/// What messages call the data set that sources are in.
inline constexpr const char* sourceInput = "second input (Source Input)";

/// The times of the points or cells (`what`) of a second input from its array of this name; null where there is no
/// name: all start at 0. Throws InvalidArgument where there is no such array.
vtkSmartPointer<vtkDoubleArray> timesOf(vtkFieldData* arrays, const std::string& name, const char* what);

/// Collective. The points of a data set, those of all ranks, each once (notOwnPoints()), with times from a point array
/// of this name; no name: all at 0. Throws InvalidArgument where there is no such array.
void addPoints(const RankGroup& group, FrontSources& sources, vtkDataSet* data, const std::string& timesName);

/// Collective. The triangles, quadrilaterals, lines and poly-lines of a data set, with times from a cell array of this
/// name.
void addSurface(const RankGroup& group, FrontSources& sources, vtkDataSet* data, const std::string& timesName);

/// Collective. Moves points that are beside the cells of a mesh, by at most `reach`, to the nearest place in a cell of
/// any rank. All ranks have the same points; `mesh` may be null. O(cells + points log cells).
void moveIntoMesh(const RankGroup& group, FrontSources& sources, vtkDataSet* mesh, double reach);

/// The squared distance of a point from a place, and the place.
inline constexpr std::size_t placeValues = 4;

/// Collective. Moves points to the nearest of the places that ranks have found: nearest[placeValues * k] of point k,
/// with an infinite distance where there is none. Points that have none stay where they are.
void moveToNearest(const RankGroup& group, FrontSources& sources, const std::vector<double>& nearest);

/// Sources where Core reads them on a side. `sources` must live as long as this.
class UploadedSources {
public:
  UploadedSources(ComputeSide side, const FrontSources& sources);
  [[nodiscard]] eikonal::Sources view() const { return view_; }

private:
  Upload<std::int64_t> vertices_;
  Upload<double> vertexTimes_;
  Upload<std::int64_t> elements_;
  Upload<double> elementTimes_;
  Upload<double> points_;
  Upload<double> pointTimes_;
  Upload<double> surfacePoints_;
  Upload<std::int64_t> triangles_;
  Upload<double> triangleTimes_;
  eikonal::Sources view_;
};

} // namespace spanwise

#endif
