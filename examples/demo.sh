#!/usr/bin/env bash
# Trains LeNet on the real Fashion-MNIST images and shows where every byte of the trained network is.
# Installs the Debian packages it needs and builds first; safe to run again.
# Usage: examples/demo.sh [OPTIONS OF torchette train...]     e.g. examples/demo.sh --epochs 3
set -euo pipefail
cd "$(dirname "$0")/.."
source .ci/packages.sh

install_packages "${build_packages[@]}" "${data_packages[@]}"
cmake --preset demo >/dev/null
cmake --build --preset demo --target torchette
exec build/demo/examples/cli/torchette train lenet --data fashion-mnist --inspect "$@"
