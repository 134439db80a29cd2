#ifndef SpanwiseBodyMotion_h
#define SpanwiseBodyMotion_h

// Bodies of a group on their way. Not wrapped and not installed.

#include "SpanwiseParticleSums.h"
#include "SpanwiseParticles.h"
#include "SpanwiseRankGroup.h"

#include "Core/Parallel/Stepping.hpp"
#include "Core/Runtime/FrameArrays.hpp"
#include "Core/Runtime/KeptFrame.hpp"
#include "Core/Runtime/Progress.hpp"
#include "Core/Solvers/NBody/Leapfrog.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace spanwise {

/// What the report calls it.
inline constexpr const char* motionInReport = "Motion of particles";

/// What bodies do to each other.
enum class BodyInteraction { InverseDistance, Logarithm, Gaussian, Yukawa };

/// How bodies move.
struct MotionSettings {
  BodyInteraction interaction = BodyInteraction::InverseDistance;
  bool softeningIsAutomatic = true;
  double softening = 0.0; ///< of 1 / r; 0: none
  double width = 1.0;     ///< of Gaussians
  double screening = 1.0; ///< of Yukawa's interaction
  double factor = 1.0;    ///< of potentials; - G of gravity
  nbody::SumMethod method = nbody::SumMethod::Automatic;
  double accuracy = 1e-6;         ///< of multipoles
  double timeStep = 0.0;          ///< 0: automatic
  std::int64_t stepsPerFrame = 1; ///< at least 1

  friend bool operator==(const MotionSettings&, const MotionSettings&) = default;
};

/// This rank's bodies at the start.
struct BodiesAtStart {
  std::array<std::vector<double>, 3> places;
  std::array<std::vector<double>, 3> velocities;
  std::vector<double> masses;
  std::vector<double> charges; ///< empty: the masses, unless `hasCharges`
  bool hasCharges = false;

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(masses.size()); }
  friend bool operator==(const BodiesAtStart&, const BodiesAtStart&) = default;
};

/// What a frame takes for each body.
inline constexpr std::int64_t bytesPerBody = 6 * sizeof(double);

/// This rank's bodies at some time, component by component.
struct BodyFrame {
  std::span<const double> places;
  std::span<const double> velocities;
};

/// What is in a frame that a motion has stored, which must outlive it.
[[nodiscard]] BodyFrame bodiesOf(const KeptFrame& frame);

/// The lengths and times that follow from the bodies of all ranks where a user gives none:
///
/// - softening: the mean distance d = (diagonal of the bounding box) / (number of bodies)^(1/3), through 30;
/// - time step: 0.2 sqrt(softening / |a|) with the largest acceleration a at the start (as in V. Springel, MNRAS 364,
///   2005, eq. 34), where a Gaussian's width is its softening; without softening 0.02 sqrt(d / |a|); and if nothing is
///   accelerated, 1.
class BodyMotion {
public:
  /// Collective. Bodies at their start. Throws on all ranks alike.
  BodyMotion(const RankGroup& group, const MotionSettings& settings, BodiesAtStart start, const Progress& progress);
  ~BodyMotion();
  BodyMotion(const BodyMotion&) = delete;
  BodyMotion& operator=(const BodyMotion&) = delete;

  /// Collective. Whether this is the motion of the same bodies with the same settings on as many ranks.
  [[nodiscard]] bool isOf(const RankGroup& group, const MotionSettings& settings, const BodiesAtStart& start) const;

  // Collective. As Stepper has them. The group may be another each time, of as many ranks.
  void advance(const RankGroup& group, const Progress& progress);
  void store(const RankGroup& group, KeptFrame& frame);
  void restore(const RankGroup& group, const KeptFrame& frame, const Progress& progress);
  void storeHistory(std::int64_t number, FrameWriter& to) const;
  void restoreHistory(std::int64_t number, FrameReader& from);

  /// Collective. Puts the bodies at their start onto the host, to be brought to a frame there; false if they are there.
  bool putOnHost(const RankGroup& group, const Progress& progress);

  /// Collective. Which motion this is, for checkpoints: its settings and a checksum of the bodies at the start.
  [[nodiscard]] std::string run(const RankGroup& group) const;

  /// Energies and momenta of the bodies of all ranks at a frame that was stored.
  [[nodiscard]] const nbody::MotionTotals& totals(std::int64_t frame) const {
    return totals_[static_cast<std::size_t>(frame)];
  }
  [[nodiscard]] double timeStep() const { return timeStep_; }
  [[nodiscard]] double softening() const { return softening_; }
  [[nodiscard]] double timeOf(std::int64_t frame) const {
    return static_cast<double>(frame * settings_.stepsPerFrame) * timeStep_;
  }
  /// How forces are summed, in words.
  [[nodiscard]] std::string method() const;

private:
  template <class ExecutionSpace>
  void makeState(const RankGroup& group, const Progress& progress);

  class State;
  template <class ExecutionSpace>
  class StateOn;

  MotionSettings settings_;
  BodiesAtStart start_;
  int numRanks_;
  double softening_ = 0.0;
  double timeStep_ = 0.0;
  std::unique_ptr<State> state_;
  bool isOnHost_ = false;
  std::vector<nbody::MotionTotals> totals_; ///< of each frame
};

/// A motion as Stepping moves it on, with the ranks of a request.
class BodyStepper final : public parallel::Stepper {
public:
  /// Both must outlive this.
  BodyStepper(BodyMotion& motion, const RankGroup& group) : motion_(motion), group_(group) {}

  void advance(const Progress& progress) override { motion_.advance(group_, progress); }
  void store(KeptFrame& frame) override { motion_.store(group_, frame); }
  void restore(const KeptFrame& frame, const Progress& progress) override { motion_.restore(group_, frame, progress); }
  void storeHistory(std::int64_t number, FrameWriter& to) const override { motion_.storeHistory(number, to); }
  void restoreHistory(std::int64_t number, FrameReader& from) override { motion_.restoreHistory(number, from); }

private:
  BodyMotion& motion_;
  const RankGroup& group_;
};

} // namespace spanwise

#endif
