"""Every proxy and every property is documented, and stands where people look for it, with an icon of its own."""

import os
import xml.etree.ElementTree as ElementTree

import spanwise_testing as testing

resources = os.path.join(os.environ["SPANWISE_XML"], "..", "Plugin", "Qt", "Resources")
packed = {file.text for file in ElementTree.parse(os.path.join(resources, "Spanwise.qrc")).iter("file")}
icons = set()

problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)


def has_hint(element, name):
    return any(hints.find(name) is not None for hints in element.findall("Hints"))


for group, name, element in testing.definitions():
    proxy = testing.new_proxy(group, name)
    label = proxy.GetXMLLabel()
    documentation = proxy.GetDocumentation()
    expect(label and label != name, f"{name} has no label")
    expect(documentation and len(documentation.GetDescription() or "") > 30, f"{name} has no documentation")
    expect(documentation and documentation.GetShortHelp(), f"{name} has no short help")
    if group == "sources" and not has_hint(element, "ReaderFactory"):
        expect(has_hint(element, "ShowInMenu"), f"{name} is in no menu")
    if group == "filters":
        expect(has_hint(element, "ShowInMenu"), f"{name} is in no menu")
    for menu in element.findall("Hints/ShowInMenu"):  # Plugin/Qt/Resources/ParaViewResources/Menus.xml has the category
        expect(menu.get("category") is None, f"{name} is in the menu {menu.get('category')} too")
        icon = (menu.get("icon") or "").removeprefix(":/Spanwise/")
        expect(icon in packed and os.path.exists(os.path.join(resources, icon)), f"{name} has no icon: {icon!r}")
        expect(icon not in icons, f"{name} has the icon of another one: {icon!r}")
        icons.add(icon)
    for key, property in testing.properties(proxy):
        if property.GetIsInternal() or property.GetInformationOnly():
            continue
        text = property.GetDocumentation()
        expect(text and len(text.GetDescription() or "") > 10, f"{name}.{key} has no documentation")

files = {f"Icons/{name}" for name in os.listdir(os.path.join(resources, "Icons"))}
expect(files == icons, f"icons that nobody has, or that are not there: {files ^ icons}")

print("\n".join(problems))
assert not problems
