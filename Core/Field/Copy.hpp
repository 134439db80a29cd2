#pragma once

#include "Core/Field/Field.hpp"

namespace spanwise::field {

/// out = a copy of the field, name and values, in the memory space of `out`, whose memory is used again if it is large
/// enough and no copy shares it. Values of `out` lie in columns whatever the layout of the field is (copyValues() keeps
/// the layouts of both). The bytes that cross between host and device are counted in the memory report. Waits
/// for the copy.
template <class T, class From, class To>
void copy(const Field<T, From>& field, Field<T, To>& out);

} // namespace spanwise::field
