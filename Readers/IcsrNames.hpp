#pragma once

#include "IcsrTypes.hpp"

#include "Readers/Hdf5/Structure.hpp"

#include <string>

namespace spanwise {

// Names and limits of .icsr files, in one place for reader and writer.

namespace icsr {
inline constexpr const char* format = "Format";
inline constexpr const char* formatText = "Spanwise interval set";
inline constexpr const char* version = "Version";
inline constexpr const char* dimension = "Dimension";
inline constexpr const char* timeUnits = "TimeUnits";
inline constexpr const char* time = "Time";
inline constexpr const char* origin = "Origin";
inline constexpr const char* spacing = "Spacing";
inline constexpr const char* level = "Level";
inline constexpr const char* numberOfCells = "NumberOfCells";
inline constexpr const char* numberOfPoints = "NumberOfPoints";
inline constexpr const char* units = "Units";
inline constexpr const char* componentNames = "ComponentNames";
inline constexpr const char* role = "Role";

/// The types of the arrays of cells.
inline constexpr hdf5::Datatype int32Type{hdf5::Datatype::Kind::Signed, 4};
inline constexpr hdf5::Datatype int64Type{hdf5::Datatype::Kind::Signed, 8};

inline constexpr const char* rowKeys = "RowKeys";
inline constexpr const char* rowOffsets = "RowOffsets";
inline constexpr const char* rowCells = "RowCells";
inline constexpr const char* rowPoints = "RowPoints";
inline constexpr const char* intervals = "Intervals";

inline std::string stepGroup(int number) { return "Step" + std::to_string(number); }
inline std::string levelGroup(int number) { return "Level" + std::to_string(number); }
/// "CellData", "PointData" or "FieldData".
const char* arrayGroup(Association association);

/// Steps of a file and arrays of a group: HDF5 keeps so many links in an object header.
inline constexpr std::size_t maxMembers = 65535;
/// The largest level.
inline constexpr int maxLevel = 30;
/// The longest name of an array as it stands in the file.
inline constexpr std::size_t maxNameBytes = 4096;
/// The longest text of a field array.
inline constexpr std::int64_t maxTextBytes = 1 << 24;
/// The texts of field arrays that a file may have for each of its bytes: in memory a text takes 64 bytes more than in
/// the file, and that must not be more than what deflate can pack.
inline constexpr std::uint64_t maxTextsPerByte = 16;
/// Shorter texts are not compressed, so that no file that is written has more texts than that.
inline constexpr std::uint32_t minCompressedTextBytes = 64;
/// All attributes of an object share its header, and HDF5 limits one to 64 KiB.
inline constexpr std::size_t maxAttributeBytes = 32768;

/// An array's name as the name of an HDF5 link, which must not be empty, "." or hold a slash: such characters and the
/// percent sign become %XX, and the empty name becomes "%". Throws FileError for a name that is too long, not UTF-8 or
/// holds NUL.
std::string toLinkName(const std::string& name);

/// The array's name of a link. Throws FileError.
std::string fromLinkName(const std::string& link);

/// Throws FileError unless `text` is UTF-8 without NUL. `what` names it.
void checkText(const std::string& text, const std::string& what);

/// The type of elements in the file. Throws FileError for one that arrays cannot have.
ValueType toValueType(const hdf5::Datatype& type, const std::string& what);
} // namespace icsr

} // namespace spanwise
