#include "SpanwiseSharedArrays.h"

#include <vtkIntArray.h>
#include <vtkTypeInt64Array.h>

#include <mutex>
#include <unordered_map>
#include <utility>

namespace spanwise {

namespace {

// VTK gives memory back through a plain function that gets the address alone, so the owners are kept beside. Never
// destroyed: arrays may go after every static object has gone.
struct Owners {
  std::mutex mutex;
  std::unordered_multimap<void*, std::shared_ptr<const void>> ofMemory;
};

Owners& owners() {
  static auto* const theOwners = new Owners;
  return *theOwners;
}

void giveBack(void* memory) {
  std::shared_ptr<const void> last; // goes after the lock
  Owners& all = owners();
  const std::scoped_lock lock(all.mutex);
  const auto found = all.ofMemory.find(memory);
  if (found != all.ofMemory.end()) {
    last = std::move(found->second);
    all.ofMemory.erase(found);
  }
}

template <class Array, class Value>
void shareMemory(
  Array* array, const Value* values, std::int64_t numTuples, int numComponents, std::shared_ptr<const void> owner) {
  using VtkValue = typename Array::ValueType;
  static_assert(sizeof(VtkValue) == sizeof(Value));
  array->Initialize();
  array->SetNumberOfComponents(numComponents);
  if (numTuples == 0) {
    return;
  }
  auto* memory = const_cast<Value*>(values);
  {
    const std::scoped_lock lock(owners().mutex);
    owners().ofMemory.emplace(memory, std::move(owner));
  }
  array->SetArray(
    reinterpret_cast<VtkValue*>(memory), numTuples * numComponents, 0, Array::VTK_DATA_ARRAY_USER_DEFINED);
  array->SetArrayFreeFunction(giveBack);
}

} // namespace

void share(vtkIntArray* array, const std::int32_t* values, std::int64_t numTuples, int numComponents,
  std::shared_ptr<const void> owner) {
  shareMemory(array, values, numTuples, numComponents, std::move(owner));
}

void share(vtkTypeInt64Array* array, const std::int64_t* values, std::int64_t numTuples, int numComponents,
  std::shared_ptr<const void> owner) {
  shareMemory(array, values, numTuples, numComponents, std::move(owner));
}

} // namespace spanwise
