#ifndef pqSpanwiseDock_h
#define pqSpanwiseDock_h

#include <pqTimer.h>

#include <QDockWidget>
#include <QTimer>

class pqSpanwiseFittingFilters;
class pqSpanwiseOutputPanel;
class pqSpanwiseRuntimePanel;

/// The dock window "Spanwise", which opens by itself: what the selected output holds, which filters fit, and what the
/// server computes with.
///
/// While it is visible it follows selection, data, Apply and Undo, and looks at the memory every two seconds. It never
/// executes a pipeline, and asks a server nothing while that is at work.
class pqSpanwiseDock : public QDockWidget {
  Q_OBJECT
public:
  explicit pqSpanwiseDock(QWidget* parent = nullptr);

private:
  void followApplication();
  void showOnce();
  void outdate();
  void refresh();
  void refreshMemory();
  [[nodiscard]] bool canAsk() const;

  pqSpanwiseRuntimePanel* runtime_;
  pqSpanwiseOutputPanel* output_;
  QWidget* fittingTitle_;
  pqSpanwiseFittingFilters* fitting_;
  pqTimer soon_; // several signals of one change become one refresh; a replayed session waits for it
  QTimer memory_;
  bool outdated_ = true;
};

#endif
