#!/usr/bin/env bash
# Writes docs/workspace_strategies.md: what lenet and autoencoder hold on the CPU and on a GPU's memory rules, from
# real runs of the program.
# Usage: bench/workspace_strategies.sh [PROGRAM]     default: build/release/examples/cli/torchette
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/release/examples/cli/torchette}
page=docs/workspace_strategies.md

# total NAME JSON: one number of the report's totals, with digits in groups
total() { sed -n "s/.*\"$1\": *\([0-9]*\).*/\1/p" <<<"$2" | head -n 1 | sed ':a;s/\B[0-9]\{3\}\>/,&/;ta'; }

{
  cat <<'HEAD'
# CPU and GPU workspace strategies side by side

Torch7's CPU code keeps the columns of the whole batch (`batch`), its GPU code those of one sample (`sample`). The
tables show bytes after a forward and a backward in training, each backend with its own strategy; `simulated` runs
the operations and memory rules of a GPU on the host. Its held bytes are the network's; its peak includes the block of
scratch that a GPU backend keeps from the start.

This page is written by `bench/workspace_strategies.sh` from real runs of `torchette inspect MODEL --input SHAPE
--backend BACKEND --json`.
HEAD
  for model in lenet autoencoder; do
    printf '\n## %s\n\n' "$model"
    echo '| batch | cpu workspace | simulated workspace | cpu held | simulated held | cpu peak | simulated peak |'
    echo '|---|---|---|---|---|---|---|'
    for batch in 1 16 64 256; do
      cpu=$("$program" inspect "$model" --input "${batch}x1x28x28" --backend cpu --json)
      gpu=$("$program" inspect "$model" --input "${batch}x1x28x28" --backend simulated --json)
      echo "| $batch | $(total workspaceBytes "$cpu") | $(total workspaceBytes "$gpu") | $(total heldBytes "$cpu") |" \
        "$(total heldBytes "$gpu") | $(total peakBytes "$cpu") | $(total peakBytes "$gpu") |"
    done
  done
} >"$page.new"
mv "$page.new" "$page"
echo "wrote $page"
