# script-version: 2.0
"""What ParaView Catalyst does at each step of simulation.py: every second step is saved as an .icsr file."""
from paraview import catalyst
from paraview.simple import *

grid = TrivialProducer(registrationName="input")  # what the simulation has at this step

cells = CreateExtractor("ICSR", grid, registrationName="cells")
cells.Trigger.Frequency = 2
cells.Writer.FileName = "cells_{timestep:04d}.icsr"
cells.Writer.CompressionLevel = 1

options = catalyst.Options()
options.ExtractsOutputDirectory = "extracts"
