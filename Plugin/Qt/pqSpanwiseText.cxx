#include "pqSpanwiseText.h"

#include <vtkCellType.h>
#include <vtkCellTypeUtilities.h>

#include <QLocale>
#include <QObject>
#include <QStringList>

namespace spanwise {

namespace {

QString cellTypeText(int type) {
  switch (type) {
  case VTK_VERTEX:
  case VTK_POLY_VERTEX:
    return QObject::tr("vertices");
  case VTK_LINE:
    return QObject::tr("lines");
  case VTK_POLY_LINE:
    return QObject::tr("polylines");
  case VTK_TRIANGLE:
    return QObject::tr("triangles");
  case VTK_TRIANGLE_STRIP:
    return QObject::tr("triangle strips");
  case VTK_POLYGON:
    return QObject::tr("polygons");
  case VTK_PIXEL:
    return QObject::tr("pixels");
  case VTK_QUAD:
    return QObject::tr("quadrilaterals");
  case VTK_TETRA:
    return QObject::tr("tetrahedra");
  case VTK_VOXEL:
    return QObject::tr("voxels");
  case VTK_HEXAHEDRON:
    return QObject::tr("hexahedra");
  case VTK_WEDGE:
    return QObject::tr("wedges");
  case VTK_PYRAMID:
    return QObject::tr("pyramids");
  default:
    return QString(vtkCellTypeUtilities::GetClassNameFromTypeId(type)).remove("vtk");
  }
}

} // namespace

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

QString cellTypesText(const std::vector<unsigned char>& types) {
  QStringList texts;
  for (const unsigned char type : types) {
    texts << cellTypeText(type);
  }
  texts.removeDuplicates();
  return texts.join(", ");
}

} // namespace spanwise
