#include "pqSpanwiseLive.h"

#include "pqSpanwiseKeptEvents.h"

#include <pqApplicationCore.h>
#include <pqPipelineSource.h>
#include <pqServer.h>
#include <pqServerManagerModel.h>

#include <vtkSMProperty.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMProxy.h>

#include <QApplication>

#include <algorithm>

namespace {

// In milliseconds.
constexpr int betweenFrames = 40; ///< from one frame to the next
constexpr int whenDone = 200;     ///< where nothing is to go on
constexpr int patience = 2000;    ///< in which one does without a progress bar (SteppedFrames)

/// Whether no server computes anything.
bool isIdle(const pqApplicationCore& core) {
  const auto servers = core.getServerManagerModel()->findItems<pqServer*>();
  return std::none_of(servers.begin(), servers.end(),
    [](const pqServer* server) { return server->isProgressPending() || server->isProcessingPending(); });
}

/// Whether a source is to go on, and has anything left to compute.
bool hasFramesLeft(const pqPipelineSource& source) {
  vtkSMProxy* proxy = source.getProxy();
  vtkSMProperty* left = proxy->GetProperty("FramesLeft");
  if (left == nullptr || vtkSMPropertyHelper(proxy, "Live", /*quiet=*/true).GetAsInt() == 0 ||
    source.modifiedState() == pqProxy::UNINITIALIZED) {
    return false;
  }
  proxy->UpdatePropertyInformation(left);
  return vtkSMPropertyHelper(left).GetAsInt() > 0;
}

} // namespace

pqSpanwiseLive::pqSpanwiseLive() = default;

pqSpanwiseLive::~pqSpanwiseLive() = default;

void pqSpanwiseLive::startup() {
  this->Timer.setSingleShot(true);
  QObject::connect(&this->Timer, &QTimer::timeout, this, &pqSpanwiseLive::goOn);
  this->Events = std::make_unique<pqSpanwiseKeptEvents>([this](bool hasKept) {
    return this->Frame.isValid() && this->Frame.elapsed() <= patience &&
      (hasKept || !isIdle(*pqApplicationCore::instance()));
  });
  this->Timer.start(betweenFrames);
}

void pqSpanwiseLive::shutdown() {
  this->Timer.stop();
  this->Events.reset();
}

// The computation of a frame keeps the window busy: not while somebody turns the view, reads a menu or answers a
// question. ParaView's progress bar lets the timer fire while it computes.
void pqSpanwiseLive::goOn() {
  auto* const core = pqApplicationCore::instance();
  this->Timer.start(betweenFrames);
  if (core == nullptr || this->Events->givesBack() || !isIdle(*core)) {
    return;
  }
  if (!this->Events->isEmpty()) {
    this->Events->giveBack();
    return;
  }
  if (QApplication::mouseButtons() != Qt::NoButton || QApplication::activeModalWidget() != nullptr ||
    QApplication::activePopupWidget() != nullptr) {
    return;
  }
  bool goesOn = false;
  for (pqPipelineSource* source : core->getServerManagerModel()->findItems<pqPipelineSource*>()) {
    if (hasFramesLeft(*source)) {
      vtkSMProxy* proxy = source->getProxy();
      proxy->InvokeCommand("GoOn");
      proxy->MarkModified(proxy);
      goesOn = true;
    }
  }
  if (goesOn) {
    this->Frame.start();
    core->render();
  } else {
    this->Timer.start(whenDone);
  }
}
