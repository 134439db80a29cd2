#include "pqSpanwisePointsWidget.h"

#include <vtk3DWidgetRepresentation.h>
#include <vtkCurveRepresentation.h>
#include <vtkPVXMLElement.h>
#include <vtkProperty.h>
#include <vtkSMNewWidgetRepresentationProxy.h>
#include <vtkSMPropertyGroup.h>

#include <QCheckBox>
#include <QLabel>
#include <QTableView>

namespace {

constexpr double handleSize = 12.0; // as against 5: so that a mouse hits them
constexpr int maxTableHeight = 120; // of pixels: a few points; more of them scroll
constexpr double handleColour[] = {1.0, 0.45, 0.0};

} // namespace

pqSpanwisePointsWidget::pqSpanwisePointsWidget(vtkSMProxy* proxy, vtkSMPropertyGroup* group, QWidget* parent)
  : pqSplinePropertyWidget(proxy, group, pqSplinePropertyWidget::POLYLINE, parent) {
  vtkPVXMLElement* const hints = group->GetHints();
  vtkPVXMLElement* const hint = hints != nullptr ? hints->FindNestedElementByName("Points") : nullptr;
  const QString name = tr(hint != nullptr ? hint->GetAttributeOrEmpty("name") : "Points");
  this->setShowLabel(hint == nullptr || QString(hint->GetAttributeOrDefault("header", "1")) != "0");
  if (auto* box = this->findChild<QCheckBox*>("show3DWidget")) {
    box->setText(tr("Show %1").arg(name));
    box->setToolTip(tr("Show the %1 as handles in the view").arg(name.toLower()));
  }
  if (auto* table = this->findChild<QTableView*>("PointsTable")) {
    table->setMaximumHeight(maxTableHeight);
  }
  if (auto* text = this->findChild<QLabel*>("Hints")) {
    text->setText(tr("<p>Drag the handles in the view, or type coordinates. <b>+</b> adds a point. <b>P</b> puts the "
                     "selected point under the mouse, <b>Ctrl+P</b> on the nearest point of the data.</p>"));
  }
  // ParaView's proxy has no properties for these. The client draws handles, also those of a server's data.
  auto* const widget = vtk3DWidgetRepresentation::SafeDownCast(this->widgetProxy()->GetClientSideObject());
  auto* const curve = widget != nullptr ? vtkCurveRepresentation::SafeDownCast(widget->GetRepresentation()) : nullptr;
  if (curve != nullptr) {
    curve->SetHandleSize(handleSize);
    curve->GetHandleProperty()->SetColor(const_cast<double*>(handleColour));
    curve->GetLineProperty()->SetOpacity(0.0); // what is in no order has no line
    curve->GetSelectedLineProperty()->SetOpacity(0.0);
  }
}
