#include "SpanwiseArrayList.h"

#include <vtkCellData.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>

#include <gtest/gtest.h>

namespace spanwise::testing {
namespace {

vtkSmartPointer<vtkFloatArray> named(const char* name, int components = 1) {
  auto array = vtkSmartPointer<vtkFloatArray>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(2);
  return array;
}

TEST(ArrayList, GivesArraysInTheirOrderAndNoOthers) {
  const auto first = named("b");
  const auto second = named("a");
  const auto nameless = named(nullptr);
  const vtkMTimeType time = second->GetMTime();
  ArrayList list;
  for (vtkAbstractArray* array : {first.Get(), second.Get(), nameless.Get()}) {
    list.add(array);
  }
  vtkNew<vtkFieldData> data;
  data->AddArray(named("before"));
  list.giveTo(data);
  ASSERT_EQ(data->GetNumberOfArrays(), 3);
  EXPECT_EQ(data->GetAbstractArray(0), first);
  EXPECT_EQ(data->GetAbstractArray(1), second);
  EXPECT_EQ(data->GetAbstractArray(2), nameless);
  EXPECT_EQ(second->GetMTime(), time); // others may have it too
  data->AddArray(named("after"));
  EXPECT_EQ(data->GetNumberOfArrays(), 4);
  ArrayList().giveTo(data);
  EXPECT_EQ(data->GetNumberOfArrays(), 0);
}

TEST(ArrayList, ArraysAreActiveAsTheyAreToBe) {
  ArrayList list;
  list.add(named("scalars"), vtkDataSetAttributes::SCALARS);
  list.add(named("none"));
  list.add(named("vectors", 3), vtkDataSetAttributes::VECTORS);
  vtkNew<vtkCellData> data;
  const unsigned char skipped = data->GetGhostsToSkip();
  ASSERT_NE(skipped, vtkNew<vtkFieldData>()->GetGhostsToSkip());
  list.giveTo(data);
  EXPECT_STREQ(data->GetScalars()->GetName(), "scalars");
  EXPECT_STREQ(data->GetVectors()->GetName(), "vectors");
  EXPECT_EQ(data->GetNormals(), nullptr);
  EXPECT_EQ(data->GetGhostsToSkip(), skipped);
}

TEST(ArraysByName, FindsTheFirstOfAName) {
  const auto first = named("a");
  const auto second = named("a");
  ArrayList list;
  for (const auto& array : {first, second, named(nullptr), named(""), named("b")}) {
    list.add(array);
  }
  vtkNew<vtkFieldData> data;
  list.giveTo(data);
  const ArraysByName arrays(data);
  EXPECT_EQ(arrays.find("a"), first);
  EXPECT_EQ(arrays.find("b"), data->GetAbstractArray(4));
  EXPECT_EQ(arrays.find("c"), nullptr);
  EXPECT_EQ(arrays.find(""), nullptr);
  EXPECT_EQ(arrays.find(nullptr), nullptr);
}

} // namespace
} // namespace spanwise::testing
