#!/usr/bin/env bash
# Compares LeNet training steps of torchette and of libtorch (Debian's PyTorch) on this machine: rounds of one after
# the other, medians, ratio. Installs and builds what it needs.
# Usage: bench/compare_lenet.sh [ROUNDS] [BATCH] [THREADS]
set -euo pipefail
cd "$(dirname "$0")/.."
source .ci/packages.sh

rounds=${1:-7} batch=${2:-64} threads=${3:-$(nproc)} steps=100
install_packages "${build_packages[@]}" "${test_packages[@]}" libtorch-dev
cmake --preset peer >/dev/null
cmake --build --preset peer --target bench_lenet_step bench_libtorch_lenet

torchette_rate() {
  TORCHETTE_THREADS=$threads build/peer/bench/bench_lenet_step --benchmark_min_time=1 \
    --benchmark_filter="strategy:batch/batch:$batch/" --benchmark_format=csv 2>/dev/null |
    awk -F, '/^"lenet_step/ {print $7}'
}

median() { sort -g | awk '{a[NR] = $1} END {print a[int((NR + 1) / 2)]}'; }

ours=() peers=()
for ((round = 1; round <= rounds; ++round)); do
  ours+=("$(torchette_rate)")
  peers+=("$(build/peer/bench/libtorch_peer/bench_libtorch_lenet "$batch" "$steps" "$threads")")
  echo "round $round: torchette ${ours[-1]} images/s, libtorch ${peers[-1]} images/s"
done
a=$(printf '%s\n' "${ours[@]}" | median)
b=$(printf '%s\n' "${peers[@]}" | median)
awk -v a="$a" -v b="$b" -v n="$batch" -v t="$threads" 'BEGIN {
  printf "batch %d, %d threads, medians: torchette %.0f images/s, libtorch %.0f images/s, ratio %.2f\n", n, t, a, b, a / b
}'
