// The one exception family of torchette. Every message names the place (usually a module path such
// as net/conv1), what came, what was expected and, where there is one, a way out.
#pragma once

#include <stdexcept>
#include <string>

namespace torchette {

/// Base of everything torchette throws. what() reads "place: message", or "message" without a
/// place.
class Error : public std::runtime_error {
 public:
  Error(const std::string& place, const std::string& message);
};

/// A tensor has the wrong rank, extents, element type or device for what is asked of it.
class ShapeError : public Error {
 public:
  using Error::Error;
};

/// Bytes could not be had: the device is out of memory or a limit stands in the way.
class MemoryError : public Error {
 public:
  using Error::Error;
};

/// The call is valid in itself but not now, e.g. backward without its forward.
class StateError : public Error {
 public:
  using Error::Error;
};

/// An argument is outside its domain, e.g. a kernel of zero width.
class ArgumentError : public Error {
 public:
  using Error::Error;
};

/// A file is missing, unreadable, unwritable, truncated or of another kind.
class FileError : public Error {
 public:
  using Error::Error;
};

}  // namespace torchette
