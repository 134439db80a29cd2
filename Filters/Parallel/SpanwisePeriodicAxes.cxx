#include "SpanwisePeriodicAxes.h"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <string>

namespace spanwise {

PeriodChoice periodChoice(const bool (&along)[3], int periodBox, const double (&periodBounds)[6]) {
  if (periodBox != 0 && periodBox != 1) {
    throw InvalidArgument("the period box is " + std::to_string(periodBox) + "; it must be 0 or 1");
  }
  PeriodChoice choice{};
  std::copy_n(along, 3, choice.along);
  choice.given = periodBox == 1;
  std::copy_n(periodBounds, 6, choice.bounds);
  return choice;
}

void printPeriodicAxes(
  ostream& os, vtkIndent indent, const bool (&along)[3], int periodBox, const double (&periodBounds)[6]) {
  os << indent << "Periodic: " << along[0] << " " << along[1] << " " << along[2] << "\n";
  os << indent << "PeriodBox: " << periodBox << "\n";
  os << indent << "PeriodBounds:";
  for (const double bound : periodBounds) {
    os << " " << bound;
  }
  os << "\n";
}

} // namespace spanwise
