#ifndef pqSpanwiseOutputPanel_h
#define pqSpanwiseOutputPanel_h

#include <QWidget>

class QLabel;
class QTableView;
class pqOutputPort;
class pqSpanwiseForm;
class pqSpanwiseRowModel;
namespace spanwise {
struct GridSummary;
}

/// The intervals behind an output: counts, bytes, and its first rows, or the rows of the cells that are selected in it.
class pqSpanwiseOutputPanel : public QWidget {
  Q_OBJECT
public:
  explicit pqSpanwiseOutputPanel(QWidget* parent = nullptr);

  /// Asks the server what the output holds now. Nothing is executed. Null clears the panel.
  void refresh(pqOutputPort* output);

private:
  void clear(const QString& note);
  void showSummary(const spanwise::GridSummary& summary);

  pqSpanwiseForm* form_;
  QLabel* name_ = nullptr;
  QLabel* dimension_ = nullptr;
  QLabel* level_ = nullptr;
  QLabel* rows_ = nullptr;
  QLabel* intervals_ = nullptr;
  QLabel* cells_ = nullptr;
  QLabel* ghosts_ = nullptr;
  QLabel* geometry_ = nullptr;
  QLabel* perCell_ = nullptr;
  QLabel* arrays_ = nullptr;
  QLabel* note_;
  QTableView* table_;
  pqSpanwiseRowModel* model_;
};

#endif
