#ifndef pqSpanwiseText_h
#define pqSpanwiseText_h

// How the dock writes numbers.

#include <QString>

namespace spanwise {

/// "12.3 MiB"
QString bytesText(quint64 bytes);

/// "1,234,567", in the user's locale.
QString countText(qint64 count);

/// The first and the last of equal or different numbers: "4" or "1 to 4".
QString rangeText(qint64 first, qint64 last);

} // namespace spanwise

#endif
