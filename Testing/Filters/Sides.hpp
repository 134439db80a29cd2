#pragma once

#include "SpanwiseBridge.h"
#include "SpanwiseIntervalGrid.h"
#include "SpanwiseMirroredArray.h"
#include "SpanwiseSide.h"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkUnstructuredGrid.h>

#include <gtest/gtest.h>

#include <string>

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
