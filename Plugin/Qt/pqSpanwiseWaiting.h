#ifndef pqSpanwiseWaiting_h
#define pqSpanwiseWaiting_h

#include <QObject>

class pqPipelineSource;

/// Keeps people from waiting at ParaView's window: says to filters that ask for it (with the property Interactive) that
/// somebody waits for them, and lets the button beside the progress bar stop what runs.
class pqSpanwiseWaiting : public QObject {
  Q_OBJECT
public:
  /// As ParaView calls them.
  void startup();
  void shutdown() {}

private Q_SLOTS:
  void sayInteractive(pqPipelineSource* source);
  void letAbort();
};

#endif
