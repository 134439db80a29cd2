#pragma once

// Tests and benchmarks are of all rooms of Core, and name what is in them without saying which.
namespace spanwise {

namespace field {}
namespace geometry {}
namespace multilevel {}
namespace parallel {}

// NOLINTBEGIN(google-build-using-namespace)
namespace testing {

using namespace field;
using namespace geometry;
using namespace multilevel;
using namespace parallel;

} // namespace testing

namespace benchmarks {

using namespace field;
using namespace geometry;
using namespace multilevel;
using namespace parallel;

} // namespace benchmarks

namespace eikonal::testing {

using namespace field;
using namespace geometry;
using namespace multilevel;
using namespace parallel;

} // namespace eikonal::testing

namespace flow::testing {

using namespace field;
using namespace geometry;
using namespace multilevel;
using namespace parallel;

} // namespace flow::testing

namespace lattice::testing {

using namespace field;
using namespace geometry;
using namespace multilevel;
using namespace parallel;

} // namespace lattice::testing

namespace nbody::testing {

using namespace field;
using namespace geometry;
using namespace multilevel;
using namespace parallel;

} // namespace nbody::testing
// NOLINTEND(google-build-using-namespace)

} // namespace spanwise
