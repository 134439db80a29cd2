#ifndef pqSpanwiseForm_h
#define pqSpanwiseForm_h

#include <QWidget>

class QFormLayout;
class QLabel;

/// Lines of a name and a value that can be selected and copied. Lines without a value are hidden.
class pqSpanwiseForm : public QWidget {
  Q_OBJECT
public:
  explicit pqSpanwiseForm(QWidget* parent = nullptr);

  /// Adds a line. `objectName` names the value's label.
  QLabel* addLine(const QString& name, const char* objectName, const QString& toolTip);
  /// Sets a line's value, shortened in its middle if it is long; the line is hidden if it is empty.
  void setValue(QLabel* line, const QString& value);

private:
  QFormLayout* layout_;
  int valueWidth_ = 0;
};

#endif
