#include "pqSpanwiseLive.h"

#include <pqApplicationCore.h>
#include <pqPipelineSource.h>
#include <pqServer.h>
#include <pqServerManagerModel.h>

#include <vtkSMProperty.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMProxy.h>

#include <QApplication>
#include <QWindow>

#include <algorithm>
#include <utility>

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

bool isFromUser(const QEvent& event) {
  switch (event.type()) {
  case QEvent::MouseButtonPress:
  case QEvent::MouseButtonRelease:
  case QEvent::MouseButtonDblClick:
  case QEvent::Wheel:
  case QEvent::KeyPress:
  case QEvent::KeyRelease:
    return true;
  default:
    return false;
  }
}

} // namespace

void pqSpanwiseLive::startup() {
  this->Timer.setSingleShot(true);
  QObject::connect(&this->Timer, &QTimer::timeout, this, &pqSpanwiseLive::goOn);
  qApp->installEventFilter(this);
  this->Timer.start(betweenFrames);
}

void pqSpanwiseLive::shutdown() {
  this->Timer.stop();
  qApp->removeEventFilter(this);
  this->Events.clear();
}

bool pqSpanwiseLive::eventFilter(QObject* receiver, QEvent* event) {
  // What a user does goes to windows first.
  const bool keepsOrder = event->type() == QEvent::MouseMove && !this->Events.empty();
  if (!(isFromUser(*event) || keepsOrder) || qobject_cast<QWindow*>(receiver) == nullptr || !this->Frame.isValid() ||
    this->Frame.elapsed() > patience) {
    return false;
  }
  if (this->GivesBack || (this->Events.empty() && isIdle(*pqApplicationCore::instance()))) {
    return false;
  }
  this->Events.emplace_back(receiver, event->clone());
  return true;
}

void pqSpanwiseLive::giveBackEvents() {
  const auto events = std::exchange(this->Events, {});
  this->GivesBack = true;
  for (const auto& [receiver, event] : events) {
    if (!receiver.isNull()) {
      QCoreApplication::sendEvent(receiver, event.get());
    }
  }
  this->GivesBack = false;
}

// The computation of a frame keeps the window busy: not while somebody turns the view, reads a menu or answers a
// question. ParaView's progress bar lets the timer fire while it computes.
void pqSpanwiseLive::goOn() {
  auto* const core = pqApplicationCore::instance();
  this->Timer.start(betweenFrames);
  if (core == nullptr || this->GivesBack || !isIdle(*core)) {
    return;
  }
  if (!this->Events.empty()) {
    this->giveBackEvents();
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
