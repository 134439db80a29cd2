// Clicks and keys that come while something is computed are lost neither in the main window nor in others, and keep
// their order.

#include "pqSpanwiseKeptEvents.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWindow>

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

/// Writes down what comes to it.
class Window : public QWindow {
public:
  Window(const char* name, std::vector<std::string>& log) : name_(name), log_(log) {}
  std::function<void()> then = [] {}; ///< once

protected:
  bool event(QEvent* event) override {
    switch (event->type()) {
    case QEvent::MouseButtonPress:
      note("press");
      break;
    case QEvent::MouseButtonRelease:
      note("release");
      break;
    case QEvent::MouseMove:
      note("move");
      break;
    case QEvent::KeyPress:
      note(static_cast<QKeyEvent*>(event)->text().toStdString());
      break;
    default:
      return QWindow::event(event);
    }
    return true;
  }

private:
  void note(const std::string& what) {
    log_.push_back(name_ + " " + what);
    std::exchange(then, [] {})();
  }

  std::string name_;
  std::vector<std::string>& log_;
};

void mouse(QWindow& window, QEvent::Type type) {
  QMouseEvent event(type, QPointF(1, 1), QPointF(1, 1), Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&window, &event);
}

void key(QWindow& window, const char* text) {
  QKeyEvent event(QEvent::KeyPress, Qt::Key_A, Qt::NoModifier, text);
  QCoreApplication::sendEvent(&window, &event);
}

class KeptEvents : public testing::Test {
protected:
  using Log = std::vector<std::string>;
  Log log;
  Window main{"main", log};
  Window dialog{"dialog", log};
  bool isBusy = false;
  std::unique_ptr<pqSpanwiseKeptEvents> events =
    std::make_unique<pqSpanwiseKeptEvents>([this](bool hasKept) { return hasKept || isBusy; });
};

TEST_F(KeptEvents, PassOnWhatComesMeanwhile) {
  key(main, "a");
  mouse(dialog, QEvent::MouseMove);
  EXPECT_TRUE(events->isEmpty());
  EXPECT_EQ(log, (Log{"main a", "dialog move"}));
}

TEST_F(KeptEvents, ComeBackInOrderFromAllWindows) {
  isBusy = true;
  mouse(main, QEvent::MouseMove); // of no click: nobody waits for it
  mouse(main, QEvent::MouseButtonPress);
  mouse(main, QEvent::MouseMove);
  mouse(main, QEvent::MouseButtonRelease);
  key(dialog, "b");
  isBusy = false;
  key(main, "c"); // comes after those that are kept
  EXPECT_EQ(log, (Log{"main move"}));
  events->giveBack();
  EXPECT_TRUE(events->isEmpty());
  EXPECT_EQ(log, (Log{"main move", "main press", "main move", "main release", "dialog b", "main c"}));
}

TEST_F(KeptEvents, AreGivenBackOnce) {
  isBusy = true;
  key(main, "a");
  main.then = [this] {
    EXPECT_TRUE(events->givesBack());
    key(dialog, "b"); // what a key leads to is not kept again
  };
  events->giveBack();
  EXPECT_EQ(log, (Log{"main a", "dialog b"}));
  events->giveBack();
  EXPECT_EQ(log.size(), 2U);
  EXPECT_FALSE(events->givesBack());
}

TEST_F(KeptEvents, OfWindowsThatAreGoneAreDropped) {
  isBusy = true;
  auto gone = std::make_unique<Window>("gone", log);
  key(*gone, "a");
  key(main, "b");
  gone.reset();
  events->giveBack();
  EXPECT_EQ(log, (Log{"main b"}));
}

TEST_F(KeptEvents, MayEndTheApplication) {
  isBusy = true;
  key(main, "a");
  key(main, "b");
  main.then = [this] { events.reset(); };
  events->giveBack();
  EXPECT_EQ(log, (Log{"main a", "main b"}));
}

} // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const QGuiApplication application(argc, argv);
  return RUN_ALL_TESTS();
}
