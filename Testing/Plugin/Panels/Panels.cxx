// Every proxy that people see has a panel in which every property that is not hidden has a widget, which does not begin
// with periodic axes, nor has them before a table of points, whose sliders take any number, and whose check boxes of
// numbers that may be none follow the number and set it. A note on memory says what is then taken; and what executes
// names itself by its label in the progress bar. A newcomer sees few properties, all others are advanced. Pictures of
// each panel, as a newcomer sees it and with what is advanced, go to a folder, to be looked at.
//
// usage: SpanwisePanels plugin.so pictures definition.xml...

#include <pqInterfaceTracker.h>
#include <pqObjectBuilder.h>
#include <pqPVApplicationCore.h>
#include <pqPropertyWidget.h>
#include <pqProxyWidget.h>
#include <pqServer.h>
#include <pqServerResource.h>
#include <pqStandardPropertyWidgetInterface.h>

#include <vtkAlgorithm.h>
#include <vtkDataObjectTypes.h>
#include <vtkNew.h>
#include <vtkPVDataInformation.h>
#include <vtkPVXMLElement.h>
#include <vtkPVXMLParser.h>
#include <vtkSMDataTypeDomain.h>
#include <vtkSMInputProperty.h>
#include <vtkSMParaViewPipelineController.h>
#include <vtkSMPluginManager.h>
#include <vtkSMProperty.h>
#include <vtkSMPropertyGroup.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMPropertyIterator.h>
#include <vtkSMProxy.h>
#include <vtkSMProxyManager.h>
#include <vtkSMSessionProxyManager.h>
#include <vtkSMSourceProxy.h>
#include <vtkSMUncheckedPropertyHelper.h>
#include <vtkSmartPointer.h>

#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>

#include <cstring>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include <malloc.h>

