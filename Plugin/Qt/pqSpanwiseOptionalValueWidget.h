#ifndef pqSpanwiseOptionalValueWidget_h
#define pqSpanwiseOptionalValueWidget_h

#include <pqPropertyWidget.h>

#include <QString>

class QCheckBox;
class pqLineEdit;

/// A number of which one value means that there is none, such as 0 for no limit: a check box, and beside it the field
/// for the number, which says what holds while the box is not checked. The property itself stays one number. In XML:
///
///     <IntVectorProperty ... panel_widget="spanwise_optional_value">
///       <Hints>
///         <OptionalValue off="0" text="no limit" first="100"/>
///
/// `off` is the value without a number, `text` says what it means, and `first` is the number that the field has when
/// the box is checked for the first time.
class pqSpanwiseOptionalValueWidget : public pqPropertyWidget {
  Q_OBJECT
  Q_PROPERTY(QString number READ number WRITE setNumber NOTIFY numberChanged)
public:
  pqSpanwiseOptionalValueWidget(vtkSMProxy* proxy, vtkSMProperty* property, QWidget* parent = nullptr);

  /// The value of the property as text: what is in the field, or `off`.
  [[nodiscard]] QString number() const;
  void setNumber(const QString& number);

Q_SIGNALS:
  void numberChanged();

private:
  void toggle(bool on);
  void edit();

  QCheckBox* box_;
  pqLineEdit* field_;
  QString off_;
  QString chosen_; ///< the number for when the box is checked
};

#endif
