#ifndef pqSpanwiseProgressLabels_h
#define pqSpanwiseProgressLabels_h

#include <QObject>

class pqPipelineSource;

/// Lets ParaView's progress bar name our sources and filters by their labels; without a text of theirs it shows the
/// names of C++ classes. Readers and writers, which have parts, say their own.
class pqSpanwiseProgressLabels : public QObject {
  Q_OBJECT
public:
  explicit pqSpanwiseProgressLabels(QObject* parent = nullptr);

  void startup();
  void shutdown();

private:
  void label(pqPipelineSource* source);
};

#endif
