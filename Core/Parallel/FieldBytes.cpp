#include "Core/Parallel/FieldBytes.hpp"

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"

namespace spanwise::parallel {

namespace {

enum class CopyTo {
  Buffer,
  Field,
};

template <class Word, CopyTo to, class Space>
void copyWords(const Space& space, const FieldView<char>& field, const FieldBlock& block, char* buffer) {
  const FieldView<Word> words{reinterpret_cast<Word*>(field.values), field.componentStride, field.cellStride,
    field.runs, field.runsSeenByHost, field.numRuns, field.numCells, field.numComponents};
  auto* const packed = reinterpret_cast<Word*>(buffer);
  forEach(
    SPANWISE_KERNEL("copy values"), IndexRange<Space>(space, 0, block.numValues()), KOKKOS_LAMBDA(std::int64_t i) {
      Word& value =
        words(block.firstCell + i % block.numCells, block.firstComponent + static_cast<int>(i / block.numCells));
      Word& inBuffer = packed[i];
      if constexpr (to == CopyTo::Buffer) {
        inBuffer = value;
      } else {
        value = inBuffer;
      }
    });
}

template <CopyTo to, class Space>
std::int64_t copyBlock(const Space& space, const FieldBytes& field, const FieldBlock& block, char* buffer) {
  switch (field.bytesPerValue) {
  case 1:
    copyWords<std::uint8_t, to>(space, field.values, block, buffer);
    break;
  case 2:
    copyWords<std::uint16_t, to>(space, field.values, block, buffer);
    break;
  case 4:
    copyWords<std::uint32_t, to>(space, field.values, block, buffer);
    break;
  default:
    copyWords<std::uint64_t, to>(space, field.values, block, buffer);
  }
  return block.numValues() * field.bytesPerValue;
}

} // namespace

template <class ExecutionSpace>
std::int64_t packValues(const ExecutionSpace& space, const FieldBytes& field, const FieldBlock& block, char* buffer) {
  return copyBlock<CopyTo::Buffer>(space, field, block, buffer);
}

template <class ExecutionSpace>
std::int64_t unpackValues(
  const ExecutionSpace& space, const FieldBytes& field, const FieldBlock& block, const char* buffer) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): it is only read
  return copyBlock<CopyTo::Field>(space, field, block, const_cast<char*>(buffer));
}

#define SPANWISE_FIELD_BYTES(Space)                                                                                    \
  template std::int64_t packValues<Space>(const Space&, const FieldBytes&, const FieldBlock&, char*);                  \
  template std::int64_t unpackValues<Space>(const Space&, const FieldBytes&, const FieldBlock&, const char*);
SPANWISE_FOR_EACH_SPACE(SPANWISE_FIELD_BYTES)

} // namespace spanwise::parallel
