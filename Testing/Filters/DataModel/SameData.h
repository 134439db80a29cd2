#pragma once

// Whether two datasets show the same: cells and points with their values, whatever their numbers, up to round-off.

#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace spanwise::testing {

using Record = std::vector<std::int64_t>;

/// A number in steps so wide that round-off does not matter, and so placed that ordinary numbers are not on their
/// edges.
inline std::int64_t quantized(double value) {
  return std::isfinite(value) ? static_cast<std::int64_t>(std::floor((value + 0.31830988618) * 1e5)) : -7;
}

/// The values of tuple `k` of all numeric arrays, in the order of their names.
inline void appendValues(vtkDataSetAttributes* data, vtkIdType k, Record& record) {
  std::vector<std::string> names;
  for (int a = 0; a < data->GetNumberOfArrays(); ++a) {
    if (data->GetArray(a) != nullptr) {
      names.emplace_back(data->GetArrayName(a));
    }
  }
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    vtkDataArray* array = data->GetArray(name.c_str());
    for (int c = 0; c < array->GetNumberOfComponents(); ++c) {
      record.push_back(quantized(array->GetComponent(k, c)));
    }
  }
}

inline Record placeOf(vtkDataSet* data, vtkIdType point) {
  double x[3];
  data->GetPoint(point, x);
  return {quantized(x[0]), quantized(x[1]), quantized(x[2])};
}

/// Every point with its values, in an order that does not depend on numbers.
inline std::vector<Record> pointRecords(vtkDataSet* data) {
  std::vector<Record> records;
  for (vtkIdType p = 0; p < data->GetNumberOfPoints(); ++p) {
    Record record = placeOf(data, p);
    appendValues(data->GetPointData(), p, record);
    records.push_back(record);
  }
  std::sort(records.begin(), records.end());
  return records;
}

/// Every cell as its dimension, its corners in no order, and its values.
inline std::vector<Record> cellRecords(vtkDataSet* data) {
  std::vector<Record> records;
  vtkNew<vtkIdList> points;
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    std::vector<Record> corners;
    data->GetCellPoints(c, points);
    for (vtkIdType k = 0; k < points->GetNumberOfIds(); ++k) {
      corners.push_back(placeOf(data, points->GetId(k)));
    }
    std::sort(corners.begin(), corners.end());
    Record record{data->GetCell(c)->GetCellDimension()};
    for (const Record& corner : corners) {
      record.insert(record.end(), corner.begin(), corner.end());
    }
    appendValues(data->GetCellData(), c, record);
    records.push_back(record);
  }
  std::sort(records.begin(), records.end());
  return records;
}

inline void expectSameRecords(const std::vector<Record>& a, const std::vector<Record>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  const auto different = std::mismatch(a.begin(), a.end(), b.begin()).first;
  EXPECT_EQ(different, a.end()) << what << " " << different - a.begin() << " of " << a.size() << " is "
                                << ::testing::PrintToString(*different) << ", expected "
                                << ::testing::PrintToString(b[static_cast<std::size_t>(different - a.begin())]);
}

/// Expects the same points with their values and the same cells with theirs.
inline void expectSameData(vtkDataSet* a, vtkDataSet* b) {
  expectSameRecords(pointRecords(a), pointRecords(b), "point");
  expectSameRecords(cellRecords(a), cellRecords(b), "cell");
}

} // namespace spanwise::testing
