#ifndef pqSpanwiseText_h
#define pqSpanwiseText_h

// How the dock writes numbers.

#include <QString>

#include <vector>

namespace spanwise {

/// "12.3 MiB"
QString bytesText(quint64 bytes);

/// "1,234,567", in the user's locale.
QString countText(qint64 count);

/// The first and the last of equal or different numbers: "4" or "1 to 4".
QString rangeText(qint64 first, qint64 last);

/// "tetrahedra, wedges": VTK's types of cells in words; those that few use by the names of their classes.
QString cellTypesText(const std::vector<unsigned char>& types);

} // namespace spanwise

#endif
