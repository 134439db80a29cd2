#include "pqSpanwiseProgressLabels.h"

#include <pqApplicationCore.h>
#include <pqPipelineSource.h>
#include <pqServerManagerModel.h>

#include <vtkClientServerStream.h>
#include <vtkSMProxy.h>
#include <vtkSMSession.h>

#include <cstring>

namespace {

void setProgressText(vtkSMProxy* proxy, const char* text) {
  proxy->UpdateVTKObjects(); // makes the object if there is none yet
  vtkClientServerStream stream;
  stream << vtkClientServerStream::Invoke << VTKOBJECT(proxy) << "SetProgressText" << text
         << vtkClientServerStream::End;
  proxy->GetSession()->ExecuteStream(proxy->GetLocation(), stream);
}

} // namespace

pqSpanwiseProgressLabels::pqSpanwiseProgressLabels(QObject* parent) : QObject(parent) {}

void pqSpanwiseProgressLabels::startup() {
  pqServerManagerModel* const model = pqApplicationCore::instance()->getServerManagerModel();
  QObject::connect(model, &pqServerManagerModel::sourceAdded, this, &pqSpanwiseProgressLabels::label);
  for (pqPipelineSource* source : model->findItems<pqPipelineSource*>()) {
    this->label(source);
  }
}

void pqSpanwiseProgressLabels::shutdown() {
  if (auto* application = pqApplicationCore::instance()) {
    application->getServerManagerModel()->disconnect(this);
  }
}

void pqSpanwiseProgressLabels::label(pqPipelineSource* source) {
  vtkSMProxy* const proxy = source->getProxy();
  if (proxy->GetXMLName() != nullptr && std::strncmp(proxy->GetXMLName(), "Spanwise", 8) == 0) {
    setProgressText(proxy, proxy->GetXMLLabel());
  }
}
