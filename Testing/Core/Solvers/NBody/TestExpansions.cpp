#include "Core/Solvers/NBody/Detail/Chebyshev.hpp"
#include "Core/Solvers/NBody/Detail/ChooseExpansions.hpp"
#include "Core/Solvers/NBody/Detail/FarOperators.hpp"
#include "Core/Solvers/NBody/Detail/LowRank.hpp"
#include "Core/Solvers/NBody/Detail/MultipoleSteps.hpp"
#include "Testing/Core/Solvers/NBody/Particles.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>
#include <new>

namespace spanwise::nbody::testing {
namespace {

using detail::BoxFrame;

/// T_m(x) and its derivative, by their definition.
double polynomial(int m, double x) { return std::cos(m * std::acos(x)); }
double slope(int m, double x) { return m * std::sin(m * std::acos(x)) / std::sqrt(1.0 - x * x); }

/// T_a(x) T_b(y) T_c(z) of coefficient k, or its derivative along an axis.
template <int Dim>
double product(int k, int order, const double* x, int derivedAlong = -1) {
  double result = 1.0;
  for (int axis = 0; axis < Dim; ++axis, k /= order) {
    result *= axis == derivedAlong ? slope(k % order, x[axis]) : polynomial(k % order, x[axis]);
  }
  return result;
}

template <int Dim, class Real>
struct Cloud {
  static constexpr std::int64_t count = 37; // no multiple of any vector
  std::array<Column<Real>, Dim> points;
  Column<Real> charges;
  BoxFrame<Dim, Real> frame{};

