#include "pqSpanwiseForm.h"

#include <QFormLayout>
#include <QLabel>

namespace {

// A longer value would widen the whole dock.
constexpr int maxValueCharacters = 36;

} // namespace

pqSpanwiseForm::pqSpanwiseForm(QWidget* parent) : QWidget(parent), layout_(new QFormLayout(this)) {
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setHorizontalSpacing(12);
  layout_->setVerticalSpacing(2);
  layout_->setLabelAlignment(Qt::AlignLeft);
  layout_->setFormAlignment(Qt::AlignLeft | Qt::AlignTop);
}

QLabel* pqSpanwiseForm::addLine(const QString& name, const char* objectName, const QString& toolTip) {
  auto* label = new QLabel(name, this);
  auto* value = new QLabel(this);
  value->setObjectName(objectName);
  value->setTextInteractionFlags(Qt::TextSelectableByMouse);
  value->setTextFormat(Qt::PlainText); // device and source names are not markup
  label->setToolTip(toolTip);
  value->setToolTip(toolTip);
  layout_->addRow(label, value);
  return value;
}

void pqSpanwiseForm::setValue(QLabel* line, const QString& value) {
  const int width = maxValueCharacters * line->fontMetrics().averageCharWidth();
  line->setText(line->fontMetrics().elidedText(value, Qt::ElideMiddle, width));
  layout_->setRowVisible(line, !value.isEmpty());
}
