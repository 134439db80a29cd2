#ifndef pqSpanwiseSetExpressionWidget_h
#define pqSpanwiseSetExpressionWidget_h

#include <pqPropertyGroupWidget.h>

#include <QVariant>

#include <vector>

class QGridLayout;
class QLabel;
class QLineEdit;
class QMenu;
class pqSpanwiseExpressionEdit;

namespace spanwise::geometry {
class SetExpression;
} // namespace spanwise::geometry

/// The panel of Spanwise Set Expression: which name stands for which input, the text, and what is wrong with it.
///
/// Functions of the property group: Expression, a text, and Names, the names of the inputs of the property Input.
class pqSpanwiseSetExpressionWidget : public pqPropertyGroupWidget {
  Q_OBJECT
  Q_PROPERTY(QList<QVariant> names READ names WRITE setNames NOTIFY namesChanged)
public:
  pqSpanwiseSetExpressionWidget(vtkSMProxy* proxy, vtkSMPropertyGroup* group, QWidget* parent = nullptr);

  /// The given names in the order of the inputs, empty for those that have none, up to the last that has one.
  [[nodiscard]] QList<QVariant> names() const;
  void setNames(const QList<QVariant>& names);

Q_SIGNALS:
  void namesChanged();

private Q_SLOTS:
  void showInputs();

private:
  void check();
  void showHint();
  void fillInsertMenu();
  void showUse(const spanwise::geometry::SetExpression& expression);
  void showError(const QString& message, const QString& caret);
  [[nodiscard]] std::vector<std::string> allNames() const;

  QGridLayout* inputLines_;
  std::vector<QLineEdit*> nameEdits_;
  QStringList names_;  ///< given or empty, one for each input at least
  QStringList inputs_; ///< what they are in the pipeline
  pqSpanwiseExpressionEdit* text_;
  QMenu* insertMenu_;
  QLabel* message_;
  QLabel* caret_;
  QLabel* hint_;
};

#endif
