#include "Core/Mesh/Kernels.hpp"
#include "Core/Mesh/Records.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/Spaces.hpp"

#include <string>

namespace spanwise::testing {
namespace {

template <class Space>
class MeshRecords : public ::testing::Test {};
TYPED_TEST_SUITE(MeshRecords, AllSpaces, SpaceNames);

struct Material {
  float density;
  std::int32_t kind;
};

struct Mass {
  double mass;
  std::int64_t element;
};

struct Rule {
  double factor = 0.0;
  std::int64_t watched = -1;
  double seen = 0.0;
};

/// Reads a record and parameters, writes a record and a parameter.
struct Weigh {
  const Material* materials;
  double* scratch;
  Mass* masses;
  Rule* rule;

  template <class Element>
  KOKKOS_FUNCTION void operator()(const Element& element) const {
    const std::int64_t e = element.number();
    scratch[e] = rule->factor * materials[e].density;
    masses[e] = {scratch[e] * materials[e].kind, e};
    if (e == rule->watched) {
      rule->seen = masses[e].mass;
    }
  }
};

TYPED_TEST(MeshRecords, TravelToKernelsAndBack) {
  const TypeParam space;
  const HostMesh mesh = gridMesh(ElementType::Hexahedron, 6);
  const MeshOn<TypeParam, double, std::int64_t> on(mesh);
  const std::int64_t count = mesh.numElements();
  const Records<Material, TypeParam> materials("materials", count, Access::In);
  const Records<double, TypeParam> scratch("scratch", count, Access::Internal);
  const Records<Mass, TypeParam> masses("masses", count, Access::Out);
  const ParameterBlock<Rule, TypeParam> rule({0.5, 7, 0.0});
  for (std::int64_t e = 0; e < count; ++e) {
    materials[e] = {static_cast<float>(e), static_cast<std::int32_t>(e % 3)};
  }
  const RuntimeReport before = runtimeReport();
  materials.upload(space);
  rule.upload(space);
  forEachElement(space, on.ofOneType(), Weigh{materials.data(), scratch.data(), masses.data(), rule.data()});
  masses.download(space);
  rule.download(space);
  const RuntimeReport after = runtimeReport();
  for (std::int64_t e = 0; e < count; ++e) {
    EXPECT_EQ(masses[e].mass, 0.5 * static_cast<double>(e) * static_cast<double>(e % 3));
    EXPECT_EQ(masses[e].element, e);
  }
  EXPECT_EQ(rule->seen, 3.5);
  EXPECT_EQ((*rule).watched, 7);
  const std::size_t there = runsOnHost<TypeParam> ? 0 : count * sizeof(Material) + sizeof(Rule);
  const std::size_t back = runsOnHost<TypeParam> ? 0 : count * sizeof(Mass) + sizeof(Rule);
  EXPECT_EQ(after.bytesToDevice - before.bytesToDevice, there);
  EXPECT_EQ(after.bytesToHost - before.bytesToHost, back);
}

TYPED_TEST(MeshRecords, GoOnlyWhereTheyAreMeantTo) {
  const TypeParam space;
  const auto moves = [&](Access access) -> std::string {
    const Records<int, TypeParam> records("records", 3, access);
    std::string result;
    const auto tryTo = [&](char letter, const auto& move) {
      try {
        move();
        result += letter;
      } catch (const InvalidArgument&) {
        result += '-';
      }
    };
    tryTo('h', [&] { records[0] = 1; });
    tryTo('u', [&] { records.upload(space); });
    tryTo('d', [&] { records.download(space); });
    return result;
  };
  EXPECT_EQ(moves(Access::In), "hu-");
  EXPECT_EQ(moves(Access::Out), "h-d");
  EXPECT_EQ(moves(Access::InOut), "hud");
  EXPECT_EQ(moves(Access::Internal), "---");
  const Records<int, TypeParam> three("three", 3, Access::InOut);
  EXPECT_THROW(static_cast<void>(three[3]), InvalidArgument);
  EXPECT_THROW(static_cast<void>(three[-1]), InvalidArgument);
  EXPECT_THROW((Records<int, TypeParam>("less than none", -1, Access::In)), Error);
  const Records<int, TypeParam> none("none", 0, Access::InOut);
  EXPECT_EQ(none.count(), 0);
  none.upload(space);
  none.download(space);
}

} // namespace
} // namespace spanwise::testing
