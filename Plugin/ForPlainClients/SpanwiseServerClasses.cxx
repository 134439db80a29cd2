// The server manager makes objects by the names of their classes, once it has been told of them.
#include "Spanwise_client_server.h"

#include <vtkClientServerInterpreterInitializer.h>

namespace {
const bool IsRegistered = [] {
  vtkClientServerInterpreterInitializer::GetInitializer()->RegisterCallback(&Spanwise_client_server_initialize);
  return true;
}();
} // namespace
