#include "pqSpanwiseRuntimePanel.h"

#include "SpanwiseProcessReport.h"
#include "pqSpanwiseForm.h"
#include "pqSpanwiseText.h"
#include "vtkSpanwiseRuntimeInformation.h"

#include <pqServer.h>

#include <vtkNew.h>
#include <vtkPVSession.h>
#include <vtkSMProxyDefinitionManager.h>
#include <vtkSMSession.h>
#include <vtkSMSessionProxyManager.h>

#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace {

constexpr int maxProcessLines = 6; // more of them scroll

using Reports = std::vector<spanwise::ProcessReport>;

Reports gather(pqServer* server, vtkPVSession::ServerFlags where) {
  vtkNew<vtkSpanwiseRuntimeInformation> information;
  server->session()->GatherInformation(where, information, 0);
  return information->Processes();
}

quint64 bytesNow(const spanwise::ProcessReport& report) {
  quint64 sum = 0;
  for (const spanwise::MemoryAccount& account : report.runtime.memory) {
    sum += account.bytesNow;
  }
  return sum;
}

quint64 bytesPeak(const spanwise::ProcessReport& report) {
  quint64 sum = 0;
  for (const spanwise::MemoryAccount& account : report.runtime.memory) {
    sum += account.bytesPeak;
  }
  return sum;
}

QString spacesText(const spanwise::RuntimeReport& runtime) {
  QStringList names;
  for (const std::string& name : runtime.executionSpaces) {
    names << QString::fromStdString(name);
  }
  if (names.size() > 1) {
    names[0] += QObject::tr(" (default)");
  }
  return names.join(", ");
}

QString threadsText(const spanwise::ProcessReport& report) {
  if (report.runtime.started) {
    return spanwise::countText(report.runtime.hostThreads);
  }
  return report.chosenThreads > 0 ? QObject::tr("%1 at first use").arg(report.chosenThreads) : QObject::tr("automatic");
}

bool computesOnDevice(const spanwise::ProcessReport& report) {
  return report.runtime.defaultExecutionSpace != report.runtime.hostExecutionSpace;
}

QString deviceText(const spanwise::ProcessReport& report) {
  const spanwise::RuntimeReport& runtime = report.runtime;
  if (!computesOnDevice(report)) {
    return QObject::tr("none (host only)");
  }
  if (!runtime.started) {
    return report.chosenDevice >= 0 ? QObject::tr("%1 at first use").arg(report.chosenDevice)
                                    : QObject::tr("automatic");
  }
  return runtime.numDevices > 1 ? QObject::tr("%1 (%2 of %3)")
                                    .arg(QString::fromStdString(runtime.deviceName))
                                    .arg(runtime.deviceId)
                                    .arg(runtime.numDevices)
                                : QString::fromStdString(runtime.deviceName);
}

// The one text of all, or the different ones.
template <class Text>
QString common(const Reports& reports, const Text& text) {
  QStringList texts;
  for (const spanwise::ProcessReport& report : reports) {
    texts << text(report);
  }
  texts.removeDuplicates();
  return texts.join("; ");
}

QString allThreadsText(const Reports& reports) {
  Reports started;
  std::copy_if(reports.begin(), reports.end(), std::back_inserter(started),
    [](const spanwise::ProcessReport& report) { return report.runtime.started; });
  if (reports.size() == 1 || started.empty()) {
    return common(reports, threadsText);
  }
  const auto fewer = [](const auto& x, const auto& y) { return x.runtime.hostThreads < y.runtime.hostThreads; };
  const auto [least, most] = std::minmax_element(started.begin(), started.end(), fewer);
  return QObject::tr("%1 in %2 of %3 processes")
    .arg(spanwise::rangeText(least->runtime.hostThreads, most->runtime.hostThreads))
    .arg(started.size())
    .arg(reports.size());
}

} // namespace