namespace {

using Inputs = std::vector<vtkSmartPointer<vtkSMSourceProxy>>;

bool peopleSee(const std::string& group) {
  return group == "sources" || group == "filters" || group == "writers" || group == "settings";
}

// Whether a group of properties with a widget of its own shows the property.
bool shownByGroup(vtkSMProxy* proxy, const char* name) {
  for (unsigned int k = 0; k < proxy->GetNumberOfPropertyGroups(); ++k) {
    vtkSMPropertyGroup* group = proxy->GetPropertyGroup(k);
    if (group->GetPanelWidget() == nullptr || std::strlen(group->GetPanelWidget()) == 0) {
      continue;
    }
    for (unsigned int p = 0; p < group->GetNumberOfProperties(); ++p) {
      if (std::strcmp(proxy->GetPropertyName(group->GetProperty(p)), name) == 0) {
        return true;
      }
    }
  }
  return false;
}

// Whether the proxy's hints hide the property.
bool hidden(vtkSMProxy* proxy, const char* name) {
  vtkPVXMLElement* hints = proxy->GetHints();
  for (unsigned int k = 0; hints != nullptr && k < hints->GetNumberOfNestedElements(); ++k) {
    vtkPVXMLElement* hint = hints->GetNestedElement(k);
    if (std::strcmp(hint->GetName(), "Property") == 0 && std::strcmp(hint->GetAttributeOrEmpty("name"), name) == 0 &&
      std::strcmp(hint->GetAttributeOrEmpty("show"), "0") == 0) {
      return true;
    }
  }
  return false;
}

// Whether people should find a widget for the property.
bool wantsWidget(vtkSMProxy* proxy, const char* name, vtkSMProperty* property) {
  return !property->IsA("vtkSMInputProperty") && !property->GetInformationOnly() && !property->GetIsInternal() &&
    QString(property->GetPanelVisibility()) != "never" && !hidden(proxy, name) && !shownByGroup(proxy, name);
}

int countMissing(vtkSMProxy* proxy, const pqProxyWidget& panel) {
  int missing = 0;
  auto properties = vtkSmartPointer<vtkSMPropertyIterator>::Take(proxy->NewPropertyIterator());
  for (properties->Begin(); !properties->IsAtEnd(); properties->Next()) {
    const char* name = properties->GetKey();
    if (wantsWidget(proxy, name, properties->GetProperty()) && panel.findChild<QWidget*>(name) == nullptr) {
      std::cerr << proxy->GetXMLName() << ": no widget for the property " << name << '\n';
      ++missing;
    }
  }
  return missing;
}

// A newcomer reads so many lines of a panel, and not more.
constexpr int mostShown = 8;

// Whether the panel has more properties for a newcomer than that. A group with a widget of its own counts as one.
bool showsTooMany(vtkSMProxy* proxy, const pqProxyWidget& panel) {
  const auto shows = [&](const char* name) {
    const auto* widget = panel.findChild<QWidget*>(name);
    return widget != nullptr && widget->isVisibleTo(&panel);
  };
  int shown = 0;
  auto properties = vtkSmartPointer<vtkSMPropertyIterator>::Take(proxy->NewPropertyIterator());
  for (properties->Begin(); !properties->IsAtEnd(); properties->Next()) {
    shown += !shownByGroup(proxy, properties->GetKey()) && shows(properties->GetKey()) ? 1 : 0;
  }
  for (unsigned int k = 0; k < proxy->GetNumberOfPropertyGroups(); ++k) {
    const char* widget = proxy->GetPropertyGroup(k)->GetPanelWidget();
    shown += widget != nullptr && std::strlen(widget) > 0 && shows(widget) ? 1 : 0;
  }
  std::cout << proxy->GetXMLName() << " shows " << shown << " properties\n";
  if (shown > mostShown) {
    std::cerr << proxy->GetXMLName() << ": the panel shows " << shown << " properties, more than " << mostShown
              << ": some are to be advanced\n";
  }
  return shown > mostShown;
}

// Whether the periodic axes, which few need and several filters have from one base, come before all else.
bool beginsWithPeriodicAxes(vtkSMProxy* proxy, const pqProxyWidget& panel) {
  const auto* periodic = panel.findChild<QWidget*>("PeriodicX");
  if (periodic == nullptr) {
    return false;
  }
  const auto top = [&](const QWidget* widget) { return widget->mapTo(&panel, QPoint(0, 0)).y(); };
  auto properties = vtkSmartPointer<vtkSMPropertyIterator>::Take(proxy->NewPropertyIterator());
  for (properties->Begin(); !properties->IsAtEnd(); properties->Next()) {
    const auto* widget = panel.findChild<QWidget*>(properties->GetKey());
    if (widget != nullptr && widget->isVisibleTo(&panel) && top(widget) < top(periodic)) {
      return false;
    }
  }
  std::cerr << proxy->GetXMLName() << ": the panel begins with the periodic axes\n";
  return true;
}

// How many groups with a widget of their own, such as a table of points, come after the periodic axes.
int countGroupsAfterPeriodicAxes(vtkSMProxy* proxy, const pqProxyWidget& panel) {
  const auto* periodic = panel.findChild<QWidget*>("PeriodicX");
  int after = 0;
  for (unsigned int k = 0; periodic != nullptr && k < proxy->GetNumberOfPropertyGroups(); ++k) {
    vtkSMPropertyGroup* group = proxy->GetPropertyGroup(k);
    const auto* widget =
      group->GetPanelWidget() != nullptr ? panel.findChild<QWidget*>(group->GetPanelWidget()) : nullptr;
    if (widget != nullptr && widget->isVisibleTo(&panel) &&
      widget->mapTo(&panel, QPoint(0, 0)).y() > periodic->mapTo(&panel, QPoint(0, 0)).y()) {
      std::cerr << proxy->GetXMLName() << ": the periodic axes come before " << group->GetPanelWidget() << '\n';
      ++after;
    }
  }
  return after;
}

// How many sliders do not show a number that their property is given, however far outside of their range. ParaView's
// own slider ends the application there.
int countRefusingSliders(vtkSMProxy* proxy, const pqProxyWidget& panel) {
  int refusing = 0;
  auto properties = vtkSmartPointer<vtkSMPropertyIterator>::Take(proxy->NewPropertyIterator());
  for (properties->Begin(); !properties->IsAtEnd(); properties->Next()) {
    const auto* widget = panel.findChild<QWidget*>(properties->GetKey());
    const auto* slider = widget != nullptr ? widget->findChild<QWidget*>("DoubleRangeWidget") : nullptr;
    if (slider == nullptr) {
      continue;
    }
    vtkSMPropertyHelper property(properties->GetProperty());
    const double before = property.GetAsDouble();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const double number : {1e300, -1e300, infinity, -infinity, before}) {
      std::cout << proxy->GetXMLName() << '.' << properties->GetKey() << " = " << number << std::endl; // before it ends
      property.Set(0, number);
      if (slider->property("value").toDouble() != number) {
        std::cerr << proxy->GetXMLName() << '.' << properties->GetKey() << ": the slider shows "
                  << slider->property("value").toDouble() << " for " << number << '\n';
        ++refusing;
      }
    }
  }
  return refusing;
}

