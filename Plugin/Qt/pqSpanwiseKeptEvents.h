#ifndef pqSpanwiseKeptEvents_h
#define pqSpanwiseKeptEvents_h

#include <QEvent>
#include <QObject>
#include <QPointer>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

/// Keeps clicks and keys that come to windows, and gives them back in their order. Movements of the mouse are kept
/// after a click, as what is dragged depends on them.
class pqSpanwiseKeptEvents : public QObject {
  Q_OBJECT
public:
  /// Whether one that comes is to be kept; `hasKept`: there are others before it.
  using IsToKeep = std::function<bool(bool hasKept)>;

  /// Looks at what comes to all windows of the application from now on.
  explicit pqSpanwiseKeptEvents(IsToKeep isToKeep, QObject* parent = nullptr);
  ~pqSpanwiseKeptEvents() override;

  [[nodiscard]] bool isEmpty() const { return events_.empty(); }
  /// Whether events are just being given back: what they lead to may come here again.
  [[nodiscard]] bool givesBack() const { return givesBack_; }
  /// Sends them to their windows, as far as these still exist.
  void giveBack();

  bool eventFilter(QObject* receiver, QEvent* event) override;

private:
  IsToKeep isToKeep_;
  std::vector<std::pair<QPointer<QObject>, std::unique_ptr<QEvent>>> events_;
  bool givesBack_ = false;
};

#endif
