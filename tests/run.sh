#!/usr/bin/env bash
# Installs what the tests need, builds torchette, and runs all tests. Safe to run again.
# Usage: tests/run.sh [CTEST OPTIONS...]     e.g. tests/run.sh -R ledger
set -euo pipefail
cd "$(dirname "$0")/.."
source .ci/packages.sh

install_packages "${build_packages[@]}" "${test_packages[@]}" "${data_packages[@]}"
cmake --preset release >/dev/null
cmake --build --preset release
ctest --preset release "$@"
