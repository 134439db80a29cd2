#pragma once

#include <cmath>

namespace spanwise::flow::testing {

/// Density, velocity and pressure in one dimension.
struct GasState {
  double density;
  double velocity;
  double pressure;
};

/// The exact solution of a Riemann problem for an ideal gas (E. F. Toro, Riemann Solvers and Numerical Methods for
/// Fluid Dynamics, chapter 4), by bisection for the pressure between the waves. No vacuum.
class RiemannProblem {
public:
  RiemannProblem(const GasState& left, const GasState& right, double gamma)
    : left_(left), right_(right), gamma_(gamma) {
    double low = 0.0;
    double high = 100.0 * std::fmax(left.pressure, right.pressure);
    for (int k = 0; k < 200; ++k) {
      pressure_ = 0.5 * (low + high);
      const double excess = change(left_, pressure_) + change(right_, pressure_) + right_.velocity - left_.velocity;
      (excess > 0.0 ? high : low) = pressure_;
    }
    velocity_ = 0.5 * (left_.velocity + right_.velocity + change(right_, pressure_) - change(left_, pressure_));
  }

  [[nodiscard]] double pressureBetween() const { return pressure_; }
  [[nodiscard]] double velocityBetween() const { return velocity_; }

  /// The state at x / t.
  [[nodiscard]] GasState at(double speed) const {
    return speed < velocity_ ? beside(left_, speed, -1.0) : beside(right_, speed, 1.0);
  }

private:
  [[nodiscard]] double sound(const GasState& state) const { return std::sqrt(gamma_ * state.pressure / state.density); }

  /// How much the velocity changes through a wave to a pressure.
  [[nodiscard]] double change(const GasState& state, double pressure) const {
    if (pressure > state.pressure) {
      const double a = 2.0 / ((gamma_ + 1.0) * state.density);
      const double b = (gamma_ - 1.0) / (gamma_ + 1.0) * state.pressure;
      return (pressure - state.pressure) * std::sqrt(a / (pressure + b));
    }
    return 2.0 * sound(state) / (gamma_ - 1.0) *
      (std::pow(pressure / state.pressure, (gamma_ - 1.0) / (2.0 * gamma_)) - 1.0);
  }

  /// On the side of the contact where `state` is outside; `sign` is -1 on the left.
  [[nodiscard]] GasState beside(const GasState& state, double speed, double sign) const {
    const double ratio = pressure_ / state.pressure;
    const double c = sound(state);
    const double g = (gamma_ - 1.0) / (gamma_ + 1.0);
    if (ratio > 1.0) { // a shock
      const double shock = state.velocity +
        sign * c * std::sqrt((gamma_ + 1.0) / (2.0 * gamma_) * ratio + (gamma_ - 1.0) / (2.0 * gamma_));
      if (sign * speed > sign * shock) {
        return state;
      }
      return {state.density * (ratio + g) / (g * ratio + 1.0), velocity_, pressure_};
    }
    const double behind = c * std::pow(ratio, (gamma_ - 1.0) / (2.0 * gamma_));
    if (sign * speed > sign * (state.velocity + sign * c)) {
      return state;
    }
    if (sign * speed < sign * (velocity_ + sign * behind)) {
      return {state.density * std::pow(ratio, 1.0 / gamma_), velocity_, pressure_};
    }
    const double velocity = 2.0 / (gamma_ + 1.0) * (-sign * c + 0.5 * (gamma_ - 1.0) * state.velocity + speed);
    const double inside = 2.0 / (gamma_ + 1.0) - sign * g / c * (state.velocity - speed);
    return {state.density * std::pow(inside, 2.0 / (gamma_ - 1.0)), velocity,
      state.pressure * std::pow(inside, 2.0 * gamma_ / (gamma_ - 1.0))};
  }

  GasState left_;
  GasState right_;
  double gamma_;
  double pressure_ = 0.0;
  double velocity_ = 0.0;
};

} // namespace spanwise::flow::testing