// How many check boxes of numbers that may be none do not show whether there is one, or do not set it.
int countWrongCheckBoxes(vtkSMProxy* proxy, const pqProxyWidget& panel) {
  int wrong = 0;
  const auto expect = [&](bool holds, const std::string& name, const char* what) {
    if (!holds) {
      std::cerr << proxy->GetXMLName() << '.' << name << ": " << what << '\n';
      ++wrong;
    }
  };
  auto properties = vtkSmartPointer<vtkSMPropertyIterator>::Take(proxy->NewPropertyIterator());
  for (properties->Begin(); !properties->IsAtEnd(); properties->Next()) {
    vtkPVXMLElement* hints = properties->GetProperty()->GetHints();
    vtkPVXMLElement* hint = hints != nullptr ? hints->FindNestedElementByName("OptionalValue") : nullptr;
    if (hint == nullptr) {
      continue;
    }
    const std::string name = properties->GetKey();
    const auto* widget = panel.findChild<QWidget*>(properties->GetKey());
    auto* box = widget != nullptr ? widget->findChild<QCheckBox*>("CheckBox") : nullptr;
    auto* field = widget != nullptr ? widget->findChild<QLineEdit*>("LineEdit") : nullptr;
    expect(box != nullptr && field != nullptr, name, "there is no check box");
    if (box == nullptr || field == nullptr) {
      continue;
    }
    const double off = QString(hint->GetAttributeOrEmpty("off")).toDouble();
    const double first = QString(hint->GetAttributeOrEmpty("first")).toDouble();
    vtkSMPropertyHelper applied(properties->GetProperty());
    vtkSMUncheckedPropertyHelper shown(properties->GetProperty());
    const double before = applied.GetAsDouble();
    expect(box->isChecked() == (before != off), name, "the check box is not as the number is");
    applied.Set(0, off);
    expect(!box->isChecked() && !field->isEnabled(), name, "the box is checked although there is no number");
    box->setChecked(true);
    expect(field->isEnabled() && shown.GetAsDouble() == first, name, "to check the box does not set the first number");
    applied.Set(0, 7);
    expect(box->isChecked() && field->text().toDouble() == 7, name, "the field does not show the number");
    box->setChecked(false);
    expect(shown.GetAsDouble() == off, name, "to uncheck the box does not set that there is none");
    box->setChecked(true);
    expect(shown.GetAsDouble() == 7, name, "to check the box again does not bring the number back");
    applied.Set(0, before);
  }
  return wrong;
}

// Whether the progress bar would not show the label of what executes.
bool isWithoutProgressLabel(vtkSMSessionProxyManager* manager, vtkSMProxy* proxy) {
  if (vtkSMSourceProxy::SafeDownCast(proxy) == nullptr || proxy->IsA("vtkSMWriterProxy")) {
    return false;
  }
  manager->RegisterProxy("sources", proxy->GetXMLName(), proxy); // as the pipeline does
  auto* algorithm = vtkAlgorithm::SafeDownCast(proxy->GetClientSideObject());
  const char* text = algorithm != nullptr ? algorithm->GetProgressText() : nullptr;
  if (text != nullptr && std::strcmp(text, proxy->GetXMLLabel()) == 0) {
    return false;
  }
  std::cerr << proxy->GetXMLName() << ": progress is that of " << (text != nullptr ? text : "a class") << '\n';
  return true;
}

// The bytes that this process has asked for and not given back.
double bytesInUse() {
  const struct mallinfo2 all = ::mallinfo2();
  return static_cast<double>(all.uordblks + all.hblkhd);
}

// The memory of what a filter makes. Of hyper tree grids that is what this process has more than `before`: VTK counts a
// tenth of what many trees take, which ParaView also has twice.
double memoryTaken(vtkSMProxy* proxy, double before) {
  auto* source = vtkSMSourceProxy::SafeDownCast(proxy);
  proxy->UpdateVTKObjects();
  source->UpdatePipeline();
  vtkPVDataInformation* information = source->GetDataInformation(0);
  return information->GetDataSetType() == VTK_HYPER_TREE_GRID
    ? bytesInUse() - before
    : static_cast<double>(information->GetMemorySize()) * 1024.0;
}

// Whether a note on memory says something else than what is then taken, to a tenth. What is taken at least may be less.
bool isWrongMemoryNote(vtkSMProxy* proxy, const pqProxyWidget& panel, const QLabel* text, double before) {
  const double taken = memoryTaken(proxy, before);
  const double said = text->parentWidget()->property("bytes").toDouble();
  std::cout << proxy->GetXMLName() << " takes " << taken << " bytes: " << text->text().toStdString() << '\n';
  const double least = text->text().contains("at least") ? 0.05 : 0.9; // blocks may be small, and each takes a kilobyte
  if (text->isVisibleTo(&panel) && taken > 0.0 && said > least * taken && said < 1.1 * taken) {
    return false;
  }
  std::cerr << proxy->GetXMLName() << ": the panel says that it takes " << said << " bytes, but it takes " << taken
            << '\n';
  return true;
}