pqSpanwiseRuntimePanel::pqSpanwiseRuntimePanel(QWidget* parent)
  : QWidget(parent), form_(new pqSpanwiseForm(this)), note_(new QLabel(this)), processes_(new QTreeWidget(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(form_);
  layout->addWidget(note_);
  layout->addWidget(processes_);

  form_->setObjectName("form");
  spaces_ = form_->addLine(tr("Execution spaces"), "executionSpaces", tr("Where this build can compute"));
  threads_ = form_->addLine(
    tr("Threads"), "threads", tr("Host threads. Edit > Settings > Spanwise sets them before the first use"));
  device_ = form_->addLine(
    tr("Device"), "device", tr("The GPU. Edit > Settings > Spanwise sets its index before the first use"));
  memory_ = form_->addLine(tr("Memory in use"), "memory", tr("What interval sets, fields and workspaces hold now"));
  peak_ = form_->addLine(tr("Memory peak"), "memoryPeak", tr("What they held at most since the start"));
  toDevice_ = form_->addLine(tr("Moved to device"), "movedToDevice", tr("Bytes copied to the device since the start"));
  toHost_ = form_->addLine(tr("Moved to host"), "movedToHost", tr("Bytes copied from the device since the start"));

  note_->setObjectName("runtimeNote");
  note_->setWordWrap(true);
  note_->setTextFormat(Qt::PlainText);

  processes_->setObjectName("processes");
  processes_->setHeaderLabels({tr("Process"), tr("Threads"), tr("Memory")});
  processes_->setRootIsDecorated(false);
  processes_->setUniformRowHeights(true);
  processes_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  processes_->setSelectionMode(QAbstractItemView::NoSelection);
  processes_->setFocusPolicy(Qt::NoFocus);
  processes_->header()->setSectionResizeMode(QHeaderView::Stretch);
  this->clear(tr("Not connected."));
}

void pqSpanwiseRuntimePanel::clear(const QString& note) {
  for (QLabel* line : {spaces_, threads_, device_, memory_, peak_, toDevice_, toHost_}) {
    form_->setValue(line, {});
  }
  processes_->hide();
  note_->setText(note);
  note_->show();
}

bool pqSpanwiseRuntimePanel::canReport(pqServer* server) {
  return server != nullptr && server->session() != nullptr &&
    server->proxyManager()->GetProxyDefinitionManager()->HasDefinition("settings", "SpanwiseSettings");
}

void pqSpanwiseRuntimePanel::refresh(pqServer* server) {
  if (server == nullptr || server->session() == nullptr) {
    this->clear(tr("Not connected."));
    return;
  }
  if (!canReport(server)) {
    this->clear(tr("The server has not loaded the Spanwise plugin."));
    return;
  }
  const Reports servers = gather(server, vtkPVSession::DATA_SERVER);
  if (servers.empty()) {
    this->clear(tr("The server does not answer."));
    return;
  }
  this->showTotals(servers);
  this->showProcesses(servers, server->isRemote() ? gather(server, vtkPVSession::CLIENT) : Reports());
}

void pqSpanwiseRuntimePanel::showTotals(const Reports& reports) {
  quint64 now = 0;
  quint64 peak = 0;
  quint64 toDevice = 0;
  quint64 toHost = 0;
  for (const spanwise::ProcessReport& report : reports) {
    now += bytesNow(report);
    peak += bytesPeak(report);
    toDevice += report.runtime.bytesToDevice;
    toHost += report.runtime.bytesToHost;
  }
  form_->setValue(spaces_, common(reports, [](const auto& report) { return spacesText(report.runtime); }));
  form_->setValue(threads_, allThreadsText(reports));
  form_->setValue(memory_, spanwise::bytesText(now));
  form_->setValue(peak_, spanwise::bytesText(peak));
  const bool onDevice = std::any_of(reports.begin(), reports.end(), computesOnDevice);
  form_->setValue(device_, onDevice ? common(reports, deviceText) : QString());
  form_->setValue(toDevice_, onDevice ? spanwise::bytesText(toDevice) : QString());
  form_->setValue(toHost_, onDevice ? spanwise::bytesText(toHost) : QString());
  const QString problem = common(reports, [](const auto& report) { return QString::fromStdString(report.problem); });
  note_->setText(problem);
  note_->setVisible(!problem.isEmpty());
}

void pqSpanwiseRuntimePanel::showProcesses(const Reports& servers, const Reports& client) {
  processes_->setVisible(servers.size() + client.size() > 1);
  processes_->clear();
  const auto add = [this](const QString& name, const spanwise::ProcessReport& report) {
    auto* item = new QTreeWidgetItem(processes_);
    item->setText(0, name);
    item->setText(1, report.runtime.started ? spanwise::countText(report.runtime.hostThreads) : tr("idle"));
    item->setText(2, spanwise::bytesText(bytesNow(report)));
    const QString tip =
      tr("on %1\n%2").arg(QString::fromStdString(report.host), QString::fromStdString(toString(report.runtime)));
    for (int column = 0; column < processes_->columnCount(); ++column) {
      item->setToolTip(column, tip);
      item->setTextAlignment(column, column == 0 ? Qt::AlignLeft : Qt::AlignRight);
    }
  };
  for (const spanwise::ProcessReport& report : servers) {
    add(tr("server %1").arg(report.rank), report);
  }
  for (const spanwise::ProcessReport& report : client) {
    add(tr("client"), report);
  }
  const int lines = std::min(processes_->topLevelItemCount(), maxProcessLines);
  processes_->setFixedHeight(
    processes_->header()->sizeHint().height() + lines * processes_->sizeHintForRow(0) + 2 * processes_->frameWidth());
}
