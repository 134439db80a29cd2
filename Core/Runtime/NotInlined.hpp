#pragma once

/// Of a long function that kernels call from several places: it is compiled once. Compilers for devices put every
/// function into each of its callers otherwise, and take minutes for what comes of it.
#define SPANWISE_NOT_INLINED __attribute__((noinline))