  explicit Cloud(std::mt19937& random) {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    frame.scale = Real(8); // a box of a side of 1 / 4
    for (int axis = 0; axis < Dim; ++axis) {
      const double centre = 3.0 * uniform(random);
      frame.centre[axis] = static_cast<Real>(centre);
      frame.centreRest[axis] = static_cast<Real>(centre - static_cast<double>(frame.centre[axis]));
      for (std::int64_t i = 0; i < count; ++i) {
        points[axis].push_back(static_cast<Real>(centre + 0.12 * uniform(random)));
      }
    }
    for (std::int64_t i = 0; i < Dim * count; ++i) {
      charges.push_back(static_cast<Real>(uniform(random)));
    }
  }
  /// Where a point is in the box.
  [[nodiscard]] std::array<double, Dim> within(std::int64_t i) const {
    std::array<double, Dim> x{};
    for (int axis = 0; axis < Dim; ++axis) {
      x[axis] = (static_cast<double>(points[axis][i]) - frame.centre[axis] - frame.centreRest[axis]) * frame.scale;
    }
    return x;
  }
};

/// Errors of a few last bits of sums of so many terms.
template <class Real>
double allowedFor(double terms) {
  return 50.0 * terms * static_cast<double>(std::numeric_limits<Real>::epsilon());
}

template <int Dim, class Real>
void expectMoments(InstructionSet most, int order) {
  std::mt19937 random(seed());
  const Cloud<Dim, Real> cloud(random);
  const auto kernels = detail::chooseExpansions<Dim, Real>(most);
  const int numCoefficients = static_cast<int>(std::pow(order, Dim) + 0.5);
  detail::MomentTask<Dim, Real> task{};
  for (int axis = 0; axis < Dim; ++axis) {
    task.points[axis] = cloud.points[axis].data();
  }
  task.charges = cloud.charges.data();
  task.chargeStride = cloud.count;
  task.begin = 3;
  task.end = cloud.count;
  task.frame = cloud.frame;
  task.order = order;
  for (const bool ofDipoles : {false, true}) {
    Column<Real> moments(numCoefficients, Real(1)); // what is there is kept
    task.moments = moments.data();
    (ofDipoles ? kernels.addDipoleMoments : kernels.addMoments)(task);
    for (int k = 0; k < numCoefficients; ++k) {
      double expected = 1.0;
      for (std::int64_t i = 3; i < cloud.count; ++i) {
        const auto x = cloud.within(i);
        for (int c = 0; c < (ofDipoles ? Dim : 1); ++c) {
          const double q = cloud.charges[c * cloud.count + i];
          expected += ofDipoles ? q * cloud.frame.scale * product<Dim>(k, order, x.data(), c)
                                : q * product<Dim>(k, order, x.data());
        }
      }
      ASSERT_NEAR(moments[k], expected, allowedFor<Real>(ofDipoles ? 100.0 * order * order : 40.0 * order))
        << "moment " << k << " of order " << order << (ofDipoles ? " of dipoles" : "");
    }
  }
}

template <int Dim, class Real>
void expectValues(InstructionSet most, int order) {
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const Cloud<Dim, Real> cloud(random);
  const auto kernels = detail::chooseExpansions<Dim, Real>(most);
  const int numCoefficients = static_cast<int>(std::pow(order, Dim) + 0.5);
  Column<Real> coefficients;
  double size = 0.0;
  for (int k = 0; k < numCoefficients; ++k) {
    coefficients.push_back(static_cast<Real>(uniform(random)));
    size += std::abs(static_cast<double>(coefficients.back()));
  }
  for (const bool withGradient : {false, true}) {
    const int columns = withGradient ? 1 + Dim : 1;
    detail::ValueTask<Dim, Real> task{};
    for (int axis = 0; axis < Dim; ++axis) {
      task.points[axis] = cloud.points[axis].data();
    }
    task.begin = 2;
    task.end = cloud.count;
    task.frame = cloud.frame;
    task.order = order;
    task.coefficients = coefficients.data();
    Column<Real> sums((task.end - task.begin) * columns, Real(1));
    task.sums = sums.data();
    task.columns = columns;
    task.potentialColumn = 0;
    task.gradientColumn = withGradient ? 1 : -1;
    kernels.addValues(task);
    for (std::int64_t i = task.begin; i < task.end; ++i) {
      const auto x = cloud.within(i);
      for (int column = 0; column < columns; ++column) {
        double expected = 1.0;
        for (int k = 0; k < numCoefficients; ++k) {
          expected += coefficients[k] *
            (column == 0 ? product<Dim>(k, order, x.data())
                         : cloud.frame.scale * product<Dim>(k, order, x.data(), column - 1));
        }
        ASSERT_NEAR(sums[(i - task.begin) * columns + column], expected,
          allowedFor<Real>(size * (column == 0 ? 1.0 : 8.0 * order * order)))
          << "column " << column << ", order " << order;
      }
    }
  }
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
/// The build compiles for all sets there, so that the processor alone says which are used.
TEST(InstructionSets, AreThoseOfTheProcessor) {
  const bool hasAvx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
    __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("f16c") != 0 &&
    __builtin_cpu_supports("lzcnt") != 0 && __builtin_cpu_supports("movbe") != 0;
  const bool hasAvx512 = hasAvx2 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
    __builtin_cpu_supports("avx512cd") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
    __builtin_cpu_supports("avx512vl") != 0;
  EXPECT_EQ(bestInstructionSet(),
    hasAvx512   ? InstructionSet::Avx512
      : hasAvx2 ? InstructionSet::Avx2
                : InstructionSet::Compiled);
}
#endif

TEST(Expansions, AreMadeOfTheInstructionsThatAreAskedFor) {
  for (const InstructionSet most : instructionSets()) {
    EXPECT_EQ((detail::chooseExpansions<2, float>(most).instructions), most);
    EXPECT_EQ((detail::chooseExpansions<2, double>(most).instructions), most);
    EXPECT_EQ((detail::chooseExpansions<3, float>(most).instructions), most);
    EXPECT_EQ((detail::chooseExpansions<3, double>(most).instructions), most);
  }
}

TEST(Expansions, HaveTheMomentsAndValuesOfTheirDefinition) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const InstructionSet most : instructionSets()) {
    SCOPED_TRACE(std::string(instructionSetName(most)));
    for (const int order : {1, 2, 3, 6, 9}) {
      expectMoments<2, double>(most, order);
      expectMoments<3, double>(most, order);
      expectMoments<3, float>(most, order);
      expectValues<2, double>(most, order);
      expectValues<3, double>(most, order);
      expectValues<3, float>(most, order);
    }
    expectMoments<2, double>(most, detail::maxOrder);
    expectValues<2, double>(most, detail::maxOrder);
  }
}

/// T_m on the upper and lower half of its interval.
TEST(Expansions, MoveToHalvesExactly) {
  constexpr int order = 12;
  for (const bool isUpper : {false, true}) {
    const auto matrix = detail::chebyshevOfHalf(order, isUpper);
    for (const double x : {-0.99, -0.3, 0.0, 0.7, 1.0}) {
      for (int m = 0; m < order; ++m) {
        double sum = 0.0;
        for (int k = 0; k < order; ++k) {
          sum += matrix[m * order + k] * polynomial(k, x);
        }
        ASSERT_NEAR(sum, polynomial(m, 0.5 * x + (isUpper ? 0.5 : -0.5)), 1e-12);
      }
    }
  }
}

template <class Real>
void expectProduct(InstructionSet most, std::int64_t rows, std::int64_t columns, std::int64_t inner, bool adds) {
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto fill = [&](std::int64_t count) {
    Column<Real> values(count);
    std::generate(values.begin(), values.end(), [&] { return static_cast<Real>(uniform(random)); });
    return values;
  };
  const std::int64_t padded = detail::paddedLength<Real>(rows);
  const auto a = fill(padded * inner);
  const auto b = fill((inner + 3) * columns);
  auto c = fill((padded + detail::paddingOf<Real>)*columns);
  const auto before = c;
  detail::chooseExpansions<3, Real>(most).multiply(
    {padded, columns, inner, a.data(), padded, b.data(), inner + 3, c.data(), padded + detail::paddingOf<Real>, adds});
  for (std::int64_t n = 0; n < columns; ++n) {
    for (std::int64_t m = 0; m < padded + detail::paddingOf<Real>; ++m) {
      const std::size_t at = n * (padded + detail::paddingOf<Real>)+m;
      double expected = adds || m >= padded ? before[at] : 0.0;
      for (std::int64_t k = 0; k < inner && m < padded; ++k) {
        expected += static_cast<double>(a[k * padded + m]) * b[n * (inner + 3) + k];
      }
      ASSERT_NEAR(c[at], expected, allowedFor<Real>(static_cast<double>(inner + 1)));
    }
  }
}

TEST(Expansions, MultiplyMatrices) {
  for (const InstructionSet most : instructionSets()) {
    for (const std::int64_t rows : {1, 8, 30, 100}) {
      for (const std::int64_t columns : {1, 5, 16, 23}) {
        for (const std::int64_t inner : {0, 1, 40}) {
          expectProduct<double>(most, rows, columns, inner, false);
          expectProduct<double>(most, rows, columns, inner, true);
          expectProduct<float>(most, rows, columns, inner, false);
        }
      }
    }
  }
}

/// A matrix of singular values 10^-k: few columns are within the tolerance of it.
TEST(Expansions, FindLowRanks) {
  std::mt19937 random(seed());
  std::normal_distribution<double> normal;
  constexpr std::int64_t rows = 40;
  constexpr std::int64_t columns = 70;
  detail::Dense a(rows, columns);
  for (int k = 0; k < 12; ++k) {
    std::array<double, rows> u;
    std::array<double, columns> v;
    std::generate(u.begin(), u.end(), [&] { return normal(random); });
    std::generate(v.begin(), v.end(), [&] { return normal(random); });
    for (std::int64_t c = 0; c < columns; ++c) {
      for (std::int64_t r = 0; r < rows; ++r) {
        a.column(c)[r] += std::pow(10.0, -k) * u[r] * v[c];
      }
    }
  }
  const auto multiply = detail::chooseExpansions<3, double>(InstructionSet::Avx512).multiply;
  for (const double tolerance : {1e-3, 1e-7}) {
    detail::Dense overwritten = a;
    const detail::LowRank factors = detail::pivotedFactors(multiply, overwritten, tolerance, true);
    EXPECT_LE(factors.q.columns, tolerance > 1e-5 ? 6 : 10);
    for (std::int64_t c = 0; c < columns; ++c) {
      double square = 0.0;
      for (std::int64_t r = 0; r < rows; ++r) {
        double value = a.column(c)[r];
        for (std::int64_t k = 0; k < factors.q.columns; ++k) {
          value -= factors.q.column(k)[r] * factors.r.column(k)[c];
        }
        square += value * value;
      }
      ASSERT_LE(std::sqrt(square), 1.01 * tolerance);
    }
    for (std::int64_t k = 0; k < factors.q.columns; ++k) {
      for (std::int64_t l = 0; l <= k; ++l) {
        double dot = 0.0;
        for (std::int64_t r = 0; r < rows; ++r) {
          dot += factors.q.column(k)[r] * factors.q.column(l)[r];
        }
        ASSERT_NEAR(dot, k == l ? 1.0 : 0.0, 1e-13);
      }
    }
  }
}

void inverseValues(const std::byte* /*parameters*/, const double* r2, double* values, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    values[i] = 1.0 / std::sqrt(r2[i]);
  }
}