// The same for the input that there is and for these others, and for a property that an image's memory depends on.
bool hasWrongMemoryNote(vtkSMProxy* proxy, const pqProxyWidget& panel, const Inputs& others) {
  const auto* text = panel.findChild<QLabel*>("Note");
  auto* input = vtkSMInputProperty::SafeDownCast(proxy->GetProperty("Input"));
  vtkPVXMLElement* hints = proxy->GetHints();
  vtkPVXMLElement* hint = hints != nullptr ? hints->FindNestedElementByName("MemoryEstimate") : nullptr;
  if (hint == nullptr) {
    return false;
  }
  if (text == nullptr) {
    std::cerr << proxy->GetXMLName() << ": the panel has no note on memory\n";
    return true;
  }
  if (const char* const condition = hint->GetAttribute("property")) {
    int value = 0;
    hint->GetScalarAttribute("value", &value);
    vtkSMPropertyHelper(proxy, condition).Set(value);
  }
  const double before = bytesInUse();
  bool isWrong = isWrongMemoryNote(proxy, panel, text, before);
  if (vtkSMProperty* const blank = proxy->GetProperty("Blank")) {
    vtkSMPropertyHelper(blank).Set(1);
    isWrong = isWrongMemoryNote(proxy, panel, text, before) || isWrong;
  }
  if (hint->GetAttribute("of") == nullptr) {
    return isWrong; // explicit cells, of which the estimate is without arrays: these are shared
  }
  auto* types = input->FindDomain<vtkSMDataTypeDomain>();
  for (vtkSMSourceProxy* const other : others) {
    if (types->IsInDomain(other, 0) != 0) {
      input->SetInputConnection(0, other, 0);
      isWrong = isWrongMemoryNote(proxy, panel, text, before) || isWrong;
    }
  }
  return isWrong;
}

// Stock sources, one for each kind of input, and our own.
Inputs makeInputs(vtkSMSessionProxyManager* manager) {
  Inputs inputs;
  vtkNew<vtkSMParaViewPipelineController> controller;
  for (const char* name : {"SpanwiseIntervalShape", "RTAnalyticSource", "SphereSource"}) {
    auto proxy = vtkSmartPointer<vtkSMProxy>::Take(manager->NewProxy("sources", name));
    controller->InitializeProxy(proxy);
    inputs.push_back(vtkSMSourceProxy::SafeDownCast(proxy));
    inputs.back()->UpdatePipeline();
  }
  return inputs;
}

// Grids of intervals and levels with values, large enough for memory to be measured.
Inputs makeGridsWithValues(vtkSMSessionProxyManager* manager) {
  Inputs grids;
  vtkNew<vtkSMParaViewPipelineController> controller;
  auto image = vtkSmartPointer<vtkSMProxy>::Take(manager->NewProxy("sources", "RTAnalyticSource"));
  controller->InitializeProxy(image);
  const int extent[] = {-32, 32, -32, 32, -32, 32};
  vtkSMPropertyHelper(image, "WholeExtent").Set(extent, 6);
  image->UpdateVTKObjects();
  vtkSMSourceProxy::SafeDownCast(image)->UpdatePipeline();
  for (const char* name : {"SpanwiseImageToIntervals", "SpanwiseAdaptiveRefinement"}) {
    auto proxy = vtkSmartPointer<vtkSMProxy>::Take(manager->NewProxy("filters", name));
    controller->PreInitializeProxy(proxy);
    vtkSMInputProperty::SafeDownCast(proxy->GetProperty("Input"))->SetInputConnection(0, image, 0);
    controller->PostInitializeProxy(proxy);
    proxy->UpdateVTKObjects();
    grids.push_back(vtkSMSourceProxy::SafeDownCast(proxy));
    grids.back()->UpdatePipeline();
  }
  return grids;
}

// Whether a filter works without this input.
bool isOptional(vtkSMProperty* input) {
  return input->GetHints() != nullptr && input->GetHints()->FindNestedElementByName("Optional") != nullptr;
}

