#ifndef pqSpanwisePointsWidget_h
#define pqSpanwisePointsWidget_h

#include <pqSplinePropertyWidget.h>

/// A table of points that are placed in the view, with handles there that can be dragged. It is ParaView's widget for a
/// polyline without the line, in its own words. In XML: a group with panel_widget="spanwise_points", of which a
/// property has the function HandlePositions; the hint `<Points name="Sources"/>` says what the points are.
class pqSpanwisePointsWidget : public pqSplinePropertyWidget {
  Q_OBJECT
public:
  pqSpanwisePointsWidget(vtkSMProxy* proxy, vtkSMPropertyGroup* group, QWidget* parent = nullptr);
};

#endif
