"""Every proxy and every property is documented, and stands where people look for it."""

import spanwise_testing as testing

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
    for key, property in testing.properties(proxy):
        if property.GetIsInternal() or property.GetInformationOnly():
            continue
        text = property.GetDocumentation()
        expect(text and len(text.GetDescription() or "") > 10, f"{name}.{key} has no documentation")

print("\n".join(problems))
assert not problems
