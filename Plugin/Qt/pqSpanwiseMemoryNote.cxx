#include "pqSpanwiseMemoryNote.h"

#include "SpanwiseMemoryEstimate.h"
#include "pqSpanwiseText.h"

#include <pqCoreUtilities.h>
#include <pqPropertiesPanel.h>

#include <vtkCommand.h>
#include <vtkNew.h>
#include <vtkPVSession.h>
#include <vtkPVSystemConfigInformation.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMProxy.h>
#include <vtkSMSession.h>
#include <vtkSMSourceProxy.h>

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>

#include <set>
#include <string>

namespace {

constexpr qulonglong kib = 1024;

vtkSMSourceProxy* inputOf(vtkSMProperty* property) {
  vtkSMPropertyHelper input(property);
  return input.GetNumberOfElements() > 0 ? vtkSMSourceProxy::SafeDownCast(input.GetAsProxy()) : nullptr;
}

// The memory of all computers of the server.
qulonglong memoryOfServer(vtkSMProxy* proxy) {
  vtkNew<vtkPVSystemConfigInformation> configuration;
  proxy->GetSession()->GatherInformation(vtkPVSession::DATA_SERVER, configuration, 0);
  qulonglong bytes = 0;
  std::set<std::string> hosts;
  for (std::size_t k = 0; k < configuration->GetSize(); ++k) {
    if (hosts.insert(configuration->GetHostName(k)).second) {
      bytes += static_cast<qulonglong>(configuration->GetHostMemoryTotal(k)) * kib;
    }
  }
  return bytes;
}

} // namespace

pqSpanwiseMemoryNote::pqSpanwiseMemoryNote(vtkSMProxy* proxy, vtkSMProperty* property, QWidget* parent)
  : pqPropertyWidget(proxy, parent), icon_(new QLabel(this)), text_(new QLabel(this)) {
  this->setProperty(property);
  this->setShowLabel(false);
  const int size = this->style()->pixelMetric(QStyle::PM_SmallIconSize);
  icon_->setPixmap(this->style()->standardIcon(QStyle::SP_MessageBoxWarning).pixmap(size));
  text_->setObjectName("Note");
  text_->setWordWrap(true);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(pqPropertiesPanel::suggestedHorizontalSpacing());
  row->addWidget(icon_);
  row->addWidget(text_, 1);
  pqCoreUtilities::connect(property, vtkCommand::ModifiedEvent, this, SLOT(follow()));
  // What estimates depend on, of any filter.
  for (const char* name : {"PassAllArrays", "CellArrays", "Blank", "UseBounds", "Bounds", "Where", "Margin", "SampleOn",
         "Resolution", "Lengths"}) {
    if (vtkSMProperty* const other = proxy->GetProperty(name)) {
      pqCoreUtilities::connect(other, vtkCommand::UncheckedPropertyModifiedEvent, this, SLOT(refresh()));
      pqCoreUtilities::connect(other, vtkCommand::ModifiedEvent, this, SLOT(refresh()));
    }
  }
  this->follow();
}

void pqSpanwiseMemoryNote::follow() {
  vtkSMSourceProxy* const input = inputOf(this->property());
  if (input != nullptr && input != followed_) {
    pqCoreUtilities::connect(input, vtkCommand::UpdateDataEvent, this, SLOT(refresh()));
  }
  followed_ = input;
  this->refresh();
}

void pqSpanwiseMemoryNote::refresh() {
  const auto estimate = spanwise::memoryEstimate(this->proxy(), this->property());
  bytes_ = estimate ? estimate->bytes : 0;
  if (!estimate) {
    icon_->hide();
    text_->hide();
    return;
  }
  const qulonglong memory = memoryOfServer(this->proxy());
  const bool warns = memory > 0 && bytes_ > memory / 2;
  const QString pattern =
    estimate->isLeast ? tr("%1 cells will take at least %2.") : tr("%1 cells will take about %2.");
  QString text = pattern.arg(spanwise::countText(estimate->cells), spanwise::bytesText(bytes_));
  if (warns) {
    text += " " + tr("<b>The server has %1.</b>").arg(spanwise::bytesText(memory));
  }
  text_->setText(text);
  text_->show();
  icon_->setVisible(warns);
}
