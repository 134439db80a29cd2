#include "pqSpanwiseSliderWidget.h"

#include <pqCoreUtilities.h>
#include <pqDoubleRangeWidget.h>
#include <pqHighlightableToolButton.h>
#include <pqPropertiesPanel.h>
#include <pqScaleByButton.h>
#include <pqWidgetRangeDomain.h>

#include <vtkCommand.h>
#include <vtkSMArrayRangeDomain.h>
#include <vtkSMBoundsDomain.h>
#include <vtkSMDoubleRangeDomain.h>
#include <vtkSMProperty.h>
#include <vtkSMUncheckedPropertyHelper.h>

#include <QAction>
#include <QHBoxLayout>
#include <QIcon>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace {

// A slider that stands at an end for what is beyond it, and at the lower one for what has no place.
class Slider : public pqDoubleRangeWidget {
public:
  using pqDoubleRangeWidget::pqDoubleRangeWidget;

protected:
  int valueToSliderPos(double value) override {
    const double share = (value - this->minimum()) / (this->maximum() - this->minimum());
    return share > 0.0 ? static_cast<int>(std::lround(std::min(share, 1.0) * this->resolution())) : 0;
  }

  // Between infinite ends there are no places to slide to.
  double sliderPosToValue(int position) override {
    const bool finite = std::isfinite(this->maximum() - this->minimum());
    return finite ? pqDoubleRangeWidget::sliderPosToValue(position) : this->value();
  }
};

} // namespace

pqSpanwiseSliderWidget::pqSpanwiseSliderWidget(vtkSMProxy* proxy, vtkSMProperty* property, QWidget* parent)
  : pqPropertyWidget(proxy, parent) {
  this->setProperty(property);
  this->setChangeAvailableAsChangeFinished(false);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(pqPropertiesPanel::suggestedHorizontalSpacing());
  this->addSlider(row);
  if (property->FindDomain<vtkSMArrayRangeDomain>() != nullptr ||
    property->FindDomain<vtkSMBoundsDomain>() != nullptr) {
    this->addButtons(row);
  }
}

void pqSpanwiseSliderWidget::addSlider(QHBoxLayout* row) {
  slider_ = new Slider(this);
  slider_->setObjectName("DoubleRangeWidget"); // as in ParaView's, for recorded sessions
  slider_->setUseGlobalPrecisionAndNotation(true);
  if (auto* range = this->property()->FindDomain<vtkSMDoubleRangeDomain>()) {
    slider_->setMinimum(range->GetMinimum(0));
    slider_->setMaximum(range->GetMaximum(0));
  }
  new pqWidgetRangeDomain(slider_, "minimum", "maximum", this->property(), 0); // follows the domain
  this->addPropertyLink(slider_, "value", SIGNAL(valueChanged(double)), this->property());
  this->connect(slider_, SIGNAL(valueEdited(double)), SIGNAL(changeFinished()));
  for (const auto event : {vtkCommand::ModifiedEvent, vtkCommand::UncheckedPropertyModifiedEvent}) {
    pqCoreUtilities::connect(this->property(), event, this, SLOT(showInfinity()));
  }
  this->showInfinity();
  row->addWidget(slider_, 1);
}

void pqSpanwiseSliderWidget::addButtons(QHBoxLayout* row) {
  auto* scaleButton = new pqScaleByButton(this);
  scaleButton->setObjectName("ScaleBy");
  this->connect(scaleButton, SIGNAL(scale(double)), SLOT(scale(double)));
  row->addWidget(scaleButton, 0, Qt::AlignBottom);

  resetButton_ = new pqHighlightableToolButton(this);
  resetButton_->setObjectName("Reset");
  auto* action = new QAction(QIcon(":/pqWidgets/Icons/pqReset.svg"), tr("Reset"), resetButton_);
  action->setToolTip(tr("Reset using current data values"));
  resetButton_->setDefaultAction(action);
  this->connect(resetButton_, SIGNAL(clicked()), SLOT(resetToDomain()));
  row->addWidget(resetButton_, 0, Qt::AlignBottom);
  for (const auto event : {vtkCommand::DomainModifiedEvent, vtkCommand::UncheckedPropertyModifiedEvent}) {
    pqCoreUtilities::connect(this->property(), event, this, SLOT(showThatDataChanged()));
  }
}

void pqSpanwiseSliderWidget::scale(double factor) {
  vtkSMUncheckedPropertyHelper number(this->property());
  number.Set(0, number.GetAsDouble(0) * factor);
  Q_EMIT this->changeAvailable();
  Q_EMIT this->changeFinished();
}

void pqSpanwiseSliderWidget::resetToDomain() {
  this->property()->ResetToDomainDefaults(/*use_unchecked_values=*/true);
  Q_EMIT this->changeAvailable();
  Q_EMIT this->changeFinished();
  this->clearHighlight();
}

void pqSpanwiseSliderWidget::showThatDataChanged() { resetButton_->highlight(); }

// Links between properties and widgets bring finite numbers alone.
void pqSpanwiseSliderWidget::showInfinity() {
  const double number = vtkSMUncheckedPropertyHelper(this->property()).GetAsDouble(0);
  if (std::isinf(number)) {
    const QSignalBlocker quiet(slider_);
    slider_->setValue(number);
  }
}

void pqSpanwiseSliderWidget::clearHighlight() {
  if (resetButton_ != nullptr) {
    resetButton_->clear();
  }
}

void pqSpanwiseSliderWidget::apply() {
  pqPropertyWidget::apply();
  this->clearHighlight();
}

void pqSpanwiseSliderWidget::reset() {
  pqPropertyWidget::reset();
  this->clearHighlight();
}
