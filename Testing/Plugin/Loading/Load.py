"""The plugin is loaded when ParaView starts, and every one of its proxies can be made, on every rank. Tests that start
pvbatch on 1 to 4 ranks, or servers of 1 to 3, check it there."""

import sys

import spanwise_testing as testing

testing.connect()
testing.check_loaded(int(sys.argv[1]))
