// How the text of an error is put together.
#include "runtime/errors.h"

namespace torchette {

Error::Error(const std::string& place, const std::string& message)
    : std::runtime_error(place.empty() ? message : place + ": " + message) {}

}  // namespace torchette
