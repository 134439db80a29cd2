#include "pqSpanwiseOutputPanel.h"

#include "SpanwiseGridSummary.h"
#include "pqSpanwiseForm.h"
#include "pqSpanwiseRowModel.h"
#include "pqSpanwiseSelectedCells.h"
#include "pqSpanwiseText.h"
#include "vtkSpanwiseGridInformation.h"

#include <pqOutputPort.h>
#include <pqPipelineSource.h>

#include <vtkCellType.h>
#include <vtkNew.h>
#include <vtkPVDataInformation.h>
#include <vtkSMOutputPort.h>
#include <vtkSMSourceProxy.h>

#include <QHeaderView>
#include <QLabel>
#include <QRegularExpression>
#include <QTableView>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace {

constexpr const char* nothing = "Nothing is selected in the Pipeline Browser. To begin, open a file or choose "
                                "Sources > Spanwise > Make > Spanwise Interval Shape.";
constexpr int maxRows = 200;
constexpr int maxLevelLines = 8;
constexpr std::size_t maxSelectedCells = 10000; // as many numbers travel to the server

QString dimensionText(const spanwise::GridSummary& summary) {
  return summary.has2D && summary.has3D ? QObject::tr("2D and 3D")
    : summary.has2D                     ? QObject::tr("2D")
                                        : QObject::tr("3D");
}

// Cells of images and of AMR blocks that are hidden say that they are empty.
bool isOfLattice(unsigned char type) {
  return type == VTK_EMPTY_CELL || type == VTK_PIXEL || type == VTK_VOXEL || type == VTK_QUAD || type == VTK_HEXAHEDRON;
}

// Of a whole summary, or of a level.
template <class Summary>
QString bytesPerCellText(const Summary& summary) {
  return summary.numCells == 0
    ? QString()
    : QString::number(static_cast<double>(summary.geometryBytes) / static_cast<double>(summary.numCells), 'g', 3);
}

} // namespace

pqSpanwiseOutputPanel::pqSpanwiseOutputPanel(QWidget* parent)
  : QWidget(parent), form_(new pqSpanwiseForm(this)), levels_(new QTreeWidget(this)), note_(new QLabel(this)),
    table_(new QTableView(this)), model_(new pqSpanwiseRowModel(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(form_);
  layout->addWidget(levels_);
  layout->addWidget(note_);
  layout->addWidget(table_, 1);
  layout->addStretch(); // keeps the note at the top when there is no table

  form_->setObjectName("form");
  name_ = form_->addLine(tr("Name"), "outputName", tr("The output that is selected in the Pipeline Browser"));
  kind_ = form_->addLine(tr("Kind"), "kind", tr("What kind of data it is"));
  points_ = form_->addLine(tr("Points"), "points", tr("Points of all processes"));
  dimension_ = form_->addLine(tr("Dimension"), "dimension", tr("2D sets lie in a plane of constant z"));
  level_ = form_->addLine(tr("Level"), "level", tr("Cell size = root size / 2^level"));
  rows_ = form_->addLine(tr("Rows"), "rows", tr("Rows with at least one interval"));
  intervals_ = form_->addLine(tr("Intervals"), "intervals", tr("Runs of cells along x"));
  cells_ = form_->addLine(tr("Cells"), "cells", tr("Cells of all processes"));
  cellTypes_ = form_->addLine(tr("Cell types"), "cellTypes", tr("Which types of cells there are"));
  ghosts_ = form_->addLine(tr("Ghost cells"), "ghostCells", tr("Those of the cells that another process owns"));
  geometry_ = form_->addLine(tr("Geometry"), "geometryBytes", tr("Memory of the interval set and its lookup tables"));
  perCell_ = form_->addLine(tr("Bytes a cell"), "bytesPerCell", tr("Memory of the geometry over the number of cells"));
  arrays_ = form_->addLine(tr("Arrays"), "arrayBytes", tr("Memory of the cell and point arrays"));
  memory_ = form_->addLine(tr("Memory"), "outputBytes", tr("Memory of points, cells and arrays"));

  levels_->setObjectName("levels");
  levels_->setHeaderLabels({tr("level"), tr("intervals"), tr("cells"), tr("B/cell")});
  levels_->headerItem()->setToolTip(0, tr("Cell size = root size / 2^level"));
  levels_->headerItem()->setToolTip(3, tr("Bytes a cell: memory of the level's geometry over its number of cells"));
  levels_->setRootIsDecorated(false);
  levels_->setUniformRowHeights(true);
  levels_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  levels_->setSelectionMode(QAbstractItemView::NoSelection);
  levels_->setFocusPolicy(Qt::NoFocus);
  levels_->header()->setMinimumSectionSize(0);
  levels_->header()->setStretchLastSection(false);
  levels_->header()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);

  note_->setObjectName("outputNote");
  note_->setWordWrap(true);
  note_->setTextFormat(Qt::PlainText);

  table_->setObjectName("rowTable");
  table_->setModel(model_);
  table_->setShowGrid(false);
  table_->setAlternatingRowColors(true);
  table_->setWordWrap(false);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setMinimumHeight(100);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 4);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->horizontalHeader()->setHighlightSections(false);
  this->clear(tr(nothing));
}

void pqSpanwiseOutputPanel::clear(const QString& note) {
  for (QLabel* line : form_->findChildren<QLabel*>(QRegularExpression("."))) { // those of values have names
    form_->setValue(line, {});
  }
  model_->setRows({});
  levels_->hide();
  table_->hide();
  note_->setText(note);
}

