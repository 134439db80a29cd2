#pragma once

// Set algebra by brute force.

#include "Core/Geometry/Algebra.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace spanwise::testing {

constexpr std::array allOperations{
  SetOperation::Intersection, SetOperation::Union, SetOperation::Difference, SetOperation::SymmetricDifference};

/// The operation, cell by cell.
template <int Dim>
CellList<Dim> combinedCells(SetOperation operation, const CellList<Dim>& a, const CellList<Dim>& b) {
  CellList<Dim> out;
  const auto into = std::inserter(out, out.end());
  switch (operation) {
  case SetOperation::Intersection:
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), into);
    break;
  case SetOperation::Union:
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), into);
    break;
  case SetOperation::Difference:
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), into);
    break;
  case SetOperation::SymmetricDifference:
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), into);
    break;
  }
  return out;
}

} // namespace spanwise::testing
