#include "SpanwiseFileArrays.h"

#include "Readers/Hdf5/Utf8.hpp"
#include "Readers/IcsrNames.hpp"

#include "Core/Runtime/Error.hpp"

#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkInformation.h>
#include <vtkInformationStringKey.h>
#include <vtkStringArray.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <unordered_set>

namespace spanwise {

namespace {

struct TypePair {
  int vtk;
  ValueType file;
};

template <class T>
constexpr ValueType integerType() {
  constexpr bool isSigned = std::numeric_limits<T>::is_signed;
  switch (sizeof(T)) {
  case 1:
    return isSigned ? ValueType::Int8 : ValueType::UInt8;
  case 2:
    return isSigned ? ValueType::Int16 : ValueType::UInt16;
  case 4:
    return isSigned ? ValueType::Int32 : ValueType::UInt32;
  default:
    return isSigned ? ValueType::Int64 : ValueType::UInt64;
  }
}

// A bit takes a byte.
constexpr TypePair types[] = {{VTK_BIT, ValueType::UInt8}, {VTK_CHAR, integerType<char>()},
  {VTK_SIGNED_CHAR, ValueType::Int8}, {VTK_UNSIGNED_CHAR, ValueType::UInt8}, {VTK_SHORT, integerType<short>()},
  {VTK_UNSIGNED_SHORT, integerType<unsigned short>()}, {VTK_INT, integerType<int>()},
  {VTK_UNSIGNED_INT, integerType<unsigned int>()}, {VTK_LONG, integerType<long>()},
  {VTK_UNSIGNED_LONG, integerType<unsigned long>()}, {VTK_LONG_LONG, integerType<long long>()},
  {VTK_UNSIGNED_LONG_LONG, integerType<unsigned long long>()}, {VTK_ID_TYPE, integerType<vtkIdType>()},
  {VTK_FLOAT, ValueType::Float32}, {VTK_DOUBLE, ValueType::Float64}};

int vtkTypeOf(const IcsrArray& info) {
  const bool isId = info.role == "GlobalIds" || info.role == "PedigreeIds";
  if (isId && info.type == integerType<vtkIdType>()) {
    return VTK_ID_TYPE;
  }
  switch (info.type) {
  case ValueType::Int8:
    return VTK_TYPE_INT8;
  case ValueType::Int16:
    return VTK_TYPE_INT16;
  case ValueType::Int32:
    return VTK_TYPE_INT32;
  case ValueType::Int64:
    return VTK_TYPE_INT64;
  case ValueType::UInt8:
    return VTK_TYPE_UINT8;
  case ValueType::UInt16:
    return VTK_TYPE_UINT16;
  case ValueType::UInt32:
    return VTK_TYPE_UINT32;
  case ValueType::UInt64:
    return VTK_TYPE_UINT64;
  case ValueType::Float32:
    return VTK_TYPE_FLOAT32;
  default:
    return VTK_TYPE_FLOAT64;
  }
}

std::string nameOf(vtkAbstractArray* array) { return array->GetName() != nullptr ? array->GetName() : ""; }

bool canBeText(const std::string& text) {
  try {
    icsr::checkText(text, "");
    return text.size() <= static_cast<std::size_t>(icsr::maxTextBytes);
  } catch (const FileError&) {
    return false;
  }
}

bool canBeAttribute(const std::string& text) { return text.size() <= icsr::maxAttributeBytes && canBeText(text); }

bool canBeName(const std::string& name) {
  try {
    return !icsr::toLinkName(name).empty();
  } catch (const FileError&) {
    return false;
  }
}

// Texts that a file cannot hold are no reason to lose the array.
void addDescriptions(vtkAbstractArray* array, IcsrArray& info) {
  if (array->HasInformation() && array->GetInformation()->Has(vtkDataArray::UNITS_LABEL())) {
    const std::string units = array->GetInformation()->Get(vtkDataArray::UNITS_LABEL());
    info.units = canBeAttribute(units) ? units : "";
  }
  if (!array->HasAComponentName()) {
    return;
  }
  std::size_t longest = 1;
  for (vtkIdType c = 0; c < info.numComponents; ++c) {
    const char* name = array->GetComponentName(c);
    info.componentNames.emplace_back(name != nullptr && canBeAttribute(name) ? name : "");
    longest = std::max(longest, info.componentNames.back().size());
  }
  if (longest * info.componentNames.size() > icsr::maxAttributeBytes) {
    info.componentNames.clear();
  }
}

} // namespace

std::optional<IcsrArray> describeForFile(vtkAbstractArray* array) {
  IcsrArray info;
  info.name = nameOf(array);
  if (!canBeName(info.name)) {
    return std::nullopt;
  }
  info.numTuples = array->GetNumberOfTuples();
  info.numComponents = array->GetNumberOfComponents();
  if (auto* texts = vtkStringArray::SafeDownCast(array)) {
    for (vtkIdType v = 0; v < texts->GetNumberOfValues(); ++v) {
      if (!canBeText(texts->GetValue(v))) {
        return std::nullopt;
      }
    }
    info.type = ValueType::Text;
    info.numTuples = array->GetNumberOfValues();
    info.numComponents = 1;
    return info;
  }
  const auto* const found = std::find_if(
    std::begin(types), std::end(types), [&](const TypePair& pair) { return pair.vtk == array->GetDataType(); });
  if (found == std::end(types) || vtkDataArray::SafeDownCast(array) == nullptr) {
    return std::nullopt;
  }
  info.type = found->file;
  addDescriptions(array, info);
  return info;
}

FileArrays arraysForFile(vtkDataSetAttributes* data, std::vector<std::string>& leftOut) {
  FileArrays result;
  std::unordered_set<std::string> names;
  for (int k = 0; k < data->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* array = data->GetAbstractArray(k);
    auto info = describeForFile(array);
    if (nameOf(array) == vtkDataSetAttributes::GhostArrayName()) {
      continue; // cells that it marks are not in the file
    }
    if (!info.has_value() || info->type == ValueType::Text || !names.insert(info->name).second) {
      leftOut.push_back(nameOf(array));
      continue;
    }
    if (const int attribute = data->IsArrayAnAttribute(k); attribute >= 0) {
      info->role = vtkDataSetAttributes::GetAttributeTypeAsString(attribute);
    }
    result.infos.push_back(*info);
    result.arrays.push_back(vtkDataArray::SafeDownCast(array));
  }
  return result;
}

void forEachPiece(vtkDataArray* array, std::int64_t first, std::int64_t count,
  const std::function<void(std::int64_t, std::int64_t, const void*)>& write) {
  const IcsrArray info = describeForFile(array).value();
  if (array->HasStandardMemoryLayout() && array->GetDataType() != VTK_BIT) {
    const std::int64_t tupleBytes = info.numComponents * bytesOf(info);
    write(first, count, static_cast<const char*>(array->GetVoidPointer(0)) + first * tupleBytes);
    return;
  }
  constexpr std::int64_t pieceBytes = 1 << 24;
  const std::int64_t most = std::max<std::int64_t>(pieceBytes / (info.numComponents * bytesOf(info)), 1);
  const auto piece = makeArray(info, std::min(count, most));
  for (std::int64_t done = 0; done < count; done += most) {
    const std::int64_t size = std::min(most, count - done);
    if (array->GetDataType() == VTK_BIT) {
      for (std::int64_t t = 0; t < size; ++t) {
        piece->SetTuple(t, array->GetTuple(first + done + t));
      }
    } else {
      piece->InsertTuples(0, size, first + done, array);
    }
    write(first + done, size, piece->GetVoidPointer(0));
  }
}

vtkSmartPointer<vtkDataArray> makeArray(const IcsrArray& info, std::int64_t count) {
  auto array = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(vtkTypeOf(info)));
  array->SetName(info.name.c_str());
  array->SetNumberOfComponents(static_cast<int>(info.numComponents));
  array->SetNumberOfTuples(count);
  if (array->GetNumberOfTuples() != count) {
    throw FileError("there is not enough memory for the " + std::to_string(count) + " tuples of the array " +
      hdf5::quotedName(info.name));
  }
  for (std::size_t c = 0; c < info.componentNames.size(); ++c) {
    if (!info.componentNames[c].empty()) {
      array->SetComponentName(static_cast<vtkIdType>(c), info.componentNames[c].c_str());
    }
  }
  if (!info.units.empty()) {
    array->GetInformation()->Set(vtkDataArray::UNITS_LABEL(), info.units.c_str());
  }
  return array;
}

int attributeOf(const IcsrArray& info) {
  for (int attribute = 0; attribute < vtkDataSetAttributes::NUM_ATTRIBUTES; ++attribute) {
    if (info.role == vtkDataSetAttributes::GetAttributeTypeAsString(attribute)) {
      return attribute;
    }
  }
  return -1;
}

} // namespace spanwise
