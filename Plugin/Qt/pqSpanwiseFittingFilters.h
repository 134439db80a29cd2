#ifndef pqSpanwiseFittingFilters_h
#define pqSpanwiseFittingFilters_h

#include <QLabel>

/// The filters of the menu Filters > Spanwise that take what is selected, as links that add them to the pipeline.
class pqSpanwiseFittingFilters : public QLabel {
  Q_OBJECT
  /// The names of their proxies in alphabetical order, with commas.
  Q_PROPERTY(QString filters READ filters)
public:
  explicit pqSpanwiseFittingFilters(QWidget* parent = nullptr);

  /// What the selection consists of: cells that may be those of a lattice, or others.
  enum class Cells { OfLattice, Any };

  /// Asks ParaView's menu which of them it would enable now. For cells that are of no lattice they are those whose hint
  /// is `<ShowInMenu cells="any"/>`: the types of data do not tell. Hidden if there are none.
  void refresh(Cells cells);

  [[nodiscard]] QString filters() const { return filters_; }

private:
  QString filters_;
};

#endif
