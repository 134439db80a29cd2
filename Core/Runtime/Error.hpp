#pragma once

#include <stdexcept>
#include <string>

namespace spanwise {

/// Base of every exception that Spanwise throws. The message names the value that was wrong, the rule that it breaks
/// and, where there is one, the remedy.
class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// An argument (array, box, radius, spacing ...) breaks a rule of the function that it was given to.
class InvalidArgument : public Error {
public:
  using Error::Error;
};

/// A coordinate would leave the range that the int32 convention allows.
class CoordinateOverflow : public Error {
public:
  using Error::Error;
};

/// The runtime cannot be started, or was started before with other settings.
class RuntimeError : public Error {
public:
  using Error::Error;
};

/// A file cannot be read or written, or what it holds is not a valid Spanwise file.
class FileError : public Error {
public:
  using Error::Error;
};

} // namespace spanwise
