#pragma once

// What writes numbers of points and cells into the caller's arrays is compiled once for each type that such arrays
// have: a file hands its macro M(Id, ...) to this one.
#define SPANWISE_FOR_EACH_ID_TYPE(M, ...)                                                                              \
  M(int, __VA_ARGS__)                                                                                                  \
  M(long, __VA_ARGS__)                                                                                                 \
  M(long long, __VA_ARGS__)
