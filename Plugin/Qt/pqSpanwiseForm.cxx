#include "pqSpanwiseForm.h"

#include <QFormLayout>
#include <QLabel>

namespace {

// The longest of the names and of the values that the dock usually shows. Longer values are cut off in their middle.
constexpr const char* longestName = "Execution spaces";
constexpr const char* longestValue = "2 in 16 of 16 processes";
constexpr int spacing = 12;

} // namespace

pqSpanwiseForm::pqSpanwiseForm(QWidget* parent) : QWidget(parent), layout_(new QFormLayout(this)) {
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setHorizontalSpacing(spacing);
  layout_->setVerticalSpacing(2);
  layout_->setLabelAlignment(Qt::AlignLeft);
  layout_->setFormAlignment(Qt::AlignLeft | Qt::AlignTop);
  // The form is as wide as it is, whatever it shows: else the views would change their size with every selection.
  valueWidth_ = this->fontMetrics().horizontalAdvance(longestValue);
  this->setMinimumWidth(this->fontMetrics().horizontalAdvance(longestName) + spacing + valueWidth_);
}

QLabel* pqSpanwiseForm::addLine(const QString& name, const char* objectName, const QString& toolTip) {
  auto* label = new QLabel(name, this);
  auto* value = new QLabel(this);
  value->setObjectName(objectName);
  value->setTextInteractionFlags(Qt::TextSelectableByMouse);
  value->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  value->setTextFormat(Qt::PlainText); // device and source names are not markup
  label->setToolTip(toolTip);
  layout_->addRow(label, value);
  return value;
}

void pqSpanwiseForm::setValue(QLabel* line, const QString& value) {
  const QString shown = line->fontMetrics().elidedText(value, Qt::ElideMiddle, valueWidth_);
  line->setText(shown);
  line->setToolTip(shown == value ? layout_->labelForField(line)->toolTip() : value);
  layout_->setRowVisible(line, !value.isEmpty());
}
