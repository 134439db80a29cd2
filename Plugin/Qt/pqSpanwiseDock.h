#ifndef pqSpanwiseDock_h
#define pqSpanwiseDock_h

#include <pqTimer.h>

#include <QDockWidget>
#include <QTimer>

class pqSpanwiseOutputPanel;
class pqSpanwiseRuntimePanel;

/// The dock window "Spanwise": what the server computes with, and the intervals behind the selected output.
///
/// While it is visible it follows the selection and the data, and looks at the memory every two seconds. It never
/// executes a pipeline, and asks a server nothing while that is at work.
class pqSpanwiseDock : public QDockWidget {
  Q_OBJECT
public:
  explicit pqSpanwiseDock(QWidget* parent = nullptr);

private:
  void outdate();
  void refresh();
  void refreshMemory();
  [[nodiscard]] bool canAsk() const;

  pqSpanwiseRuntimePanel* runtime_;
  pqSpanwiseOutputPanel* output_;
  pqTimer soon_; // several signals of one change become one refresh; a replayed session waits for it
  QTimer memory_;
  bool outdated_ = true;
};

#endif
