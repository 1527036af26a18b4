#!/usr/bin/env bash
# Builds torchette with CUDA and runs all that needs a real GPU, in a few minutes. Writes one text report, and ends with
# status 0 if nothing in it failed.
# Usage: tests/device_check.sh [REPORT]     REPORT is build/device/report.txt if it is not named
set -uo pipefail
report=${1:+$(realpath -m "$1")}
cd "$(dirname "$0")/.." || exit
build=build/device
report=${report:-$build/report.txt}
failures=0

stop() {
  echo "device_check.sh: $*" >&2
  exit 1
}

say() {
  echo "$*" | tee -a "$report"
}

# check NAME SECONDS COMMAND...: the command's output in the report, and how it ended.
check() {
  local name=$1 limit=$2 begin=$SECONDS status=0
  shift 2
  say
  say "== $name"
  timeout "$limit" "$@" >"$build/output.txt" 2>&1 || status=$?
  tail -n 200 "$build/output.txt" >>"$report"
  if [ "$status" -eq 0 ]; then
    say "-- ok, $((SECONDS - begin)) s"
  else
    failures=$((failures + 1))
    tail -n 5 "$build/output.txt"
    say "-- FAILED with status $status, $((SECONDS - begin)) s"
  fi
}

# check_with PROGRAM NAME SECONDS COMMAND...: the same where the program is installed.
check_with() {
  local program=$1
  shift
  if command -v "$program" >/dev/null; then
    check "$@"
  else
    say
    say "== $1"
    say "-- skipped: $program is not installed"
  fi
}

build_all() {
  cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DTORCHETTE_CUDA=ON &&
    cmake --build "$build" --parallel --target torchette backends_tests layers_tests cuda_tests bench_gpu_strategies
}

# card FIELD: what nvidia-smi says of the first card, e.g. for driver_version.
card() {
  command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu="$1" --format=csv,noheader | head -n 1
}

export PATH="$PATH:/usr/local/cuda/bin"
torchette=$build/examples/cli/torchette
command -v nvcc >/dev/null || stop "nvcc is not found; install the CUDA Toolkit"
[ -e /dev/nvidia0 ] || [ -e /dev/dxg ] || nvidia-smi -L >/dev/null 2>&1 ||
  stop "no NVIDIA GPU answers on this machine; nothing has been checked"

mkdir -p "$build" "$(dirname "$report")"
: >"$report"
say "torchette on a GPU, $(date -u +%Y-%m-%d), revision $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
say "card $(card name), driver $(card driver_version), $(nvcc --version | grep release)"

check "build" 280 build_all
[ "$failures" -eq 0 ] || stop "the build failed, see $report"
check "what is available" 30 "$torchette" backends
grep -q '^cuda *available' "$build/output.txt" || stop "$(grep '^cuda' "$build/output.txt")"

export TORCHETTE_TEST_BACKEND=cuda
check "start-up, errors, GPU code in the library" 60 "$build/tests/backends/cuda/cuda_tests"
check "operations on the GPU" 120 "$build/tests/backends/backends_tests"
check "layers, criteria and optimizers on the GPU" 180 "$build/tests/layers/layers_tests"
check_with cuobjdump "code by architecture" 60 cuobjdump --list-elf --list-ptx "$torchette"
check_with compute-sanitizer "memory accesses of a training step" 120 \
  compute-sanitizer --tool memcheck --error-exitcode 1 \
  "$torchette" train lenet --backend cuda --data synthetic --epochs 1 --batch 16 --limit 16
check "inspection of the article's example, with the card's memory" 60 \
  "$torchette" inspect 'nn.SpatialConvolution(3,4,4,4,2,2,1,1)' --input 16x3x32x32 --backend cuda
check "inspection of LeNet, with the card's memory" 60 "$torchette" inspect lenet --backend cuda --format table
check "one epoch of LeNet" 120 "$torchette" train lenet --backend cuda --epochs 1
check "workspace strategies by CUDA events" 120 "$build/bench/bench_gpu_strategies"

say
say "$failures checks failed; $SECONDS s in all"
echo "The report is in $report"
[ "$failures" -eq 0 ]
