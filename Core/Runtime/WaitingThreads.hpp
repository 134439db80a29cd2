#pragma once

#include <string>

namespace spanwise {

/// Lets the host's threads sleep between kernels, where the library behind them can be told so after it was loaded:
/// that of GCC (libgomp), unless the environment says how threads wait (OMP_WAIT_POLICY, GOMP_SPINCOUNT). Threads that
/// spin take processors from everybody, from the thread that they wait for too. For the caller's Kokkos, once.
void letThreadsSleep();

/// What the host's threads do between kernels, in words.
std::string waitingThreads();

} // namespace spanwise
