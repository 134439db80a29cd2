#pragma once

#include "Core/Runtime/Error.hpp"
#include "Testing/Rooms.hpp"

#include <string>

namespace spanwise::testing {

/// What an error of this kind says that a call throws; empty if it throws none.
template <class ErrorType = InvalidArgument, class Call>
std::string messageOf(const Call& call) {
  try {
    call();
  } catch (const ErrorType& error) {
    return error.what();
  }
  return {};
}

} // namespace spanwise::testing
