#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Solvers/NBody/DirectSums.hpp"
#include "Core/Solvers/NBody/Leapfrog.hpp"
#include "Core/Solvers/NBody/MultipoleSums.hpp"
#include "Core/Solvers/NBody/SumMethod.hpp"

#include <cstdint>

namespace spanwise::nbody {

struct ForceOptions {
  double factor = 1.0; ///< of potentials, and of forces, which are minus their gradients; - G of gravity
  SumMethod method = SumMethod::Automatic;
  double accuracy = 1e-6; ///< of multipoles, relative to sum |q grad k|
};

/// How the forces of so many bodies are summed.
template <class Interaction>
[[nodiscard]] constexpr SumMethod methodOfForces(const ForceOptions& options, bool onHost, std::int64_t numBodies) {
  return chooseMethod<Interaction>({.asked = options.method,
    .onHost = onHost,
    .sums = SumsAre::Repeated,
    .accuracy = options.accuracy,
    .numPairs = static_cast<double>(numBodies) * static_cast<double>(numBodies)});
}

/// The accelerations of bodies by a radial interaction k among them (Interactions.hpp),
///
///     phi_i = factor sum_{j != i} k(|x_i - x_j|) q_j,  a_i = - q_i / m_i grad phi_i,
///
/// with what is needed for that again and again. Where charges are the masses q_i / m_i = 1, and masses may be 0.
/// One object serves one instance of the space at a time.
template <class ExecutionSpace, RadialInteraction Interaction, int Dim>
class BodyForces {
public:
  BodyForces(const Interaction& interaction, const ForceOptions& options)
    : interaction_(interaction), options_(options) {}

  /// Collective. Writes accelerations [axis * count + i] of this rank's bodies by those of all ranks and, unless it is
  /// null, potentials [count], and waits for them. Throws as sumWithin() and multipolesWithin(). O(bodies of a rank *
  /// bodies of all), by multipoles O(bodies); on one rank allocates nothing when it is called again for as many bodies,
  /// but what multipoles need where trees grow.
  void operator()(const Context<ExecutionSpace>& context, const BodiesView<Dim>& bodies, double* accelerations,
    double* potentials = nullptr) {
    SPANWISE_REGION("NBody::BodyForces");
    const SumsView<double> sums{potentials, accelerations, bodies.count};
    const std::int64_t numBodies = context.communicator().reduced(ReduceBy::Sum, bodies.count);
    if (methodOfForces<Interaction>(options_, runsOnHost<ExecutionSpace>, numBodies) == SumMethod::FastMultipole) {
      MultipoleOptions options;
      options.accuracy = options_.accuracy;
      options.potentialFactor = options_.factor;
      options.gradientFactor = -options_.factor;
      const MultipoleReport report = multipolesWithin(context, interaction_, bodies.sources(), sums, options, memory_);
      order_ = report.order;
      instructions_ = report.instructions;
    } else {
      SumOptions options;
      options.potentialFactor = options_.factor;
      options.gradientFactor = -options_.factor;
      const SumReport report = sumWithin(context, interaction_, bodies.sources(), sums, options);
      variant_ = report.variant;
      order_ = 0;
      instructions_ = report.instructions;
    }
    accelerateByCharges(context, bodies, accelerations);
    context.space().fence(SPANWISE_LABEL("NBody::BodyForces"));
  }

  /// How the last forces were summed: the order of multipoles, 0 for direct sums by variant().
  [[nodiscard]] int order() const { return order_; }
  [[nodiscard]] Variant variant() const { return variant_; }
  [[nodiscard]] InstructionSet instructions() const { return instructions_; }

private:
  Interaction interaction_;
  ForceOptions options_;
  MultipoleMemory<Dim, ExecutionSpace> memory_;
  Variant variant_ = Variant::Automatic;
  int order_ = 0;
  InstructionSet instructions_ = InstructionSet::Compiled;
};

} // namespace spanwise::nbody
