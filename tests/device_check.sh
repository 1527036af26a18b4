#!/usr/bin/env bash
# Builds torchette with CUDA and runs all that needs a real GPU, within five minutes. Writes one text report, and ends
# with status 0 if no check in it failed. Its last line tells how many failed, and how many were not run.
# Usage: tests/device_check.sh [--rehearse] [REPORT]
#   --rehearse     the same checks on the simulated backend, with no GPU and no time limit; says what it leaves out
#   REPORT         build/device/report.txt if it is not named
# Environment:
#   BUILD=FOLDER   take what has been built there instead of building
set -uo pipefail

stop() {
  echo "device_check.sh: $*" >&2
  exit 1
}

backend=cuda
budget=300
if [ "${1:-}" = --rehearse ]; then
  backend=simulated
  budget=3600
  shift
fi
[ $# -le 1 ] || stop "one report is expected, got $*"
report=${1:+$(realpath -m "$1")}
prebuilt=${BUILD:+$(realpath -m "$BUILD")}
cd "$(dirname "$0")/.." || exit
build=${prebuilt:-build/device}
report=${report:-build/device/report.txt}
export PATH="$PATH:/usr/local/cuda/bin"
failures=0
left_out=0

say() {
  echo "$*" | tee -a "$report"
}

is_rehearsal() {
  [ "$backend" = simulated ]
}

# check NAME COMMAND...: the command's output in the report, and how it ended. A command has the time that is left of
# the budget.
check() {
  local name=$1 begin=$SECONDS status=0
  shift
  say
  say "== $name"
  timeout --kill-after 5 $((SECONDS < budget ? budget - SECONDS : 1)) "$@" >"$output" 2>&1 || status=$?
  tail -n 200 "$output" >>"$report"
  if [ "$status" -eq 0 ]; then
    say "-- ok, $((SECONDS - begin)) s"
  else
    failures=$((failures + 1))
    tail -n 5 "$output"
    say "-- FAILED with status $status, $((SECONDS - begin)) s"
  fi
}

# leave_out NAME REASON
leave_out() {
  left_out=$((left_out + 1))
  say
  say "== $1"
  say "-- left out: $2"
}

# check_on_card PROGRAM NAME COMMAND...: the same for what only a card can do, with a program that has to be installed.
check_on_card() {
  local program=$1
  shift
  if is_rehearsal; then
    leave_out "$1" "needs a card"
  elif ! command -v "$program" >/dev/null; then
    leave_out "$1" "$program is not installed"
  else
    check "$@"
  fi
}

require_ok() {
  [ "$failures" -eq 0 ] || stop "$1 failed, see $report"
}

# Before the build, which takes minutes: whether asking for a card makes sense at all.
require_card() {
  is_rehearsal || [ -e /dev/nvidia0 ] || [ -e /dev/dxg ] || nvidia-smi -L >/dev/null 2>&1 ||
    stop "no NVIDIA GPU answers on this machine; nothing has been checked"
}

build_programs() {
  local generator=()
  require_card
  if ! command -v nvcc >/dev/null; then stop "nvcc is not found; install the CUDA Toolkit"; fi
  if command -v ninja >/dev/null; then generator=(-G Ninja); fi
  check "configure" cmake -S . -B "$build" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release -DTORCHETTE_CUDA=ON
  require_ok "configuring"
  check "build" cmake --build "$build" --parallel "$(nproc)" --target \
    torchette backends_tests cuda_device_tests cuda_tests layers_tests examples_tests cli_tests bench_gpu_strategies
  require_ok "the build"
}

# card FIELD: what nvidia-smi says of the first card, e.g. for driver_version.
card() {
  command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu="$1" --format=csv,noheader | head -n 1
}

say_what_is_checked() {
  say "torchette on $backend, $(date -u +%Y-%m-%d), revision $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
  is_rehearsal || say "card $(card name), driver $(card driver_version), $(nvcc --version | grep release)"
}

require_backend() {
  check "what is available" "$torchette" backends
  grep -q "^$backend *available" "$output" || stop "$(grep "^$backend" "$output")"
}

# Cases that depend on a backend run on that one alone. Of training and of the program, these are a few.
check_tests() {
  export TORCHETTE_TEST_BACKEND=$backend
  check "start-up, errors, GPU code in the library" "$build/tests/backends/cuda/cuda_tests"
  check_on_card "$build/tests/backends/cuda/cuda_device_tests" "streams, pool, clock, the card's count of its memory" \
    "$build/tests/backends/cuda/cuda_device_tests"
  check "operations" "$build/tests/backends/backends_tests"
  check "layers, criteria and optimizers" "$build/tests/layers/layers_tests"
  check "training and checkpoints" "$build/tests/examples/examples_tests" --test-case='*backend*'
  check "the program" "$build/tests/examples/cli/cli_tests" --test-case='*backend*'
  unset TORCHETTE_TEST_BACKEND
}

check_program() {
  local article=('nn.SpatialConvolution(3,4,4,4,2,2,1,1)' --input 16x3x32x32)
  local data=() # LeNet's own: Fashion-MNIST
  [ -d /usr/share/datasets/fashion-mnist ] || data=(--data synthetic)
  check_on_card cuobjdump "code by architecture" cuobjdump --list-elf --list-ptx "$torchette"
  check_on_card compute-sanitizer "memory accesses of a training step" \
    compute-sanitizer --tool memcheck --error-exitcode 1 \
    "$torchette" train lenet --backend "$backend" --data synthetic --epochs 1 --batch 16 --limit 16
  check "inspection of the article's example, with the card's memory" \
    "$torchette" inspect "${article[@]}" --backend "$backend"
  check "inspection of LeNet, with the card's memory" "$torchette" inspect lenet --backend "$backend" --format table
  check "estimate of the article's example against what is held" \
    "$torchette" estimate "${article[@]}" --backend "$backend" --compare
  check "estimate of LeNet against what is held" "$torchette" estimate lenet --backend "$backend" --compare
  check "workspace strategies of LeNet by the program" "$torchette" bench lenet --backend "$backend"
  check "one epoch of LeNet" "$torchette" train lenet --backend "$backend" --epochs 1 "${data[@]}" "${fewer[@]}"
  check_on_card "$build/bench/bench_gpu_strategies" "workspace strategies by CUDA events" \
    "$build/bench/bench_gpu_strategies"
}

torchette=$build/examples/cli/torchette
mkdir -p "$(dirname "$report")"
output=$(mktemp)
trap 'rm -f "$output"' EXIT
: >"$report"
fewer=()
if is_rehearsal; then fewer=(--limit 2000); fi

say_what_is_checked
[ -n "$prebuilt" ] || build_programs
require_backend
check_tests
check_program

say
say "$failures checks failed, $left_out were not run; $SECONDS s in all"
echo "The report is in $report"
[ "$failures" -eq 0 ]
