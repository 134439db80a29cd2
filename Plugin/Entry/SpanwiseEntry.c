/* The library that ParaView opens as a plugin. It opens the plugin itself, which lies beside it, or says what does not
 * fit. It is of plain C, so that every ParaView can open it, whatever libraries of VTK and C++ that one has. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void* plugin = NULL;

/* In the application's window of messages, where the process has VTK, of whatever version. */
static void showError(const char* text) {
  void (*show)(const char*) = (void (*)(const char*))dlsym(RTLD_DEFAULT, "_Z31vtkOutputWindowDisplayErrorTextPKc");
  if (show != NULL) {
    show(text);
  } else {
    fputs(text, stderr);
  }
}

/* Opens the plugin. Returns why this process cannot have it, or NULL. */
static const char* openPlugin(void) {
  /* A plugin of another VTK would bring its libraries along, and a process with two versions of VTK ends. */
  if (dlopen(SPANWISE_PARAVIEW_LIBRARY, RTLD_LAZY | RTLD_NOLOAD) == NULL) {
    return SPANWISE_PARAVIEW_LIBRARY " is not part of it";
  }
  Dl_info entry;
  if (dladdr((void*)&openPlugin, &entry) == 0) {
    return dlerror();
  }
  const char* slash = strrchr(entry.dli_fname, '/');
  const int length = slash == NULL ? 0 : (int)(slash + 1 - entry.dli_fname);
  char file[4096];
  if (snprintf(file, sizeof file, "%.*s" SPANWISE_PLUGIN_FILE, length, entry.dli_fname) >= (int)sizeof file) {
    return "its folder has too long a name";
  }
  plugin = dlopen(file, RTLD_LAZY | RTLD_GLOBAL);
  return plugin == NULL ? dlerror() : NULL;
}

/* ParaView closes what it has opened when it ends. */
__attribute__((destructor)) static void closePlugin(void) {
  if (plugin != NULL) {
    dlclose(plugin);
  }
}

/* ParaView's plugin, or NULL. A vtkPVPlugin, which this library does not know. */
__attribute__((visibility("default"))) void* pv_plugin_instance(void) {
  const char* why = openPlugin();
  if (why != NULL) {
    char text[8192];
    snprintf(text, sizeof text,
      "Spanwise: this plugin was compiled for " SPANWISE_PARAVIEW_VERSION
      ", and this is another ParaView: %s. Load the "
      "plugin of the Spanwise that was compiled for this one, or compile it with this one: Documentation/Installing.md "
      "says how.\n",
      why);
    showError(text);
    return NULL;
  }
  void* (*instance)(void) = (void* (*)(void))dlsym(plugin, "pv_plugin_instance");
  return instance == NULL ? NULL : instance();
}
