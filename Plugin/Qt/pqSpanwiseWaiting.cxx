#include "pqSpanwiseWaiting.h"

#include <pqApplicationCore.h>
#include <pqCoreUtilities.h>
#include <pqPipelineSource.h>
#include <pqProgressManager.h>
#include <pqServerManagerModel.h>

#include <vtkSMIntVectorProperty.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMProxy.h>

#include <QWidget>
#include <QWindow>

#include <cstring>

void pqSpanwiseWaiting::startup() {
  const auto* core = pqApplicationCore::instance();
  if (core == nullptr) {
    return;
  }
  const auto* model = core->getServerManagerModel();
  QObject::connect(model, &pqServerManagerModel::sourceAdded, this, &pqSpanwiseWaiting::sayInteractive);
  for (pqPipelineSource* source : model->findItems<pqPipelineSource*>()) {
    this->sayInteractive(source);
  }
  QObject::connect(
    core->getProgressManager(), &pqProgressManager::progressStartEvent, this, &pqSpanwiseWaiting::letAbort);
}

void pqSpanwiseWaiting::sayInteractive(pqPipelineSource* source) {
  vtkSMProxy* proxy = source->getProxy();
  auto* property = vtkSMIntVectorProperty::SafeDownCast(proxy->GetProperty("Interactive"));
  if (property == nullptr || std::strncmp(proxy->GetXMLName(), "Spanwise", std::strlen("Spanwise")) != 0) {
    return;
  }
  vtkSMPropertyHelper(property).Set(1);
  proxy->UpdateProperty("Interactive");
}

// ParaView 6.1 lets clicks through to the button, but not to the window that the button is in, which gets them first.
void pqSpanwiseWaiting::letAbort() {
  QWidget* main = pqCoreUtilities::mainWidget();
  QWindow* window = main != nullptr ? main->window()->windowHandle() : nullptr;
  pqProgressManager* progress = pqApplicationCore::instance()->getProgressManager();
  if (window != nullptr && !progress->nonBlockableObjects().contains(window)) {
    progress->addNonBlockableObject(window);
  }
}
