#ifndef SpanwiseParticles_h
#define SpanwiseParticles_h

// Points of data sets, or the centres of their cells, as particles with charges. Not wrapped and not installed.

#include "SpanwiseOwnPoints.h"
#include "SpanwiseRankGroup.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

class vtkDataArray;
class vtkDataObject;
class vtkDataSet;
class vtkDataSetAttributes;

namespace spanwise {

/// Coordinates component by component.
struct ParticlePlaces {
  std::vector<double> coordinates[3];

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(coordinates[0].size()); }

  /// Puts what other pieces have where these have it: what lies beside its stand-in by rounding would be pushed by it.
  void put(const std::vector<StandIn>& standIns);
};

/// The points of this rank's data sets of an input, or their cells: those of one data set after the other's.
class ParticleInput {
public:
  /// Collective. Of a data set or of blocks (blocksOf()); `data` may be null. Nothing of the size of the data is taken.
  ParticleInput(const RankGroup& group, vtkDataObject* data, bool onPoints);

  [[nodiscard]] bool onPoints() const { return onPoints_; }
  [[nodiscard]] const std::vector<vtkDataSet*>& pieces() const { return pieces_; }
  /// Points or cells of all pieces, or of one; and where those of a piece begin.
  [[nodiscard]] std::int64_t count() const { return firsts_.back(); }
  [[nodiscard]] std::int64_t count(std::size_t piece) const { return firsts_[piece + 1] - firsts_[piece]; }
  [[nodiscard]] std::int64_t first(std::size_t piece) const { return firsts_[piece]; }
  [[nodiscard]] const std::vector<std::int64_t>& firsts() const { return firsts_; } ///< and the count of all
  [[nodiscard]] std::size_t pieceOf(vtkDataSet* data) const;
  /// The arrays on the points or cells of a data set.
  [[nodiscard]] vtkDataSetAttributes* arraysOf(vtkDataSet* data) const;

  /// Calls work(piece, data set) for all pieces with points or cells; what it throws says which block it is of.
  void forEachPiece(const std::function<void(std::size_t, vtkDataSet*)>& work) const;

  /// Collective. Which of all are not this rank's own; empty: all are. Pieces that blocks are in have points in common.
  /// `standIns` receives where the others of these lie, in the numbers of all (notOwnPoints()).
  [[nodiscard]] NotOwn notOwn(const RankGroup& group, std::vector<StandIn>* standIns = nullptr) const;

private:
  bool onPoints_;
  std::vector<vtkDataSet*> pieces_;
  std::vector<std::string> blocks_;     ///< of each piece, as messages say it
  std::vector<std::size_t> ends_;       ///< of each block, the pieces up to its last
  std::vector<std::int64_t> firsts_{0}; ///< [pieces + 1]
};

/// The points of an input, or the centres of its cells (the means of a cell's parameters, as vtkCellCenters has them),
/// in their order. Throws InvalidArgument where a coordinate is not finite; `what` says whose it is. O(points or
/// cells).
ParticlePlaces placesOf(const ParticleInput& input, const std::string& what);

/// Makes `to` the arrays of an input's points or cells, of those that are its own: those that all its data sets have,
/// and shared where nothing is left out or put together.
void copyOwn(const ParticleInput& input, const NotOwn& notOwn, vtkDataSetAttributes* to);

/// What the charge of a cell is given as.
enum class ChargeMeaning {
  Charge, ///< of the particle
  Density ///< a length, an area or a volume: the charge is the density times the size of the cell
};

/// The charges of all points or cells, component by component: those of the array that `arrayOf` gives for each data
/// set, or 1 each where it gives null; no components where there are no points or cells. Throws InvalidArgument where a
/// charge is not finite, where blocks have other components, or where a density is given for cells that have no size
/// and are not among `notOwn`, or on points.
std::vector<std::vector<double>> chargesOf(const ParticleInput& input,
  const std::function<vtkDataArray*(vtkDataSet*)>& arrayOf, ChargeMeaning meaning, const NotOwn& notOwn);

} // namespace spanwise

#endif
