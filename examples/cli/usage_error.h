// UsageError: the command line asks for something that cannot be; exit status 2.
#pragma once

#include "runtime/errors.h"

namespace torchette::cli {

/// The place names the option or argument, e.g. "--input" or "MODEL".
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace torchette::cli
