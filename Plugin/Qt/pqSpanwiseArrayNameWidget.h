#ifndef pqSpanwiseArrayNameWidget_h
#define pqSpanwiseArrayNameWidget_h

#include <pqPropertyWidget.h>

#include <QString>

class QComboBox;
class vtkSMArrayListDomain;

/// A list of the arrays that a property may name, which its ArrayListDomain knows, and None, which is an empty name.
/// ParaView's own list needs an input to have none in it. In XML: panel_widget="spanwise_array_name", with the hint
/// NoDefault, else the first array is chosen.
class pqSpanwiseArrayNameWidget : public pqPropertyWidget {
  Q_OBJECT
  Q_PROPERTY(QString arrayName READ arrayName WRITE setArrayName NOTIFY arrayNameChanged)
public:
  pqSpanwiseArrayNameWidget(vtkSMProxy* proxy, vtkSMProperty* property, QWidget* parent = nullptr);

  [[nodiscard]] QString arrayName() const;
  /// Chooses an array, also one that is not there.
  void setArrayName(const QString& name);

Q_SIGNALS:
  void arrayNameChanged();

private Q_SLOTS:
  void showArrays();

private:
  QComboBox* list_;
  vtkSMArrayListDomain* arrays_;
};

#endif
