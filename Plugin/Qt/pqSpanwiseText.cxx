#include "pqSpanwiseText.h"

#include <QLocale>

namespace spanwise {

QString bytesText(quint64 bytes) {
  return QLocale().formattedDataSize(static_cast<qint64>(bytes), bytes < 1024 ? 0 : 1, QLocale::DataSizeIecFormat);
}

QString countText(qint64 count) {
  QLocale locale;
  locale.setNumberOptions(QLocale::DefaultNumberOptions); // ParaView may have turned the group separators off
  return locale.toString(count);
}

QString rangeText(qint64 first, qint64 last) {
  return first == last ? countText(first) : QString("%1 to %2").arg(countText(first), countText(last));
}

} // namespace spanwise
