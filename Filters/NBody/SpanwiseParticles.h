#ifndef SpanwiseParticles_h
#define SpanwiseParticles_h

// Points of a data set, or the centres of its cells, as particles with charges. Not wrapped and not installed.

#include <cstdint>
#include <string>
#include <vector>

class vtkDataArray;
class vtkDataSet;

namespace spanwise {

/// Coordinates component by component.
struct ParticlePlaces {
  std::vector<double> coordinates[3];

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(coordinates[0].size()); }
};

/// The points of a data set, or the centres of its cells (the means of a cell's parameters, as vtkCellCenters has
/// them), in their order. Null: none. Throws InvalidArgument where a coordinate is not finite; `what` says whose it is.
/// O(points or cells).
ParticlePlaces placesOf(vtkDataSet* data, bool onPoints, const std::string& what);

/// Which points or cells of a data set are its own: not 0 where vtkGhostType marks one as a duplicate or hidden. Empty:
/// all of them are.
std::vector<std::uint8_t> notOwn(vtkDataSet* data, bool onPoints);

/// What the charge of a cell is given as.
enum class ChargeMeaning {
  Charge, ///< of the particle
  Density ///< a length, an area or a volume: the charge is the density times the size of the cell
};

/// The charges of all points or cells, component by component: an array's, or 1 each where there is none; no components
/// where there are no points or cells. Throws
/// InvalidArgument where a charge is not finite, or where a density is given for cells that have no size, or on points.
std::vector<std::vector<double>> chargesOf(
  vtkDataSet* data, vtkDataArray* charges, bool onPoints, ChargeMeaning meaning);

} // namespace spanwise

#endif
