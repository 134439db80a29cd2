#include "pqSpanwiseOptionalValueWidget.h"

#include <pqDoubleLineEdit.h>
#include <pqLineEdit.h>
#include <pqPropertiesPanel.h>

#include <vtkPVXMLElement.h>
#include <vtkSMProperty.h>

#include <QCheckBox>
#include <QDoubleValidator>
#include <QHBoxLayout>
#include <QIntValidator>

pqSpanwiseOptionalValueWidget::pqSpanwiseOptionalValueWidget(
  vtkSMProxy* proxy, vtkSMProperty* property, QWidget* parent)
  : pqPropertyWidget(proxy, parent), box_(new QCheckBox(this)), field_(new pqLineEdit(this)) {
  this->setProperty(property);
  this->setChangeAvailableAsChangeFinished(true);
  vtkPVXMLElement* const hints = property->GetHints();
  vtkPVXMLElement* const hint = hints != nullptr ? hints->FindNestedElementByName("OptionalValue") : nullptr;
  if (hint == nullptr) {
    qCritical("spanwise_optional_value: the property '%s' has no hint OptionalValue", property->GetXMLName());
    return;
  }
  off_ = hint->GetAttributeOrEmpty("off");
  chosen_ = hint->GetAttributeOrEmpty("first");

  box_->setObjectName("CheckBox");
  field_->setObjectName("LineEdit");
  field_->setPlaceholderText(tr(hint->GetAttributeOrEmpty("text")));
  if (property->IsA("vtkSMDoubleVectorProperty")) {
    field_->setValidator(new QDoubleValidator(field_));
  } else {
    field_->setValidator(new QIntValidator(field_));
  }
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(pqPropertiesPanel::suggestedHorizontalSpacing());
  row->addWidget(box_);
  row->addWidget(field_, 1);
  this->setNumber(off_);

  QObject::connect(box_, &QCheckBox::toggled, this, &pqSpanwiseOptionalValueWidget::toggle);
  QObject::connect(field_, &pqLineEdit::textChangedAndEditingFinished, this, &pqSpanwiseOptionalValueWidget::edit);
  this->addPropertyLink(this, "number", SIGNAL(numberChanged()), property);
}

QString pqSpanwiseOptionalValueWidget::number() const { return box_->isChecked() ? chosen_ : off_; }

void pqSpanwiseOptionalValueWidget::setNumber(const QString& number) {
  const bool on = number.toDouble() != off_.toDouble();
  if (on) {
    chosen_ = number;
  }
  {
    const QSignalBlocker quiet(box_);
    box_->setChecked(on);
  }
  this->toggle(on);
}

void pqSpanwiseOptionalValueWidget::toggle(bool on) {
  field_->setEnabled(on);
  field_->setText(on ? chosen_ : QString()); // so that the text for none shows
  Q_EMIT this->numberChanged();
}

void pqSpanwiseOptionalValueWidget::edit() {
  if (field_->text().isEmpty()) {
    box_->setChecked(false);
    return;
  }
  chosen_ = field_->text();
  Q_EMIT this->numberChanged();
}