/// A charge anywhere in a box makes its potential anywhere in a box that is not adjacent, whichever way it lies.
template <int Dim>
void expectFarPotentials() {
  constexpr int order = 7;
  constexpr double side = 0.5;
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  detail::RadialFunction function;
  function.values = inverseValues;
  const auto operators = detail::farOperators<Dim, double>(function, order, side, 1e-6);
  const auto again = detail::farOperators<Dim, double>(function, order, side, 1e-6);
  EXPECT_EQ(operators, again) << "they are kept";
  const std::int64_t size = detail::paddedLength<double>(operators->basisSize);
  const std::int64_t numCoefficients = operators->numCoefficients;
  const std::int64_t padded = detail::paddedLength<double>(numCoefficients);
  int numOffsets = 1;
  for (int axis = 0; axis < Dim; ++axis) {
    numOffsets *= 7;
  }
  for (int number = 0; number < numOffsets; ++number) {
    std::array<int, Dim> t{};
    int of = 0;
    int turned = 0;
    bool isFar = false;
    for (int axis = 0, rest = number; axis < Dim; ++axis, rest /= 7) {
      t[axis] = rest % 7 - 3;
      of |= std::abs(t[axis]) << (2 * axis);
      turned |= static_cast<int>(t[axis] < 0) << axis;
      isFar |= std::abs(t[axis]) > 1;
    }
    const auto& matrices = operators->classes[of];
    EXPECT_EQ(matrices.rank > 0, isFar);
    if (!isFar) {
      continue;
    }
    const std::int64_t rank = detail::paddedLength<double>(matrices.rank);
    std::array<double, Dim> x{};
    std::array<double, Dim> y{};
    double r2 = 0.0;
    for (int axis = 0; axis < Dim; ++axis) {
      x[axis] = uniform(random);
      y[axis] = uniform(random);
      r2 += std::pow(0.5 * side * (x[axis] - y[axis]) - side * t[axis], 2);
    }
    std::vector<double> ofSource;
    std::vector<double> ofTarget;
    for (int m = 0; m < numCoefficients; ++m) {
      ofSource.push_back(product<Dim>(m, order, y.data()));
      ofTarget.push_back(product<Dim>(m, order, x.data()));
    }
    std::vector<double> inBasis(size, 0.0);
    for (std::int64_t k = 0; k < operators->basisSize; ++k) {
      for (std::int64_t m = 0; m < numCoefficients; ++m) {
        inBasis[k] += operators->signs[turned * size + k] * operators->toBasis[m * size + k] * ofSource[m];
      }
    }
    std::vector<double> directions(size, 0.0);
    for (std::int64_t k = 0; k < operators->basisSize; ++k) {
      for (std::int64_t m = 0; m < numCoefficients; ++m) {
        directions[k] += operators->signs[turned * size + k] * operators->fromBasis[k * padded + m] * ofTarget[m];
      }
    }
    double potential = 0.0;
    for (std::int64_t r = 0; r < matrices.rank; ++r) {
      double reached = 0.0;
      double made = 0.0;
      for (std::int64_t k = 0; k < operators->basisSize; ++k) {
        reached += matrices.source[k * rank + r] * inBasis[k];
        made += matrices.target[r * size + k] * directions[k];
      }
      potential += made * reached;
    }
    ASSERT_NEAR(potential * std::sqrt(r2), 1.0, 1e-4) << "offset " << number;
  }
}