void pqSpanwiseOutputPanel::refresh(pqOutputPort* output) {
  this->clear(tr(nothing));
  mayBeLattice_ = true;
  if (output == nullptr || output->getOutputPortProxy() == nullptr) {
    return;
  }
  const auto state = output->getSource()->modifiedState();
  if (this->showIntervals(output) || this->showOther(output)) {
    form_->setValue(name_, output->prettyName());
    if (state == pqProxy::MODIFIED) {
      note_->setText(tr("As it was before the changes that wait for Apply. ") + note_->text());
    }
    return;
  }
  note_->setText(
    (state == pqProxy::UNINITIALIZED ? tr("%1 has not been computed yet: press Apply.") : tr("%1 is empty."))
      .arg(output->prettyName()));
}

bool pqSpanwiseOutputPanel::showIntervals(pqOutputPort* output) {
  vtkNew<vtkSpanwiseGridInformation> information;
  information->SetPortNumber(output->getPortNumber());
  information->SetMaximumNumberOfRows(maxRows);
  const auto selected = spanwise::selectedCells(output, maxSelectedCells);
  for (const auto& [rank, cell] : selected) {
    information->AddCell(rank, cell);
  }
  output->getSourceProxy()->GatherInformation(information);
  const spanwise::GridSummary& summary = information->Summary();
  if (summary.numGrids == 0) {
    return false;
  }
  this->showSummary(summary);
  const qint64 shown = static_cast<qint64>(summary.rows.size());
  note_->setText(!selected.empty()
      ? tr("The intervals of %1 selected cells").arg(spanwise::countText(static_cast<qint64>(selected.size())))
      : shown < summary.numRows && summary.levels.size() > 1
      ? tr("%1 of %2 rows, the first ones of each level")
          .arg(spanwise::countText(shown), spanwise::countText(summary.numRows))
      : shown < summary.numRows
      ? tr("The first %1 of %2 rows").arg(spanwise::countText(shown), spanwise::countText(summary.numRows))
      : tr("All rows"));
  return true;
}

bool pqSpanwiseOutputPanel::showOther(pqOutputPort* output) {
  vtkNew<vtkPVDataInformation> information;
  information->SetPortNumber(output->getPortNumber());
  information->SetInspectCells(true);
  output->getSourceProxy()->GatherInformation(information);
  const qint64 numPoints = information->GetNumberOfPoints();
  const qint64 numCells = information->GetNumberOfCells();
  const qint64 numRows = information->GetNumberOfRows();
  if (numPoints + numCells + numRows == 0) {
    return false;
  }
  const auto countOf = [](qint64 count) { return count == 0 ? QString() : spanwise::countText(count); };
  form_->setValue(kind_, information->GetPrettyDataTypeString());
  form_->setValue(points_, countOf(numPoints));
  form_->setValue(cells_, countOf(numCells));
  form_->setValue(rows_, countOf(numRows));
  const std::vector<unsigned char>& types = information->GetUniqueCellTypes();
  mayBeLattice_ = std::all_of(types.begin(), types.end(), isOfLattice);
  form_->setValue(cellTypes_, spanwise::cellTypesText(types));
  form_->setValue(memory_, spanwise::bytesText(1024 * static_cast<quint64>(information->GetMemorySize())));
  note_->clear();
  return true;
}

void pqSpanwiseOutputPanel::showSummary(const spanwise::GridSummary& summary) {
  form_->setValue(dimension_, dimensionText(summary));
  form_->setValue(level_, spanwise::rangeText(summary.minLevel, summary.maxLevel));
  form_->setValue(rows_, spanwise::countText(summary.numRows));
  form_->setValue(intervals_, spanwise::countText(summary.numIntervals));
  form_->setValue(cells_, spanwise::countText(summary.numCells));
  form_->setValue(ghosts_, summary.numGhostCells == 0 ? QString() : spanwise::countText(summary.numGhostCells));
  form_->setValue(geometry_, spanwise::bytesText(summary.geometryBytes));
  form_->setValue(perCell_, bytesPerCellText(summary));
  form_->setValue(arrays_, spanwise::bytesText(summary.arrayBytes));
  this->showLevels(summary.levels);
  model_->setRows(summary);
  for (int column = 0; column + 1 < model_->columnCount(); ++column) {
    table_->resizeColumnToContents(column);
  }
  table_->show();
}

void pqSpanwiseOutputPanel::showLevels(const std::vector<spanwise::LevelSummary>& levels) {
  levels_->setVisible(levels.size() > 1);
  levels_->clear();
  for (const spanwise::LevelSummary& level : levels) {
    auto* item = new QTreeWidgetItem(levels_);
    item->setText(0, spanwise::countText(level.level));
    item->setText(1, spanwise::countText(level.numIntervals));
    item->setText(2, spanwise::countText(level.numCells));
    item->setText(3, bytesPerCellText(level));
    const QString tip =
      tr("%1 rows, geometry of %2").arg(spanwise::countText(level.numRows), spanwise::bytesText(level.geometryBytes));
    for (int column = 0; column < levels_->columnCount(); ++column) {
      item->setToolTip(column, tip);
      item->setTextAlignment(column, Qt::AlignRight);
    }
  }
  for (int column = 0; column < levels_->columnCount(); ++column) {
    levels_->resizeColumnToContents(column);
  }
  const int lines = std::min(levels_->topLevelItemCount(), maxLevelLines);
  levels_->setFixedHeight(
    levels_->header()->sizeHint().height() + lines * levels_->sizeHintForRow(0) + 2 * levels_->frameWidth());
}
