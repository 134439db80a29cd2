#pragma once

// The one HDF5 library of the process: the one that VTK uses, by whatever names VTK gives its functions.
#include <vtk_hdf5.h>
