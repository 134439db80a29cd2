#ifndef SpanwiseAboutInput_h
#define SpanwiseAboutInput_h

// Says in messages which of several inputs they are about. Not wrapped.

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Progress.hpp"

#include <string>

namespace spanwise {

/// What `work` returns. An Error that it throws comes out with `input` before its message; Cancelled comes out as it
/// is.
template <class Work>
decltype(auto) aboutInput(const std::string& input, const Work& work) {
  try {
    return work();
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    throw Error(input + ": " + error.what());
  }
}

} // namespace spanwise

#endif
