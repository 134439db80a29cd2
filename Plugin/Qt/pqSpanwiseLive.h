#ifndef pqSpanwiseLive_h
#define pqSpanwiseLive_h

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <memory>

class pqSpanwiseKeptEvents;

/// Has sources with the property Live compute one frame after the other while somebody looks on. ParaView's own live
/// sources would be asked on the first rank alone; here all ranks are told.
///
/// ParaView drops clicks and keys that come while it computes, which here is nearly always: they are kept until the
/// frame is done. If a frame takes long they are ParaView's again, whose button stops it.
class pqSpanwiseLive : public QObject {
  Q_OBJECT
public:
  pqSpanwiseLive();
  ~pqSpanwiseLive() override;

  /// As ParaView calls them.
  void startup();
  void shutdown();

private Q_SLOTS:
  void goOn();

private:
  QTimer Timer;
  QElapsedTimer Frame; ///< since one was asked for; invalid before the first one
  std::unique_ptr<pqSpanwiseKeptEvents> Events;
};

#endif
