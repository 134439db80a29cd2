#pragma once

#include "SpanwiseBridge.h"
#include "SpanwiseIntervalGrid.h"
#include "SpanwiseMirroredArray.h"
#include "SpanwiseSide.h"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace spanwise::testing {

/// Forces a side for as long as it lives.
class Forced {
public:
  explicit Forced(SideChoice side) : before_(sideChoice()) { setSideChoice(side); }
  ~Forced() { setSideChoice(before_); }
  Forced(const Forced&) = delete;
  Forced& operator=(const Forced&) = delete;

private:
  SideChoice before_;
};

/// Whether an array has a copy on the host, or lies there.
inline bool isOnHost(vtkAbstractArray* array) {
  bool found = !isOnDevice(array);
  withMirroredType(array->GetDataType(), [&]<class T>() {
    if (const MirroredValues<T>* values = mirroredValues<T>(array)) {
      found = values->isOnHost();
    }
  });
  return found;
}

/// All that the report says of an operation on a side.
inline SideNote notesOf(const std::string& operation, ComputeSide side) {
  SideNote all{operation, side, ""};
  for (const SideNote& note : sideNotes()) {
    if (note.operation == operation && note.side == side) {
      all.count += note.count;
      all.seconds += note.seconds;
    }
  }
  return all;
}

/// Expects the same values. Where a thread of the host stands in for the device they have the same bits; a device has
/// operations in one step, and may be off by `bound` of the largest value.
inline void expectSameArray(vtkDataArray* a, vtkDataArray* b, double bound) {
  ASSERT_NE(b, nullptr) << a->GetName();
  ASSERT_EQ(a->GetDataType(), b->GetDataType()) << a->GetName();
  ASSERT_EQ(a->GetNumberOfComponents(), b->GetNumberOfComponents()) << a->GetName();
  ASSERT_EQ(a->GetNumberOfTuples(), b->GetNumberOfTuples()) << a->GetName();
  double largest = 0.0;
  for (int c = 0; haveDevice && c < a->GetNumberOfComponents(); ++c) {
    double range[2];
    a->GetFiniteRange(range, c);
    largest = std::max({largest, std::abs(range[0]), std::abs(range[1])});
  }
  for (vtkIdType t = 0; t < a->GetNumberOfTuples(); ++t) {
    for (int c = 0; c < a->GetNumberOfComponents(); ++c) {
      const double p = a->GetComponent(t, c);
      const double q = b->GetComponent(t, c);
      const bool same = std::isnan(p) ? std::isnan(q) : p == q || std::abs(p - q) <= bound * largest;
      ASSERT_TRUE(same) << a->GetName() << " of " << t << ": " << p << " and " << q;
    }
  }
}

/// Calls run() with each side forced, which returns arrays. Expects that those of these names stay on the side, and
/// have the same values (expectSameArray()).
template <class Run>
void expectArraysStay(const std::vector<std::string>& names, double bound, const Run& run) {
  const auto arraysOn = [&](SideChoice side) {
    const Forced forced(side);
    const vtkSmartPointer<vtkFieldData> arrays = run();
    for (const std::string& name : names) {
      vtkDataArray* const array = arrays->GetArray(name.c_str());
      EXPECT_NE(array, nullptr) << name;
      if (array != nullptr) {
        EXPECT_EQ(isOnDevice(array), side == SideChoice::Device) << name;
        EXPECT_NE(isOnHost(array), side == SideChoice::Device) << name;
      }
    }
    return arrays;
  };
  const auto onHost = arraysOn(SideChoice::Host);
  const auto onDevice = arraysOn(SideChoice::Device);
  for (const std::string& name : names) {
    ASSERT_NE(onHost->GetArray(name.c_str()), nullptr);
    ASSERT_NO_FATAL_FAILURE(expectSameArray(onHost->GetArray(name.c_str()), onDevice->GetArray(name.c_str()), bound));
  }
}

/// Expects that a grid's set and an array lie on the device alone.
template <int Dim>
void expectOnDeviceAlone(vtkUnstructuredGrid* grid, const char* name) {
  const auto record = gridOf<Dim>(grid);
  ASSERT_NE(record, nullptr);
  EXPECT_TRUE(record->mirrored().canBeReadOnDevice());
  EXPECT_TRUE(record->mirrored().empty() || !record->mirrored().isOnHost()) << "the set was copied to the host";
  vtkDataArray* const array = grid->GetCellData()->GetArray(name);
  ASSERT_NE(array, nullptr) << name;
  EXPECT_TRUE(isOnDevice(array)) << name;
  EXPECT_FALSE(isOnHost(array)) << name << " was copied to the host";
}

} // namespace spanwise::testing
