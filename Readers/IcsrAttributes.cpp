#include "Readers/IcsrAttributes.hpp"

#include "Readers/IcsrNames.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <format>

namespace spanwise::icsr {

namespace {

using hdf5::Datatype;

StoredNumbers valueOf(const hdf5::Attribute& attribute, const std::string& what) {
  StoredNumbers value;
  value.type = hdf5::readDatatype(attribute.datatype, what);
  const hdf5::Extents extents = hdf5::readDataspace(attribute.dataspace, what);
  value.count = hdf5::numElements(extents, value.type.bytes, what);
  value.data = attribute.data.data();
  constexpr std::uint64_t filling = 7; // headers of version 1 fill up to 8 bytes
  const std::uint64_t bytes = value.count * value.type.bytes;
  if (attribute.data.size() < bytes || attribute.data.size() > bytes + filling) {
    throw FileError(what + " has " + std::to_string(attribute.data.size()) + " bytes for " +
      std::to_string(value.count) + " elements of type " + toString(value.type));
  }
  return value;
}

StoredNumbers required(
  const hdf5::Object& object, const std::string& name, std::size_t count, const std::string& what) {
  const hdf5::Attribute* attribute = object.attribute(name);
  if (attribute == nullptr) {
    throw FileError(what + " has no attribute " + name);
  }
  const StoredNumbers value = valueOf(*attribute, what + ": the attribute " + name);
  if (value.count != count) {
    throw FileError(what + ": the attribute " + name + " has " + std::to_string(value.count) +
      " values; it must have " + std::to_string(count));
  }
  return value;
}

template <class T>
T element(const StoredNumbers& value, std::size_t index) {
  T result;
  std::memcpy(&result, value.data + index * sizeof(T), sizeof(T));
  return result;
}

template <class Signed, class Unsigned>
std::int64_t integerOf(const StoredNumbers& value, std::size_t index) {
  return value.type.kind == Datatype::Kind::Signed ? static_cast<std::int64_t>(element<Signed>(value, index))
                                                   : static_cast<std::int64_t>(element<Unsigned>(value, index));
}

} // namespace

std::int64_t integerAt(const StoredNumbers& value, std::size_t index, const std::string& what) {
  const bool isSigned = value.type.kind == Datatype::Kind::Signed;
  const bool isInteger = isSigned || value.type.kind == Datatype::Kind::Unsigned;
  // No switch: that of GCC 16.2 at -O3 left the last case for int64 where realAt() calls this.
  const std::uint32_t bytes = isInteger ? value.type.bytes : 0;
  if (bytes == 1) {
    return integerOf<std::int8_t, std::uint8_t>(value, index);
  }
  if (bytes == 2) {
    return integerOf<std::int16_t, std::uint16_t>(value, index);
  }
  if (bytes == 4) {
    return integerOf<std::int32_t, std::uint32_t>(value, index);
  }
  if (bytes == 8 && (isSigned || element<std::int64_t>(value, index) >= 0)) {
    return element<std::int64_t>(value, index);
  }
  throw FileError(what + " is of type " + toString(value.type) + "; it must be an integer that an int64 holds");
}

double realAt(const StoredNumbers& value, std::size_t index, const std::string& what) {
  switch (value.type.kind) {
  case Datatype::Kind::Float:
    return value.type.bytes == 4 ? static_cast<double>(element<float>(value, index)) : element<double>(value, index);
  case Datatype::Kind::Text:
  case Datatype::Kind::Compound:
    throw FileError(what + " is of type " + toString(value.type) + "; it must be a number");
  default:
    return value.type.kind == Datatype::Kind::Unsigned && value.type.bytes == 8
      ? static_cast<double>(element<std::uint64_t>(value, index))
      : static_cast<double>(integerAt(value, index, what));
  }
}

std::vector<std::int64_t> integers(
  const hdf5::Object& object, const std::string& name, std::size_t count, const std::string& what) {
  const StoredNumbers value = required(object, name, count, what);
  const std::string where = what + ": the attribute " + name;
  std::vector<std::int64_t> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = integerAt(value, i, where);
  }
  return result;
}

std::vector<double> reals(
  const hdf5::Object& object, const std::string& name, std::size_t count, const std::string& what) {
  const StoredNumbers value = required(object, name, count, what);
  const std::string where = what + ": the attribute " + name;
  std::vector<double> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = realAt(value, i, where);
    if (!std::isfinite(result[i])) {
      throw FileError(std::format("{} has the value {}; it must be finite", where, result[i]));
    }
  }
  return result;
}

std::string toText(const std::byte* bytes, std::size_t count, const std::string& what) {
  const auto* begin = reinterpret_cast<const char*>(bytes);
  std::string result(begin, std::find(begin, begin + count, '\0'));
  checkText(result, what);
  return result;
}

std::vector<std::string> texts(const hdf5::Object& object, const std::string& name, const std::string& what) {
  const hdf5::Attribute* attribute = object.attribute(name);
  if (attribute == nullptr) {
    return {};
  }
  const std::string where = what + ": the attribute " + name;
  const StoredNumbers value = valueOf(*attribute, where);
  if (value.type.kind != Datatype::Kind::Text) {
    throw FileError(where + " is of type " + toString(value.type) + "; it must be text of fixed length");
  }
  std::vector<std::string> result(static_cast<std::size_t>(value.count));
  for (std::uint64_t i = 0; i < value.count; ++i) {
    result[i] = toText(value.data + i * value.type.bytes, value.type.bytes, where);
  }
  return result;
}

std::string text(const hdf5::Object& object, const std::string& name, const std::string& what) {
  const std::vector<std::string> all = texts(object, name, what);
  if (all.size() > 1) {
    throw FileError(
      what + ": the attribute " + name + " has " + std::to_string(all.size()) + " texts; it must have one");
  }
  return all.empty() ? "" : all.front();
}

} // namespace spanwise::icsr
