"""What the plugin's Python tests share."""

import os
import xml.etree.ElementTree as ElementTree

from paraview import servermanager, simple

# The groups whose proxies people see.
GROUPS = ("sources", "filters", "writers", "settings")


def connect():
    """Connects to the server that the test driver has started, if it has started one."""
    from paraview.modules.vtkRemotingCore import vtkRemotingCoreConfiguration

    url = vtkRemotingCoreConfiguration.GetInstance().GetServerURL()
    if url:
        host, port = url.split("//")[1].split(":")
        simple.Connect(host, int(port))


def number_of_ranks():
    return servermanager.ActiveConnection.GetNumberOfDataPartitions()


def documents():
    """The plugin's proxy definitions, parsed."""
    folder = os.environ["SPANWISE_XML"]
    return [
        ElementTree.parse(os.path.join(folder, name)).getroot()
        for name in sorted(os.listdir(folder))
        if name.endswith(".xml")
    ]


def definitions():
    """(group, name, element) of every proxy of the plugin in GROUPS. Extensions of stock proxies are not in it."""
    return [
        (group.get("name"), element.get("name"), element)
        for root in documents()
        for group in root.findall("ProxyGroup")
        if group.get("name") in GROUPS
        for element in group
        if element.get("name") and element.tag != "Extension"
    ]


def elements_with_bases(definition):
    """What a proxy's definition holds, and the definitions that it is based on."""
    elements = list(definition)
    base = definition.get("base_proxyname")
    for root in documents() if base else ():
        for found in root.findall(f"ProxyGroup[@name='internal_filters']/*[@name='{base}']"):
            elements += elements_with_bases(found)
    return elements


def new_proxy(group, name):
    """A proxy with the defaults of its definition, without inputs; not registered."""
    proxy = servermanager.ProxyManager().NewProxy(group, name)
    assert proxy, f"ParaView does not know ({group}, {name})"
    return proxy


def properties(proxy):
    """(name, property) of every property, in the order of the definition."""
    iterator = proxy.NewPropertyIterator()
    iterator.Begin()
    found = []
    while not iterator.IsAtEnd():
        found.append((iterator.GetKey(), iterator.GetProperty()))
        iterator.Next()
    return found


def runtime_reports(location=1):
    """The runtime reports of the processes of the session; 1 stands for the data server."""
    from spanwise.spanwiseServer import vtkSpanwiseRuntimeInformation

    information = vtkSpanwiseRuntimeInformation()
    servermanager.ActiveConnection.Session.GatherInformation(location, information, 0)
    return [information.GetReport(k) for k in range(information.GetNumberOfProcesses())]


def start_runtime():
    """Has the server compute something of Spanwise."""
    shape = simple.SpanwiseIntervalShape()
    shape.UpdatePipeline()
    return shape


def check_loaded(ranks):
    """The plugin was loaded when ParaView started, and every one of its proxies can be made, on every rank."""
    import spanwise  # noqa: F401  before Python sees an object of its classes

    assert number_of_ranks() == ranks, f"{number_of_ranks()} ranks instead of {ranks}"
    found = definitions()
    assert found
    for group, name, _ in found:
        proxy = new_proxy(group, name)
        proxy.UpdateVTKObjects()
        made = proxy.GetClientSideObject()
        assert made is not None or ranks > 1 or proxy.GetSession().IsA("vtkSMSessionClient"), (group, name)
    reports = runtime_reports()
    assert len(reports) == ranks, reports
    for rank, report in enumerate(reports):
        assert report.startswith(f"rank {rank} on "), report
        assert "execution spaces:" in report, report
    print(f"{len(found)} proxies on {ranks} ranks")
