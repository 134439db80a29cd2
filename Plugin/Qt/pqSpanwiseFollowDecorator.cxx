#include "pqSpanwiseFollowDecorator.h"

#include <pqCoreUtilities.h>
#include <pqPropertyWidget.h>

#include <vtkCommand.h>
#include <vtkPVXMLElement.h>
#include <vtkSMProperty.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMProxy.h>
#include <vtkVariant.h>

#include <algorithm>

namespace {

// Whether the panel shows what was applied.
bool isAsApplied(vtkSMProperty* property) {
  vtkSMPropertyHelper applied(property);
  vtkSMPropertyHelper shown(property);
  shown.SetUseUnchecked(true);
  if (applied.GetNumberOfElements() != shown.GetNumberOfElements()) {
    return false;
  }
  for (unsigned int k = 0; k < applied.GetNumberOfElements(); ++k) {
    if (applied.GetAsVariant(k) != shown.GetAsVariant(k)) {
      return false;
    }
  }
  return true;
}

} // namespace

pqSpanwiseFollowDecorator::pqSpanwiseFollowDecorator(vtkPVXMLElement* xml, pqPropertyWidget* parent)
  : pqPropertyWidgetDecorator(xml, parent) {
  for (const QString& name : QString(xml->GetAttributeOrEmpty("properties")).split(' ', Qt::SkipEmptyParts)) {
    vtkSMProperty* const property = parent->proxy()->GetProperty(name.toUtf8().constData());
    if (property == nullptr) {
      qCritical("SpanwiseFollow: there is no property '%s'", qUtf8Printable(name));
      continue;
    }
    followed_.push_back(property);
    // Queued, until domains have followed too, and Apply and Reset have come to all properties.
    pqCoreUtilities::connect(
      property, vtkCommand::UncheckedPropertyModifiedEvent, this, SLOT(follow()), Qt::QueuedConnection);
  }
}

void pqSpanwiseFollowDecorator::follow() {
  pqPropertyWidget* const widget = this->parentWidget();
  if (std::all_of(followed_.begin(), followed_.end(), isAsApplied)) {
    widget->property()->ClearUncheckedElements();
    return;
  }
  widget->property()->ResetToDomainDefaults(/*use_unchecked_values=*/true);
  Q_EMIT widget->changeAvailable();
  Q_EMIT widget->changeFinished();
}
