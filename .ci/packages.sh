# Sourced by the project's scripts: installs the Debian packages that are not there yet.
# Usage: install_packages PACKAGE...   says what it installs; installs nothing twice; needs root or sudo.

build_packages=(g++ cmake ninja-build ccache libopenblas-dev zlib1g-dev libpng-dev libcli11-dev libfmt-dev
  nlohmann-json3-dev)
data_packages=(dataset-fashion-mnist)
test_packages=(doctest-dev libbenchmark-dev)
ci_packages=(clang-14 clang-format-14 clang-tidy-14 libclang-rt-14-dev libomp-14-dev chromium)

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

install_packages() {
  command -v dpkg-query >/dev/null || fail "this is not a Debian system; install by hand: $*"
  local missing=() package as_root=()
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "needs root or sudo to install: ${missing[*]}"
    as_root=(sudo)
  fi
  echo "Installing Debian packages: ${missing[*]}"
  "${as_root[@]}" apt-get update -qq || fail "apt-get update failed; is there a network?"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >/dev/null || fail "apt-get could not install: ${missing[*]}"
}
