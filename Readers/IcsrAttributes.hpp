#pragma once

#include "Readers/Hdf5/Structure.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace spanwise::icsr {

/// Numbers as they stand in a file.
struct StoredNumbers {
  hdf5::Datatype type;
  std::uint64_t count = 0;
  const std::byte* data = nullptr;
};

/// One of them. `what` names them in messages. Throws FileError if it is no integer that an int64 holds, or no number.
std::int64_t integerAt(const StoredNumbers& value, std::size_t index, const std::string& what);
double realAt(const StoredNumbers& value, std::size_t index, const std::string& what);

// The attributes of an object, checked. `what` names the object in messages. Numbers may be stored in any type of their
// kind, so that scripts need not care whether NumPy made an int32 or an int64.

/// Integers; exactly `count` of them. Throws FileError.
std::vector<std::int64_t> integers(
  const hdf5::Object& object, const std::string& name, std::size_t count, const std::string& what);

/// Finite numbers; exactly `count` of them. Throws FileError.
std::vector<double> reals(
  const hdf5::Object& object, const std::string& name, std::size_t count, const std::string& what);

/// A text; empty if there is no such attribute. Throws FileError.
std::string text(const hdf5::Object& object, const std::string& name, const std::string& what);

/// Several texts; none if there is no such attribute. Throws FileError.
std::vector<std::string> texts(const hdf5::Object& object, const std::string& name, const std::string& what);

/// A fixed-length text from a file: what stands before the first NUL. Throws FileError if it is not UTF-8.
std::string toText(const std::byte* bytes, std::size_t count, const std::string& what);

} // namespace spanwise::icsr
