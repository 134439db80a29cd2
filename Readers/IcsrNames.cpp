#include "Readers/IcsrNames.hpp"

#include "Readers/Hdf5/Utf8.hpp"

#include "Core/Runtime/Error.hpp"

#include <array>
#include <cstddef>

namespace spanwise {

namespace icsr {

namespace {

constexpr const char* digits = "0123456789ABCDEF";

int fromDigit(char digit) {
  for (int value = 0; value < 16; ++value) {
    if (digits[value] == digit) {
      return value;
    }
  }
  return -1;
}

std::string escaped(char character) {
  const auto value = static_cast<unsigned char>(character);
  return {'%', digits[value >> 4], digits[value & 15U]};
}

} // namespace

const char* arrayGroup(Association association) {
  switch (association) {
  case Association::Cells:
    return "CellData";
  case Association::Points:
    return "PointData";
  case Association::Field:
    break;
  }
  return "FieldData";
}

void checkText(const std::string& text, const std::string& what) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = hdf5::characterBytes(text, at);
    if (bytes == 0 || text[at] == '\0') {
      throw FileError(what + " is not UTF-8 text at its byte " + std::to_string(at));
    }
    at += bytes;
  }
}

std::string toLinkName(const std::string& name) {
  checkText(name, "the name " + hdf5::quotedName(name) + " of an array");
  std::string link = name.empty() ? "%" : "";
  for (const char character : name) {
    // "." alone is the group itself; it is enough to escape one at the front.
    const bool special = character == '/' || character == '%' || (character == '.' && link.empty());
    link += special ? escaped(character) : std::string(1, character);
  }
  if (link.size() > maxNameBytes) {
    throw FileError("the name " + hdf5::quotedName(name) + " of an array has " + std::to_string(name.size()) +
      " bytes; a name has at most " + std::to_string(maxNameBytes));
  }
  return link;
}

std::string fromLinkName(const std::string& link) {
  if (link.empty() || link.size() > maxNameBytes) {
    throw FileError("an array's name has " + std::to_string(link.size()) + " bytes; 1 to " +
      std::to_string(maxNameBytes) + " are possible");
  }
  std::string name;
  for (std::size_t at = 0; at < link.size(); ++at) {
    if (link[at] != '%' || link == "%") {
      name += link == "%" ? "" : std::string(1, link[at]);
      continue;
    }
    const int high = at + 2 < link.size() ? fromDigit(link[at + 1]) : -1;
    const int low = at + 2 < link.size() ? fromDigit(link[at + 2]) : -1;
    if (high < 0 || low < 0) {
      throw FileError(
        "the name " + hdf5::quotedName(link) + " of an array has a percent sign that no two digits 0-9, A-F follow");
    }
    name += static_cast<char>(16 * high + low);
    at += 2;
  }
  checkText(name, "the name " + hdf5::quotedName(name) + " of an array");
  return name;
}

ValueType toValueType(const hdf5::Datatype& type, const std::string& what) {
  struct Known {
    hdf5::Datatype type;
    ValueType value;
  };
  using Kind = hdf5::Datatype::Kind;
  static constexpr std::array<Known, 10> known = {{
    {{Kind::Signed, 1}, ValueType::Int8},
    {{Kind::Signed, 2}, ValueType::Int16},
    {{Kind::Signed, 4}, ValueType::Int32},
    {{Kind::Signed, 8}, ValueType::Int64},
    {{Kind::Unsigned, 1}, ValueType::UInt8},
    {{Kind::Unsigned, 2}, ValueType::UInt16},
    {{Kind::Unsigned, 4}, ValueType::UInt32},
    {{Kind::Unsigned, 8}, ValueType::UInt64},
    {{Kind::Float, 4}, ValueType::Float32},
    {{Kind::Float, 8}, ValueType::Float64},
  }};
  for (const Known& entry : known) {
    if (entry.type == type) {
      return entry.value;
    }
  }
  if (type.kind != Kind::Text || type.bytes > maxTextBytes) {
    throw FileError(what + " is of type " + toString(type) + ", which arrays cannot have");
  }
  return ValueType::Text;
}

} // namespace icsr

} // namespace spanwise
