"""Where this process has its Spanwise libraries from."""

import pathlib


def check(folder):
    """Fails unless all of them lie under a folder, and there are some."""
    with open("/proc/self/maps") as maps:
        libraries = {line.split(maxsplit=5)[5].strip() for line in maps if "panwise" in line and ".so" in line}
    assert len(libraries) > 5, libraries
    for library in libraries:
        assert pathlib.Path(folder).resolve() in pathlib.Path(library).parents, library
