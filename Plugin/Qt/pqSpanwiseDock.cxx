#include "pqSpanwiseDock.h"

#include "pqSpanwiseOutputPanel.h"
#include "pqSpanwiseRuntimePanel.h"

#include <pqActiveObjects.h>
#include <pqPVApplicationCore.h>
#include <pqProxyWidget.h>
#include <pqSelectionManager.h>
#include <pqServer.h>

#include <QVBoxLayout>

#include <chrono>

namespace {

constexpr std::chrono::milliseconds retryInterval{200};
constexpr std::chrono::milliseconds memoryInterval{2000};

} // namespace

pqSpanwiseDock::pqSpanwiseDock(QWidget* parent)
  : QDockWidget(tr("Spanwise"), parent), runtime_(new pqSpanwiseRuntimePanel(this)),
    output_(new pqSpanwiseOutputPanel(this)) {
  this->setObjectName("pqSpanwiseDock");
  runtime_->setObjectName("runtime");
  output_->setObjectName("output");

  auto* content = new QWidget(this);
  content->setObjectName("content");
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(6, 2, 6, 4);
  layout->addWidget(pqProxyWidget::newGroupLabelWidget(tr("Runtime"), content));
  layout->addWidget(runtime_);
  layout->addWidget(pqProxyWidget::newGroupLabelWidget(tr("Selected output"), content));
  layout->addWidget(output_, 1);
  this->setWidget(content);

  soon_.setSingleShot(true);
  QObject::connect(&soon_, &QTimer::timeout, this, &pqSpanwiseDock::refresh);
  QObject::connect(&memory_, &QTimer::timeout, this, &pqSpanwiseDock::refreshMemory);

  auto& active = pqActiveObjects::instance();
  QObject::connect(&active, &pqActiveObjects::serverChanged, this, &pqSpanwiseDock::outdate);
  QObject::connect(&active, &pqActiveObjects::portChanged, this, &pqSpanwiseDock::outdate);
  QObject::connect(&active, &pqActiveObjects::dataUpdated, this, &pqSpanwiseDock::outdate);
  if (auto* application = pqPVApplicationCore::instance()) {
    QObject::connect(
      application->selectionManager(), &pqSelectionManager::selectionChanged, this, &pqSpanwiseDock::outdate);
  }
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
}

void pqSpanwiseDock::refreshMemory() {
  if (this->canAsk()) {
    runtime_->refresh(pqActiveObjects::instance().activeServer());
  }
}
