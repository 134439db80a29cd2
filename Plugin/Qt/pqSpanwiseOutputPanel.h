#ifndef pqSpanwiseOutputPanel_h
#define pqSpanwiseOutputPanel_h

#include <QWidget>

#include <vector>

class QLabel;
class QTableView;
class QTreeWidget;
class pqOutputPort;
class pqSpanwiseForm;
class pqSpanwiseRowModel;
namespace spanwise {
struct GridSummary;
struct LevelSummary;
} // namespace spanwise

/// What an output holds. Of intervals: counts and bytes, level by level where there are
/// several, and its first rows, or the rows of the cells that are selected in it. Of meshes, particles and all else:
/// kind, points, cells and their types, and bytes.
class pqSpanwiseOutputPanel : public QWidget {
  Q_OBJECT
public:
  explicit pqSpanwiseOutputPanel(QWidget* parent = nullptr);

  /// Asks the server what the output holds now. Nothing is executed. Null clears the panel.
  void refresh(pqOutputPort* output);
  /// Whether the cells may be those of a lattice, by what they are: intervals, trees, pixels, voxels,
  /// quadrilaterals, hexahedra, hidden ones.
  [[nodiscard]] bool mayBeLattice() const { return mayBeLattice_; }

private:
  void clear(const QString& note);
  bool showIntervals(pqOutputPort* output);
  bool showOther(pqOutputPort* output);
  void showSummary(const spanwise::GridSummary& summary);
  void showLevels(const std::vector<spanwise::LevelSummary>& levels);

  bool mayBeLattice_ = true;
  pqSpanwiseForm* form_;
  QLabel* name_ = nullptr;
  QLabel* kind_ = nullptr;
  QLabel* points_ = nullptr;
  QLabel* cellTypes_ = nullptr;
  QLabel* dimension_ = nullptr;
  QLabel* level_ = nullptr;
  QLabel* rows_ = nullptr;
  QLabel* intervals_ = nullptr;
  QLabel* cells_ = nullptr;
  QLabel* ghosts_ = nullptr;
  QLabel* geometry_ = nullptr;
  QLabel* perCell_ = nullptr;
  QLabel* arrays_ = nullptr;
  QLabel* memory_ = nullptr;
  QTreeWidget* levels_;
  QLabel* note_;
  QTableView* table_;
  pqSpanwiseRowModel* model_;
};

#endif
