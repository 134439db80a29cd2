#ifndef pqSpanwiseMemoryNote_h
#define pqSpanwiseMemoryNote_h

#include <pqPropertyWidget.h>

#include <vtkSMSourceProxy.h>
#include <vtkWeakPointer.h>

class QLabel;

/// Says before Apply how much memory the output will take, and warns if that is most of what the server has. It is the
/// widget of the input of filters that make explicit cells, images, trees or blocks of intervals. In XML:
///
///     <InputProperty name="Input" ... panel_widget="spanwise_memory_note"/>
///     <Hints>
///       <MemoryEstimate .../>
///
/// SpanwiseMemoryEstimate.h says what the hint may be.
class pqSpanwiseMemoryNote : public pqPropertyWidget {
  Q_OBJECT
  /// The estimate, 0 while nothing is known of the input.
  Q_PROPERTY(qulonglong bytes READ bytes)
public:
  pqSpanwiseMemoryNote(vtkSMProxy* proxy, vtkSMProperty* property, QWidget* parent = nullptr);

  [[nodiscard]] qulonglong bytes() const { return bytes_; }

private Q_SLOTS:
  void follow();
  void refresh();

private:
  QLabel* icon_;
  QLabel* text_;
  vtkWeakPointer<vtkSMSourceProxy> followed_; ///< the input of which it is told when it executes
  qulonglong bytes_ = 0;
};

#endif
