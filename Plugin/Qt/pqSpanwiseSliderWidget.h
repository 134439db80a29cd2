#ifndef pqSpanwiseSliderWidget_h
#define pqSpanwiseSliderWidget_h

#include <pqPropertyWidget.h>

class QHBoxLayout;
class pqDoubleRangeWidget;
class pqHighlightableToolButton;

/// A number with a slider over the range that its domain gives, and any number in the field beside it: 1e300,
/// infinities where data has them. ParaView's own widget, which is the same otherwise, ends the application for numbers
/// far outside of the range: its slider's place does not fit an int then. In XML: panel_widget="spanwise_slider".
class pqSpanwiseSliderWidget : public pqPropertyWidget {
  Q_OBJECT
public:
  pqSpanwiseSliderWidget(vtkSMProxy* proxy, vtkSMProperty* property, QWidget* parent = nullptr);

  void apply() override;
  void reset() override;

private Q_SLOTS:
  void scale(double factor);
  void resetToDomain();
  void showThatDataChanged();
  void showInfinity();

private:
  void addSlider(QHBoxLayout* row);
  void addButtons(QHBoxLayout* row);
  void clearHighlight();

  pqDoubleRangeWidget* slider_ = nullptr;
  pqHighlightableToolButton* resetButton_ = nullptr; ///< where the range is that of data
};

#endif
