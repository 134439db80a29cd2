#pragma once

#include <cstdint>

namespace spanwise::vdb {

/// What the cells of a grid have.
enum class ValueKind { Mask, Bool, Int32, Int64, Half, Float, Double, Vec3i, Vec3s, Vec3d };

/// How values are stored in memory. Bool is a byte, 0 or 1.
enum class Element { Bool, Int32, Int64, Float32, Float64 };

/// 0 for a mask, which has cells and no values.
constexpr int componentsOf(ValueKind kind) {
  switch (kind) {
  case ValueKind::Mask:
    return 0;
  case ValueKind::Vec3i:
  case ValueKind::Vec3s:
  case ValueKind::Vec3d:
    return 3;
  default:
    return 1;
  }
}

constexpr Element elementOf(ValueKind kind) {
  switch (kind) {
  case ValueKind::Mask:
  case ValueKind::Bool:
    return Element::Bool;
  case ValueKind::Int32:
  case ValueKind::Vec3i:
    return Element::Int32;
  case ValueKind::Int64:
    return Element::Int64;
  case ValueKind::Half:
  case ValueKind::Float:
  case ValueKind::Vec3s:
    return Element::Float32;
  default:
    return Element::Float64;
  }
}

constexpr int bytesOf(Element element) {
  switch (element) {
  case Element::Bool:
    return 1;
  case Element::Int32:
  case Element::Float32:
    return 4;
  default:
    return 8;
  }
}

/// Bytes of the value of one cell in memory; 0 for a mask.
constexpr std::int64_t valueBytesOf(ValueKind kind) {
  return std::int64_t{componentsOf(kind)} * bytesOf(elementOf(kind));
}

} // namespace spanwise::vdb
