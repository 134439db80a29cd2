#ifndef pqSpanwiseExamples_h
#define pqSpanwiseExamples_h

#include <QActionGroup>

/// Help > Spanwise Examples: Python states on built-in sources, which a click opens. What is in the pipeline is deleted
/// before, after a question. They are the files of Examples/Application, which the plugin carries as resources: the
/// first line of a file's text names it in the menu, and the rest is its tool tip.
class pqSpanwiseExamples : public QActionGroup {
  Q_OBJECT
public:
  explicit pqSpanwiseExamples(QObject* parent);

private:
  void open(const QString& script);
};

#endif
