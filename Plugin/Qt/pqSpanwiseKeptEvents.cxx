#include "pqSpanwiseKeptEvents.h"

#include <QCoreApplication>
#include <QWindow>

namespace {

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

pqSpanwiseKeptEvents::pqSpanwiseKeptEvents(IsToKeep isToKeep, QObject* parent)
  : QObject(parent), isToKeep_(std::move(isToKeep)) {
  QCoreApplication::instance()->installEventFilter(this);
}

pqSpanwiseKeptEvents::~pqSpanwiseKeptEvents() = default;

bool pqSpanwiseKeptEvents::eventFilter(QObject* receiver, QEvent* event) {
  const bool keepsOrder = event->type() == QEvent::MouseMove && !events_.empty();
  // What a user does goes to windows first.
  if (givesBack_ || !(isFromUser(*event) || keepsOrder) || qobject_cast<QWindow*>(receiver) == nullptr ||
    !isToKeep_(!events_.empty())) {
    return false;
  }
  events_.emplace_back(receiver, event->clone());
  return true;
}

void pqSpanwiseKeptEvents::giveBack() {
  const auto events = std::exchange(events_, {});
  const QPointer<pqSpanwiseKeptEvents> self(this); // a click may end the application
  givesBack_ = true;
  for (const auto& [receiver, event] : events) {
    if (!receiver.isNull()) {
      QCoreApplication::sendEvent(receiver, event.get());
    }
  }
  if (!self.isNull()) {
    givesBack_ = false;
  }
}
