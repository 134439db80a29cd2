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
  QLabel* name_;
  QLabel* dimension_;
  QLabel* level_;
  QLabel* rows_;
  QLabel* intervals_;
  QLabel* cells_;
  QLabel* ghosts_;
  QLabel* geometry_;
  QLabel* perCell_;
  QLabel* arrays_;
  QLabel* note_;
  QTableView* table_;
  pqSpanwiseRowModel* model_;
};

#endif
