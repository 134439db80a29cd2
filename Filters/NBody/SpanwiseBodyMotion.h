#ifndef SpanwiseBodyMotion_h
#define SpanwiseBodyMotion_h

// Bodies of a team on their way, and the frames of it that are kept. Not wrapped and not installed.

#include "SpanwiseParticleSums.h"
#include "SpanwiseParticles.h"
#include "SpanwiseTeam.h"

#include "Core/Runtime/Progress.hpp"
#include "Core/Solvers/NBody/Leapfrog.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace spanwise {

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
  ParticleMethod method = ParticleMethod::Automatic;
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

/// This rank's bodies at some time, component by component.
struct BodyFrame {
  std::vector<double> places;
  std::vector<double> velocities;
  nbody::MotionTotals totals; ///< of the bodies of all ranks
};

/// The lengths and times that follow from the bodies of all ranks where a user gives none:
///
/// - softening: the mean distance d = (diagonal of the bounding box) / (number of bodies)^(1/3), through 30;
/// - time step: 0.2 sqrt(softening / |a|) with the largest acceleration a at the start (as in V. Springel, MNRAS 364,
///   2005, eq. 34), where a Gaussian's width is its softening; without softening 0.02 sqrt(d / |a|); and if nothing is
///   accelerated, 1.
class BodyMotion {
public:
  /// Collective. Bodies at their start, which is frame 0. Throws on all ranks alike.
  BodyMotion(const Team& team, const MotionSettings& settings, BodiesAtStart start, const Progress& progress);
  ~BodyMotion();
  BodyMotion(const BodyMotion&) = delete;
  BodyMotion& operator=(const BodyMotion&) = delete;

  /// Collective. Whether this is the motion of the same bodies with the same settings on as many ranks.
  [[nodiscard]] bool isOf(const Team& team, const MotionSettings& settings, const BodiesAtStart& start) const;

  /// Collective. Computes the frames up to a number that are not there yet, but after one none that is begun later than
  /// `seconds` after the call. Frames that are done before something is thrown, also on cancel, are kept, and the next
  /// call goes on there.
  void moveTo(const Team& team, std::int64_t frame, double seconds, const Progress& progress);

  [[nodiscard]] const std::vector<BodyFrame>& frames() const { return frames_; }
  [[nodiscard]] double timeStep() const { return timeStep_; }
  [[nodiscard]] double softening() const { return softening_; }
  [[nodiscard]] double timeOf(std::int64_t frame) const {
    return static_cast<double>(frame * settings_.stepsPerFrame) * timeStep_;
  }
  /// How forces are summed, in words.
  [[nodiscard]] std::string method() const;

private:
  class State;

  void storeFrame(const Team& team);

  MotionSettings settings_;
  BodiesAtStart start_;
  int numRanks_;
  double softening_ = 0.0;
  double timeStep_ = 0.0;
  std::unique_ptr<State> state_;
  bool isAtLastFrame_ = true; ///< what the state holds
  std::vector<BodyFrame> frames_;
};

} // namespace spanwise

#endif
