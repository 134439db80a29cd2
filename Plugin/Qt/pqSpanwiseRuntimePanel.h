#ifndef pqSpanwiseRuntimePanel_h
#define pqSpanwiseRuntimePanel_h

#include <QWidget>

#include <vector>

class QLabel;
class QTreeWidget;
class pqServer;
class pqSpanwiseForm;
namespace spanwise {
struct ProcessReport;
}

/// What the server's processes compute with, how much memory they hold and how much they moved; process by process
/// where there are several.
class pqSpanwiseRuntimePanel : public QWidget {
  Q_OBJECT
public:
  explicit pqSpanwiseRuntimePanel(QWidget* parent = nullptr);

  /// Whether the server has loaded the plugin; one that has not would answer with errors.
  static bool canReport(pqServer* server);

  /// Asks the server's processes, and the client where it is another one. Null clears the panel.
  void refresh(pqServer* server);

private:
  void clear(const QString& note);
  void showTotals(const std::vector<spanwise::ProcessReport>& reports);
  void showProcesses(
    const std::vector<spanwise::ProcessReport>& servers, const std::vector<spanwise::ProcessReport>& client);

  pqSpanwiseForm* form_;
  QLabel* spaces_ = nullptr;
  QLabel* threads_ = nullptr;
  QLabel* device_ = nullptr;
  QLabel* memory_ = nullptr;
  QLabel* peak_ = nullptr;
  QLabel* toDevice_ = nullptr;
  QLabel* toHost_ = nullptr;
  QLabel* note_;
  QTreeWidget* processes_;
};

#endif
