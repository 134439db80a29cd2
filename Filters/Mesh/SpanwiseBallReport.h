#ifndef SpanwiseBallReport_h
#define SpanwiseBallReport_h

// How well vertex balls fit a mesh, as arrays of field data. Not wrapped.

#include "SpanwiseInputMesh.h"

#include "Core/Mesh/BallReport.hpp"

#include <vector>

class vtkFieldData;

namespace spanwise {

class RankGroup;

/// Collective. reportBalls() of the meshes of all ranks together, with as many slots as fit each type: numbers are sums
/// over the ranks, largest degrees their maximum. Each rank has the balls of its own piece, as computations on it have,
/// so a vertex of several pieces counts in each. Throws, on all ranks, what reportBalls() throws on any.
/// O(types * (corners + vertices * slots)).
std::vector<BallReportLine> reportBallsOfAll(const RankGroup& group, const InputMesh& mesh);

/// Adds the lines as arrays of one value a line: Type, Elements, Vertices, Slots, Mean Degree, Largest Degree, Memory
/// (bytes), and in percent of the entries In Base Table, In Overflow Table and Extra Memory (empty slots).
void addBallReport(const std::vector<BallReportLine>& lines, vtkFieldData* fields);

} // namespace spanwise

#endif
