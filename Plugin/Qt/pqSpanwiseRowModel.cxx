#include "pqSpanwiseRowModel.h"

#include "pqSpanwiseText.h"

#include <algorithm>

namespace {

// Beyond this no line of a table or of a tool tip can be read.
constexpr std::size_t maxInCell = 16;
constexpr std::size_t maxInToolTip = 64;

QString intervalsText(const spanwise::RowSample& row, std::size_t most, const QString& separator) {
  const std::size_t known = row.ends.size() / 2;
  const std::size_t shown = std::min(known, most);
  QStringList texts;
  for (std::size_t i = 0; i < shown; ++i) {
    texts << QString("[%1, %2)").arg(row.ends[2 * i]).arg(row.ends[2 * i + 1]);
  }
  if (static_cast<std::int64_t>(shown) < row.numIntervals) {
    texts << QString::fromUtf8("\u2026");
  }
  return texts.join(separator);
}

} // namespace

pqSpanwiseRowModel::pqSpanwiseRowModel(QObject* parent) : QAbstractTableModel(parent) {}

void pqSpanwiseRowModel::setRows(const spanwise::GridSummary& summary) {
  this->beginResetModel();
  rows_ = summary.rows;
  columns_.clear();
  if (summary.minLevel != summary.maxLevel) {
    columns_.push_back(Column::Level);
  }
  if (summary.has3D) {
    columns_.push_back(Column::Z);
  }
  columns_.insert(columns_.end(), {Column::Y, Column::Count, Column::Intervals});
  this->endResetModel();
}

int pqSpanwiseRowModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int pqSpanwiseRowModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant pqSpanwiseRowModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= this->columnCount()) {
    return {};
  }
  const Column column = columns_[static_cast<std::size_t>(section)];
  if (role == Qt::TextAlignmentRole) {
    return QVariant(column == Column::Intervals ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
  }
  if (role == Qt::ToolTipRole) {
    switch (column) {
    case Column::Level:
      return tr("The level of the row: cells are root size / 2^level");
    case Column::Z:
      return tr("The row's cell coordinate along z");
    case Column::Y:
      return tr("The row's cell coordinate along y");
    case Column::Count:
      return tr("How many intervals the row has");
    case Column::Intervals:
      return tr("The cells [begin, end) along x that the row has");
    }
  }
  if (role == Qt::DisplayRole) {
    switch (column) {
    case Column::Level:
      return tr("level");
    case Column::Z:
      return tr("z");
    case Column::Y:
      return tr("y");
    case Column::Count:
      return tr("count");
    case Column::Intervals:
      return tr("intervals");
    }
  }
  return {};
}

QVariant pqSpanwiseRowModel::data(const QModelIndex& index, int role) const {
  if (!this->checkIndex(index, CheckIndexOption::IndexIsValid)) {
    return {};
  }
  const spanwise::RowSample& row = rows_[static_cast<std::size_t>(index.row())];
  const Column column = columns_[static_cast<std::size_t>(index.column())];
  if (role == Qt::TextAlignmentRole && column != Column::Intervals) {
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  }
  if (role == Qt::ToolTipRole && column == Column::Intervals) {
    return intervalsText(row, maxInToolTip, " ");
  }
  if (role == Qt::DisplayRole) {
    switch (column) {
    case Column::Level:
      return row.level;
    case Column::Z:
      return row.z;
    case Column::Y:
      return row.y;
    case Column::Count:
      return spanwise::countText(row.numIntervals);
    case Column::Intervals:
      return intervalsText(row, maxInCell, "  ");
    }
  }
  return {};
}
