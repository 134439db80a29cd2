// The library that ParaView opens as a plugin. It needs none of VTK, so that every ParaView can open it: it opens the
// plugin itself, which lies beside it, or says what does not fit.

#include <dlfcn.h>

#include <cstdio>
#include <string>

namespace {

void* plugin = nullptr;

/// In the application's window of messages, where the process has VTK, of whatever version.
void showError(const std::string& text) {
  using Show = void (*)(const char*);
  if (auto* show = reinterpret_cast<Show>(dlsym(RTLD_DEFAULT, "_Z31vtkOutputWindowDisplayErrorTextPKc"))) {
    show((text + "\n").c_str());
  } else {
    std::fprintf(stderr, "%s\n", text.c_str());
  }
}

/// Why this process cannot have the plugin; empty where it can.
std::string misfit() {
  // Opening a plugin of another VTK brings its libraries along, and a process with two versions of VTK ends.
  if (dlopen(SPANWISE_PARAVIEW_LIBRARY, RTLD_LAZY | RTLD_NOLOAD) == nullptr) {
    return SPANWISE_PARAVIEW_LIBRARY " is not part of it";
  }
  Dl_info entry;
  dladdr(reinterpret_cast<void*>(&misfit), &entry);
  std::string file = entry.dli_fname;
  file.replace(file.rfind('/') + 1, std::string::npos, SPANWISE_PLUGIN_FILE);
  plugin = dlopen(file.c_str(), RTLD_LAZY | RTLD_GLOBAL);
  return plugin == nullptr ? dlerror() : "";
}

// ParaView closes what it has opened when it ends.
__attribute__((destructor)) void closePlugin() {
  if (plugin != nullptr) {
    dlclose(plugin);
  }
}

} // namespace

extern "C" {

/// ParaView's plugin, or null. A vtkPVPlugin, which this library does not know.
__attribute__((visibility("default"))) void* pv_plugin_instance() {
  const std::string why = misfit();
  if (!why.empty()) {
    showError("Spanwise: this plugin was compiled for " SPANWISE_PARAVIEW_VERSION ", and this is another ParaView: " + why +
              ". Load the plugin of the Spanwise that was compiled for this one, or compile it with this one: "
              "Documentation/Installing.md says how.");
    return nullptr;
  }
  using Instance = void* (*)();
  return reinterpret_cast<Instance>(dlsym(plugin, "pv_plugin_instance"))();
}

/// What ParaView 5 compares with its own before it asks for the plugin; it shows both where they differ.
__attribute__((visibility("default"))) const char* pv_plugin_query_verification_data() {
  return "Spanwise for " SPANWISE_PARAVIEW_VERSION;
}
}
