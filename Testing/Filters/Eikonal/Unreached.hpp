#pragma once

// What tests of Eikonal Arrival Time on meshes and on grids share about places that no front reaches.

#include "vtkSpanwiseEikonalArrivalTime.h"

#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkFieldData.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace spanwise::testing {

/// Expects that `numApart` points or cells are not reached, of which `apart` is one, and that they have what is asked
/// for; with a time to stop at there are more of them. `report` is the field value that counts them.
inline void expectUnreached(vtkSpanwiseEikonalArrivalTime* filter, vtkDataObject::AttributeTypes of, const char* report,
  double numApart, vtkIdType apart) {
  const auto times = [&] {
    filter->Update();
    return filter->GetDataSetOutput()->GetAttributes(of)->GetArray("Arrival Time");
  };
  const auto numUnreached = [&] {
    return filter->GetDataSetOutput()->GetFieldData()->GetArray(report)->GetComponent(0, 0);
  };
  EXPECT_EQ(times()->GetComponent(apart, 0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(numUnreached(), numApart);
  filter->SetUnreached(vtkSpanwiseEikonalArrivalTime::NOT_A_NUMBER);
  EXPECT_TRUE(std::isnan(times()->GetComponent(apart, 0)));
  filter->SetUnreached(vtkSpanwiseEikonalArrivalTime::GIVEN_TIME);
  filter->SetUnreachedTime(-1.0);
  filter->SetStopTime(0.5);
  vtkDataArray* const stopped = times();
  EXPECT_EQ(stopped->GetComponent(apart, 0), -1.0);
  for (vtkIdType i = 0; i < stopped->GetNumberOfTuples(); ++i) {
    EXPECT_LE(stopped->GetComponent(i, 0), 0.5);
  }
  EXPECT_GT(numUnreached(), numApart);
}

} // namespace spanwise::testing
