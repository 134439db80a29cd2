#pragma once

// What sums by multipoles on ranks need whatever the interaction is: a rank's part of all points, and what is essential
// of the others.

#include "Core/Parallel/Messenger.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/NBody/CurveCut.hpp"
#include "Core/Solvers/NBody/EssentialTree.hpp"
#include "Core/Solvers/NBody/InstructionSet.hpp"
#include "Core/Solvers/NBody/PointMove.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace spanwise::nbody::detail {

/// Columns of numbers, one after the other.
template <class Real>
class RankColumns {
public:
  void resize(int numColumns, std::int64_t length) {
    length_ = length;
    numColumns_ = numColumns;
    values_.resize(static_cast<std::size_t>(numColumns * length));
  }
  [[nodiscard]] int numColumns() const { return numColumns_; }
  [[nodiscard]] std::int64_t length() const { return length_; }
  [[nodiscard]] Real* column(int c) { return values_.data() + c * length_; }
  [[nodiscard]] const Real* column(int c) const { return values_.data() + c * length_; }

  /// The first columns as coordinates, those after as charges, from row `first` on.
  template <int Dim>
  [[nodiscard]] PointsView<Dim, Real> points(std::int64_t first) const {
    PointsView<Dim, Real> view;
    view.count = length_ - first;
    for (int axis = 0; axis < Dim; ++axis) {
      view.coordinates[axis] = column(axis) + first;
    }
    return view;
  }
  template <int Dim>
  [[nodiscard]] SourcesView<Dim, Real> sources(std::int64_t first) const {
    return {points<Dim>(first), column(Dim) + first, length_};
  }

private:
  std::vector<Real> values_;
  std::int64_t length_ = 0;
  int numColumns_ = 0;
};

/// What is to be summed; the same on all ranks.
struct RankSums {
  bool within = false;
  bool ofDipoles = false;
  int numCharges = 1; ///< columns of all right-hand sides
  int numSides = 1;
  int order = 0;
  std::int64_t maxInLeaf = 0;
  double accuracy = 0.0;
  InstructionSet instructions = InstructionSet::Avx512;
  bool sendsNodes = true; ///< of boxes that are far; otherwise all that is essential goes as points
  RootSides rootSides = RootSides::SixteenAnOctave; ///< of all trees
  std::optional<PeriodicBox> box;                   ///< the root of all trees

  [[nodiscard]] std::int64_t numNodes(int dimension) const {
    return std::int64_t{order} * order * (dimension == 3 ? order : 1);
  }
};

/// Sources as columns: coordinates, then charges. The first two have no charge, and lie where all ranks' points begin
/// and end along the axes, or where a periodic box does: a tree over them has the root that the trees of all ranks
/// have, so that nodes of a box of one tree are in a box of another.
template <int Dim, class Real>
struct RankSources {
  static constexpr std::int64_t numCorners = 2;
  RankColumns<Real> columns;

  void resize(int numCharges, std::int64_t count, const RankBounds<Dim>& bounds) {
    columns.resize(Dim + numCharges, numCorners + count);
    for (int c = 0; c < Dim + numCharges; ++c) {
      columns.column(c)[0] = c < Dim ? static_cast<Real>(bounds.low[c]) : Real(0);
      columns.column(c)[1] = c < Dim ? static_cast<Real>(bounds.high[c]) : Real(0);
    }
  }
  /// Those from `first` on, corners counted.
  [[nodiscard]] SourcesView<Dim, Real> from(std::int64_t first) const { return columns.template sources<Dim>(first); }
  [[nodiscard]] std::int64_t count() const { return columns.length() - numCorners; }
};

/// Particles of a rank's part of the curve, on the host. Public functions are collective, and throw on all ranks alike
/// but for lack of memory where it says so.
template <class ExecutionSpace, int Dim, class Real>
class RankParticles {
public:
  /// Of the ranks of a call: before anything else of it.
  void begin(const Communicator& communicator) {
    communicator_ = &communicator;
    messenger_ = std::make_unique<parallel::Messenger<ExecutionSpace>>(communicator);
  }
  /// After all else: the ranks may go.
  void end() {
    messenger_.reset();
    communicator_ = nullptr;
  }

  /// Brings points, wrapped into a periodic box, to the ranks of their parts. With parts of as many points first; where
  /// work, as their trees have it, would be more uneven than 1.1, with parts of equal work.
  void distribute(
    const ExecutionSpace& space, const RankSums& sums, PointsView<Dim, Real> targets, SourcesView<Dim, Real> sources);

  /// Finds what other ranks need of this one's sources and sends it.
  void startEssential(const ExecutionSpace& space, const RankSums& sums);
  /// Waits for what this rank needs of others'. May throw for lack of memory.
  void finishEssential(const ExecutionSpace& space) { messenger_->finish(space); }

  /// Brings sums at this rank's targets, in columns, back to where these came from.
  void bringBack(const ExecutionSpace& space, const RankColumns<Real>& sums, const std::vector<Real*>& to, bool adds);

  [[nodiscard]] const RankBounds<Dim>& bounds() const { return bounds_; }
  [[nodiscard]] double imbalance() const { return imbalance_; }
  [[nodiscard]] std::int64_t numMoved() const { return numMoved_; }
  [[nodiscard]] std::int64_t numEssentialPoints() const { return numEssential_[0]; }
  [[nodiscard]] std::int64_t numEssentialNodes() const { return numEssential_[1]; }
  [[nodiscard]] const parallel::MessageReport& messages() const { return messenger_->report(); }

  [[nodiscard]] PointsView<Dim, Real> targets() const {
    return targets_.numColumns() == 0 ? sources().points : targets_.template points<Dim>(0);
  }
  /// This rank's own.
  [[nodiscard]] SourcesView<Dim, Real> sources() const { return own_.from(own_.numCorners); }
  /// What is essential of others, after this rank's own if these are not summed apart (`within`), with the corners: of
  /// dipoles sources alone, else nodes too.
  [[nodiscard]] SourcesView<Dim, Real> essential() const { return others_[0].from(0); }
  /// The nodes that are charges, where sources are dipoles.
  [[nodiscard]] SourcesView<Dim, Real> essentialNodes() const { return others_[1].from(0); }

private:
  void move(const ExecutionSpace& space, const RankSums& sums, const PointsView<Dim, Real>& targets,
    const SourcesView<Dim, Real>& sources);
  double findWork(const RankSums& sums);
  void fillSends(const ExecutionSpace& space, const RankSums& sums);

  const Communicator* communicator_ = nullptr;
  std::unique_ptr<parallel::Messenger<ExecutionSpace>> messenger_;
  Workspace<Kokkos::HostSpace> workspace_;
  RankBounds<Dim> bounds_;
  CurvePoints sourceCurve_, targetCurve_;
  PointMove<ExecutionSpace> sourceMove_, targetMove_;
  RankSources<Dim, Real> own_;
  RankColumns<Real> targets_; ///< where they are not the sources
  PointTree<Dim, Kokkos::HostSpace> tree_;
  std::vector<std::int64_t> sourceWork_, targetWork_;
  std::vector<EssentialBoxes> forRanks_;
  std::array<RankColumns<Real>, 2> sends_; ///< as others_, rank by rank
  std::array<RankSources<Dim, Real>, 2> others_;
  std::array<std::int64_t, 2> numEssential_{};
  std::int64_t numMoved_ = 0;
  double imbalance_ = 1.0;
};

} // namespace spanwise::nbody::detail
