#ifndef pqSpanwiseLive_h
#define pqSpanwiseLive_h

#include <QElapsedTimer>
#include <QEvent>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <memory>
#include <utility>
#include <vector>

/// Has sources with the property Live compute one frame after the other while somebody looks on. ParaView's own live
/// sources would be asked on the first rank alone; here all ranks are told.
///
/// ParaView drops clicks and keys that come while it computes, which here is nearly always: they are kept until the
/// frame is done. If a frame takes long they are ParaView's again, whose button stops it.
class pqSpanwiseLive : public QObject {
  Q_OBJECT
public:
  /// As ParaView calls them.
  void startup();
  void shutdown();

  bool eventFilter(QObject* receiver, QEvent* event) override;

private Q_SLOTS:
  void goOn();

private:
  void giveBackEvents();

  QTimer Timer;
  QElapsedTimer Frame; ///< since one was asked for; invalid before the first one
  std::vector<std::pair<QPointer<QObject>, std::unique_ptr<QEvent>>> Events;
  bool GivesBack = false;
};

#endif
