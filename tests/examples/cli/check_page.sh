#!/usr/bin/env bash
# Opens html reports of lenet in headless Chromium and compares what the pages show with the json report.
# Usage: check_page.sh PROGRAM       exit status 77: there is no chromium
set -euo pipefail
program=$1
command -v chromium >/dev/null || { echo "skipped: chromium is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$program" inspect lenet --format html -o "$work/page.html"
"$program" inspect lenet --json -o "$work/report.json"

# dom ADDRESS: the page's elements once its script has run
dom() {
  HOME=$work timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync --user-data-dir="$work/profile" \
    --virtual-time-budget=2000 --dump-dom "$1" 2>/dev/null
}
# column N PAGE: the Nth column of the table, a cell a line, without markup
column() {
  grep -o '<tr><td class="text">.*' "$2" | sed 's/<\/tr>/\n/g' | grep '<td' |
    sed 's/<small>[^<]*<\/small>//; s/<td[^>]*>//g; s/<\/td>/\t/g; s/<tr>//' | cut -f"$1" | tr -d ', '
}
fail() { echo "$*" >&2; exit 1; }
# check_bars PAGE REPORT: all bars of the page together are what the report says is held
check_bars() {
  local shown held
  shown=$(grep -o 'data-bytes="[0-9]*"' "$1" | grep -o '[0-9]*' | awk '{ sum += $1 } END { print sum }')
  held=$(total heldBytes "$2")
  [ -n "$held" ] && [ "$shown" = "$held" ] || fail "the bars add up to $shown bytes, not to the $held held"
}
# total NAME REPORT: one of the report's totals
total() { grep -o "^ *\"$1\": [0-9]*" "$2" | grep -o '[0-9]*$'; }
# check_sharing PAGE REPORT: what the storages save adds up to upper bound less held
check_sharing() {
  local shown expected
  shown=$(grep -o 'data-saved="-\?[0-9]*"' "$1" | grep -o -e '-\?[0-9]*' | awk '{ sum += $1 } END { print sum + 0 }')
  expected=$(($(total upperBoundBytes "$2") - $(total heldBytes "$2")))
  [ "$shown" = "$expected" ] || fail "the storages save $shown bytes, not $expected"
}
# human BYTES: as the page writes them
human() {
  awk -v bytes="$1" 'BEGIN {
    split("B KiB MiB GiB TiB", units)
    for (unit = 1; bytes >= (unit == 1 ? 1024 : 1023.5) && unit < 5; ++unit) bytes /= 1024
    printf "%.*f %s", unit == 1 ? 0 : bytes < 9.995 ? 2 : bytes < 99.95 ? 1 : 0, bytes, units[unit]
  }'
}
# check_totals PAGE REPORT: each box holds the report's number
check_totals() {
  local name shown expected
  for name in upperBoundBytes heldBytes peakBytes workspaceBytes parameterBytes; do
    shown=$(grep -o "data-total=\"$name\"><b>[^<]*" "$1" | sed 's/.*>//') || true
    expected=$(human "$(total "$name" "$2")")
    [ "$shown" = "$expected" ] || fail "the box of $name holds '$shown', not '$expected'"
  done
}
# check_peak PAGE REPORT: the note tells the phase, path and field of the last event at which the most was live
check_peak() {
  local place
  place=$(grep -o '"event":.*' "$2" | grep "\"live\":$(total peakBytes "$2")[,}]" | tail -n 1 |
    sed 's/.*"phase":"\([^"]*\)","path":"\([^"]*\)","field":"\([^"]*\)".*/\1, at \2 \3/') || true
  [ -n "$place" ] || fail "the report has no event at its peak"
  grep -o 'id="peak">[^<]*' "$1" | grep -qF "is reached in $place." || fail "the note does not say that the peak is in $place"
}

dom "file://$work/page.html" >"$work/plain.html"
dom "file://$work/page.html#sort=bytes" >"$work/sorted.html"

grep -q '<h1 id="model">lenet</h1>' "$work/plain.html" || fail "the page does not name the model"
check_bars "$work/plain.html" "$work/report.json"
check_totals "$work/plain.html" "$work/report.json"
check_sharing "$work/plain.html" "$work/report.json"
check_peak "$work/plain.html" "$work/report.json"
grep -q 'class="mark"' "$work/plain.html" || fail "the peak is not marked"

expected=$(grep -o '"bytes":[0-9]*,"storage"' "$work/report.json" |
  grep -o '[0-9]\+' | grep -v '^0$' | sort -n)
[ -n "$expected" ] || fail "the json report lists no tensors"
[ "$(column 5 "$work/plain.html" | sort -n)" = "$expected" ] || fail "the table's bytes are not those of the json report"
[ "$(column 5 "$work/sorted.html")" = "$(sort -rn <<<"$expected")" ] || fail "the table does not sort by bytes"
[ "$(column 5 "$work/plain.html")" != "$(column 5 "$work/sorted.html")" ] || fail "sorting changes nothing"

planned=(inspect lenet --mode evaluate --share plan)
"$program" "${planned[@]}" --format html -o "$work/page.html"
"$program" "${planned[@]}" --json -o "$work/report.json"
dom "file://$work/page.html" >"$work/planned.html"
check_bars "$work/planned.html" "$work/report.json"
check_totals "$work/planned.html" "$work/report.json"
check_sharing "$work/planned.html" "$work/report.json"
check_peak "$work/planned.html" "$work/report.json"
echo "the page shows $(wc -l <<<"$expected") tensors"
