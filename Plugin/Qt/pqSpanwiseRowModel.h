#ifndef pqSpanwiseRowModel_h
#define pqSpanwiseRowModel_h

#include "SpanwiseGridSummary.h"

#include <QAbstractTableModel>

#include <vector>

/// The sampled rows of an interval set as a table: level (where there are several), z (in 3D), y, how many intervals,
/// and the first of them.
class pqSpanwiseRowModel : public QAbstractTableModel {
  Q_OBJECT
public:
  explicit pqSpanwiseRowModel(QObject* parent = nullptr);

  void setRows(const spanwise::GridSummary& summary);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  QVariant data(const QModelIndex& index, int role) const override;

private:
  enum class Column { Level, Z, Y, Count, Intervals };

  std::vector<spanwise::RowSample> rows_;
  std::vector<Column> columns_;
};

#endif
