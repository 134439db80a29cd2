#ifndef IcsrTypes_hpp
#define IcsrTypes_hpp

#include <cstdint>
#include <string>
#include <vector>

namespace spanwise {

// What the reader and the writer of .icsr files share. Documentation/FileFormat.md is the specification.

/// The version of the format that is written, and the newest that is read: files of the same major version and a newer
/// minor one hold more, but nothing that changes what is known here.
inline constexpr int icsrMajorVersion = 1;
inline constexpr int icsrMinorVersion = 0;

/// What an element of an array is.
enum class ValueType : std::uint8_t {
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Float32,
  Float64,
  Text
};

/// What an array belongs to.
enum class Association : std::uint8_t { Cells, Points, Field };

/// An array of a file.
struct IcsrArray {
  std::string name; ///< UTF-8, any characters but NUL
  ValueType type = ValueType::Float64;
  std::int64_t numTuples = 0;
  std::int64_t numComponents = 1; ///< the components of a tuple stand together
  std::int64_t textBytes = 0;     ///< Text: the bytes that every element takes; shorter ones are filled with NUL
  std::string units;
  std::vector<std::string> componentNames; ///< none or one a component
  std::string role;                        ///< "Scalars", "Vectors" ... if the array is the active one of its kind
};

/// Bytes of an element.
inline std::int64_t bytesOf(const IcsrArray& array) {
  switch (array.type) {
  case ValueType::Int8:
  case ValueType::UInt8:
    return 1;
  case ValueType::Int16:
  case ValueType::UInt16:
    return 2;
  case ValueType::Int32:
  case ValueType::UInt32:
  case ValueType::Float32:
    return 4;
  case ValueType::Int64:
  case ValueType::UInt64:
  case ValueType::Float64:
    return 8;
  case ValueType::Text:
    break;
  }
  return array.textBytes;
}

/// Where the cells of a level lie.
struct IcsrPlacement {
  double origin[3] = {0.0, 0.0, 0.0};  ///< the corner of the cell (0, 0, 0)
  double spacing[3] = {1.0, 1.0, 1.0}; ///< the size of a cell at this level
  int level = 0;                       ///< cell size = root size / 2^level

  friend bool operator==(const IcsrPlacement&, const IcsrPlacement&) = default;
};

/// One level of one time step.
struct IcsrLevel {
  IcsrPlacement placement;
  std::int64_t numRows = 0;
  std::int64_t numIntervals = 0;
  std::int64_t numCells = 0;
  std::int64_t numPoints = 0; ///< 0 unless there are point arrays
  std::vector<IcsrArray> cellArrays;
  std::vector<IcsrArray> pointArrays;
};

/// Tuples [first, first + count) of an array.
struct IcsrTuples {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// Rows [begin, end) of a level.
struct IcsrRows {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

} // namespace spanwise

#endif