// Gives a filter, for each of the inputs that it needs, the first one that is of its type.
void connectInputs(vtkSMProxy* proxy, const Inputs& inputs) {
  auto properties = vtkSmartPointer<vtkSMPropertyIterator>::Take(proxy->NewPropertyIterator());
  for (properties->Begin(); !properties->IsAtEnd(); properties->Next()) {
    auto* property = vtkSMInputProperty::SafeDownCast(properties->GetProperty());
    auto* types = property != nullptr && !isOptional(property) ? property->FindDomain<vtkSMDataTypeDomain>() : nullptr;
    for (std::size_t k = 0; types != nullptr && k < inputs.size(); ++k) {
      if (types->IsInDomain(inputs[k], 0) != 0) {
        property->SetInputConnection(0, inputs[k], 0);
        break;
      }
    }
  }
}

int checkPanel(vtkSMSessionProxyManager* manager, const char* group, const char* name, const Inputs& inputs,
  const Inputs& others, const QDir& pictures) {
  auto proxy = vtkSmartPointer<vtkSMProxy>::Take(manager->NewProxy(group, name));
  if (proxy == nullptr) {
    std::cerr << "ParaView does not know the proxy " << name << " of the group " << group << '\n';
    return 1;
  }
  vtkNew<vtkSMParaViewPipelineController> controller;
  controller->PreInitializeProxy(proxy);
  connectInputs(proxy, inputs);
  controller->PostInitializeProxy(proxy);
  pqProxyWidget panel(proxy);
  panel.setView(nullptr);
  const auto show = [&](bool advanced, const char* picture) {
    panel.filterWidgets(advanced);
    panel.resize(420, panel.sizeHint().height());
    panel.grab().save(pictures.filePath(QString(name) + picture));
  };
  show(false, ".png");
  const int many = showsTooMany(proxy, panel) ? 1 : 0;
  show(true, "-advanced.png");
  const int unlike = hasWrongMemoryNote(proxy, panel, others) ? 1 : 0;
  return many + unlike + countMissing(proxy, panel) + (beginsWithPeriodicAxes(proxy, panel) ? 1 : 0) +
    countGroupsAfterPeriodicAxes(proxy, panel) + countRefusingSliders(proxy, panel) +
    countWrongCheckBoxes(proxy, panel) + (isWithoutProgressLabel(manager, proxy) ? 1 : 0);
}

int checkFile(vtkSMSessionProxyManager* manager, const char* file, const Inputs& inputs, const Inputs& others,
  const QDir& pictures) {
  vtkNew<vtkPVXMLParser> parser;
  parser->SetFileName(file);
  if (parser->Parse() == 0) {
    std::cerr << "cannot read " << file << '\n';
    return 1;
  }
  int missing = 0;
  vtkPVXMLElement* root = parser->GetRootElement();
  for (unsigned int g = 0; g < root->GetNumberOfNestedElements(); ++g) {
    vtkPVXMLElement* group = root->GetNestedElement(g);
    if (!peopleSee(group->GetAttributeOrEmpty("name"))) {
      continue;
    }
    for (unsigned int p = 0; p < group->GetNumberOfNestedElements(); ++p) {
      vtkPVXMLElement* definition = group->GetNestedElement(p);
      if (std::strcmp(definition->GetName(), "Extension") != 0) {
        missing +=
          checkPanel(manager, group->GetAttribute("name"), definition->GetAttribute("name"), inputs, others, pictures);
      }
    }
  }
  return missing;
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: SpanwisePanels plugin.so pictures definition.xml...\n";
    return 2;
  }
  char noSettings[] = "--dr"; // our arguments are not ParaView's
  char* paraviewArguments[] = {argv[0], noSettings, nullptr};
  int numArguments = 2;
  QApplication application(numArguments, paraviewArguments);
  pqPVApplicationCore core(numArguments, paraviewArguments);
  core.interfaceTracker()->addInterface(new pqStandardPropertyWidgetInterface(core.interfaceTracker()));
  pqServer* server = core.getObjectBuilder()->createServer(pqServerResource("builtin:"));
  if (!vtkSMProxyManager::GetProxyManager()->GetPluginManager()->LoadLocalPlugin(argv[1])) {
    std::cerr << "cannot load " << argv[1] << '\n';
    return 1;
  }
  const QDir pictures(argv[2]);
  pictures.mkpath(".");
  const Inputs inputs = makeInputs(server->proxyManager());
  const Inputs others = makeGridsWithValues(server->proxyManager());
  int missing = 0;
  for (int k = 3; k < argc; ++k) {
    missing += checkFile(server->proxyManager(), argv[k], inputs, others, pictures);
  }
  return missing == 0 ? 0 : 1;
}
