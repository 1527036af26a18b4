// torchette: the command-line program.
#include "examples/cli/program.h"

int main(int argumentCount, char** arguments) {
  return torchette::cli::runProgram(argumentCount, arguments);
}
