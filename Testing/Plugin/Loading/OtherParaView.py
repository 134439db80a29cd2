"""A process that has not the ParaView that the plugin was compiled for gets one message and no plugin. Here it is one that
has no ParaView at all.

usage: OtherParaView.py version plugin...
"""

import ctypes
import subprocess
import sys


def open_as_paraview_does(file):
    library = ctypes.CDLL(file, mode=ctypes.RTLD_GLOBAL)
    library.pv_plugin_instance.restype = ctypes.c_void_p
    assert library.pv_plugin_instance() is None
    with open("/proc/self/maps", encoding="utf-8") as maps:
        assert "libvtk" not in maps.read(), "a library of VTK was loaded"


def main(version, *files):
    for file in files:
        done = subprocess.run([sys.executable, __file__, "--open", file], capture_output=True, text=True, check=True)
        print(done.stderr)
        assert len(done.stderr.splitlines()) == 1, done.stderr
        for part in (f"compiled for ParaView {version}", "another ParaView", "Installing.md"):
            assert part in done.stderr, part


if sys.argv[1] == "--open":
    open_as_paraview_does(sys.argv[2])
else:
    main(*sys.argv[1:])