TEST(Expansions, ReachBoxesThatAreFar) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectFarPotentials<2>();
  expectFarPotentials<3>();
}

/// The function of an interaction that lies where all bytes were `before`.
template <class Interaction>
detail::RadialFunction functionWhere(unsigned char before, const Interaction& interaction) {
  alignas(Interaction) unsigned char memory[sizeof(Interaction)];
  std::fill_n(memory, sizeof(Interaction), before);
  return detail::radialFunctionOf(*new (memory) Interaction(interaction));
}

/// Operators are found again by the interaction's values, whatever was in its memory before.
TEST(Expansions, OperatorsAreKeptForTheSameInteraction) {
  EXPECT_EQ(functionWhere(0x00, InverseDistance()), functionWhere(0xff, InverseDistance()));
  EXPECT_EQ(functionWhere(0x00, Logarithm()), functionWhere(0xff, Logarithm()));
  EXPECT_EQ(functionWhere(0x00, Yukawa{2.0}), functionWhere(0xff, Yukawa{2.0}));
  EXPECT_NE(functionWhere(0x00, Yukawa{2.0}), functionWhere(0x00, Yukawa{3.0}));
  EXPECT_NE(functionWhere(0x00, InverseDistance()), functionWhere(0x00, Logarithm()));
}

} // namespace
} // namespace spanwise::nbody::testing
