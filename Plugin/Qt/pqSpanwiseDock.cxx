#include "pqSpanwiseDock.h"

#include "pqSpanwiseFittingFilters.h"
#include "pqSpanwiseOutputPanel.h"
#include "pqSpanwiseRuntimePanel.h"

#include <pqActiveObjects.h>
#include <pqPVApplicationCore.h>
#include <pqProxyWidget.h>
#include <pqSelectionManager.h>
#include <pqServer.h>
#include <pqServerManagerModel.h>
#include <pqSettings.h>
#include <pqUndoStack.h>

#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <chrono>

namespace {

constexpr std::chrono::milliseconds retryInterval{200};
constexpr std::chrono::milliseconds memoryInterval{2000};
constexpr std::chrono::milliseconds startInterval{1000}; // until ParaView has restored its window
constexpr const char* shownKey = "Spanwise/DockHasBeenShown";

} // namespace

pqSpanwiseDock::pqSpanwiseDock(QWidget* parent)
  : QDockWidget(tr("Spanwise"), parent), runtime_(new pqSpanwiseRuntimePanel(this)),
    output_(new pqSpanwiseOutputPanel(this)), fittingTitle_(nullptr), fitting_(new pqSpanwiseFittingFilters(this)) {
  this->setObjectName("pqSpanwiseDock");
  runtime_->setObjectName("runtime");
  output_->setObjectName("output");
  fitting_->setObjectName("fitting");

  auto* content = new QWidget(this);
  content->setObjectName("content");
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(6, 2, 6, 4);
  layout->addWidget(pqProxyWidget::newGroupLabelWidget(tr("Selected output"), content));
  layout->addWidget(output_, 1);
  fittingTitle_ = pqProxyWidget::newGroupLabelWidget(tr("Filters that fit"), content);
  layout->addWidget(fittingTitle_);
  layout->addWidget(fitting_);
  layout->addWidget(pqProxyWidget::newGroupLabelWidget(tr("Runtime"), content));
  layout->addWidget(runtime_);
  // A low window scrolls; the width does not depend on what is shown, else views would change with every selection.
  auto* scroll = new QScrollArea(this);
  scroll->setObjectName("scroll");
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(content);
  scroll->setMinimumWidth(content->minimumSizeHint().width() + scroll->verticalScrollBar()->sizeHint().width());
  this->setWidget(scroll);

  soon_.setSingleShot(true);
  QObject::connect(&soon_, &QTimer::timeout, this, &pqSpanwiseDock::refresh);
  QObject::connect(&memory_, &QTimer::timeout, this, &pqSpanwiseDock::refreshMemory);

  this->followApplication();
  QTimer::singleShot(startInterval, this, &pqSpanwiseDock::showOnce);
  QObject::connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible) {
      memory_.start(memoryInterval);
      soon_.start(std::chrono::milliseconds(0));
    } else {
      memory_.stop();
      soon_.stop();
    }
  });
}

// Opens for everybody the first time, whatever layout ParaView's window has kept; afterwards it is as people leave it.
void pqSpanwiseDock::showOnce() {
  pqSettings* const settings = pqApplicationCore::instance()->settings();
  if (!settings->value(shownKey).toBool()) {
    settings->setValue(shownKey, true);
    this->show();
    this->raise();
  }
}

// Whatever may change what is shown. Data of the selected output may also be new because another source is.
void pqSpanwiseDock::followApplication() {
  auto& active = pqActiveObjects::instance();
  QObject::connect(&active, &pqActiveObjects::serverChanged, this, &pqSpanwiseDock::outdate);
  QObject::connect(&active, &pqActiveObjects::selectionChanged, this, &pqSpanwiseDock::outdate);
  QObject::connect(&active, &pqActiveObjects::portChanged, this, &pqSpanwiseDock::outdate);
  QObject::connect(&active, &pqActiveObjects::viewUpdated, this, &pqSpanwiseDock::outdate);
  auto* const application = pqPVApplicationCore::instance();
  if (application == nullptr) {
    return;
  }
  auto* const model = application->getServerManagerModel();
  QObject::connect(model, &pqServerManagerModel::dataUpdated, this, &pqSpanwiseDock::outdate);
  QObject::connect(model, &pqServerManagerModel::modifiedStateChanged, this, &pqSpanwiseDock::outdate);
  QObject::connect(model, &pqServerManagerModel::nameChanged, this, &pqSpanwiseDock::outdate);
  QObject::connect(
    application->selectionManager(), &pqSelectionManager::selectionChanged, this, &pqSpanwiseDock::outdate);
  if (const auto* const undoStack = application->getUndoStack()) {
    QObject::connect(undoStack, &pqUndoStack::undone, this, &pqSpanwiseDock::outdate);
    QObject::connect(undoStack, &pqUndoStack::redone, this, &pqSpanwiseDock::outdate);
  }
}

void pqSpanwiseDock::outdate() {
  outdated_ = true;
  if (this->isVisible()) {
    soon_.start(std::chrono::milliseconds(0));
  }
}

bool pqSpanwiseDock::canAsk() const {
  const pqServer* server = pqActiveObjects::instance().activeServer();
  return server == nullptr || !(server->isProgressPending() || server->isProcessingPending());
}

void pqSpanwiseDock::refresh() {
  if (!outdated_) {
    return;
  }
  if (!this->canAsk()) {
    soon_.start(retryInterval);
    return;
  }
  outdated_ = false;
  const auto& active = pqActiveObjects::instance();
  runtime_->refresh(active.activeServer());
  output_->refresh(pqSpanwiseRuntimePanel::canReport(active.activeServer()) ? active.activePort() : nullptr);
  using Cells = pqSpanwiseFittingFilters::Cells;
  fitting_->refresh(output_->mayBeLattice() ? Cells::OfLattice : Cells::Any);
  fittingTitle_->setVisible(!fitting_->isHidden());
}

void pqSpanwiseDock::refreshMemory() {
  if (this->canAsk()) {
    runtime_->refresh(pqActiveObjects::instance().activeServer());
  }
}
