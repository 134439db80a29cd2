#include "pqSpanwiseExamples.h"

#include <pqApplicationCore.h>
#include <pqCoreUtilities.h>
#include <pqDeleteReaction.h>
#include <pqLoadStateReaction.h>
#include <pqPipelineSource.h>
#include <pqServerManagerModel.h>

#include <QAction>
#include <QDir>
#include <QFile>
#include <QMenu>
#include <QMessageBox>
#include <QTemporaryDir>

namespace {

constexpr const char* folder = ":/Spanwise/Examples";

// What stands between the first three quotation marks of a script.
QString documentationOf(const QString& script) {
  QFile file(script);
  if (!file.open(QIODevice::ReadOnly)) {
    return {};
  }
  return QString::fromUtf8(file.readAll()).section(R"(""")", 1, 1).trimmed();
}

// Whether the pipeline may be deleted: it is empty, or the user says so.
bool mayDeletePipeline() {
  const auto* model = pqApplicationCore::instance()->getServerManagerModel();
  return model->findItems<pqPipelineSource*>().isEmpty() ||
    pqCoreUtilities::promptUser("Spanwise/ExampleDeletesPipeline", QMessageBox::Question,
      QObject::tr("Open an example"), QObject::tr("All that is in the pipeline will be deleted. Go on?"),
      QMessageBox::Yes | QMessageBox::No, pqCoreUtilities::mainWidget());
}

} // namespace

pqSpanwiseExamples::pqSpanwiseExamples(QObject* parent) : QActionGroup(parent) {
  QMenu* menu = new QMenu(tr("Spanwise Examples"), pqCoreUtilities::mainWidget());
  menu->setObjectName("SpanwiseExamples");
  menu->setToolTipsVisible(true);
  for (const QString& name : QDir(folder).entryList({"*.py"}, QDir::Files, QDir::Name)) {
    const QString script = QDir(folder).filePath(name);
    const QString text = documentationOf(script);
    QAction* action = menu->addAction(text.section('\n', 0, 0));
    action->setObjectName(name.section('.', 0, 0));
    action->setToolTip(text.section('\n', 1).simplified());
    QObject::connect(action, &QAction::triggered, this, [this, script] { this->open(script); });
  }
  this->addAction(menu->menuAction());
}

void pqSpanwiseExamples::open(const QString& script) {
  if (!mayDeletePipeline()) {
    return;
  }
  pqDeleteReaction::deleteAll();
  QTemporaryDir copy; // ParaView reads files
  const QString path = copy.filePath(QFileInfo(script).fileName());
  if (!copy.isValid() || !QFile::copy(script, path)) {
    qCritical("The example cannot be written to %s", qUtf8Printable(path));
    return;
  }
  pqLoadStateReaction::loadState(path, /*dialogBlocked=*/true);
}
