#pragma once

#include "Core/Runtime/Error.hpp"

#include <string>

namespace spanwise::testing {

/// What an InvalidArgument says that a call throws; empty if it throws none.
template <class Call>
std::string messageOf(const Call& call) {
  try {
    call();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return {};
}

} // namespace spanwise::testing
