#!/usr/bin/env bash
# Installs everything that the build and the tests need, on Debian 12. A second run changes nothing.
#
#   ci/setup.sh        sets up
#   . ci/setup.sh      the same, and sets CUDA_PATH, PATH, WEFT_NARROW_PTXAS and LLVM_SYS_221_PREFIX in
#                      this shell
#
# Needs a Rust toolchain and Python. Installs LLVM as Debian packages (with root or sudo, if packages are
# missing). NVIDIA's programs are Python wheels of the versions in ci/requirements.txt, and an older ptxas of
# ci/requirements-narrow.txt; they go into .toolchain/ of this tree, or the folder in WEFT_TOOLCHAIN. If a step
# fails, the script prints how to do it by hand, and exits with status 2.

_weft_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
_weft_toolchain=${WEFT_TOOLCHAIN:-$_weft_root/.toolchain}
_weft_packages=(llvm-22-dev libpolly-22-dev libzstd-dev zlib1g-dev libffi-dev llvm-22 clang-22 g++ csmith libcsmith-dev
    libmpfr-dev gdb ccache strace clangd-22)

_weft_say() { printf '%s\n' "$*" >&2; }

# Checks that the Rust toolchain is new enough.
_weft_setup_rust() {
    local wanted found
    wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$_weft_root/Cargo.toml")
    if ! command -v cargo >/dev/null; then
        _weft_say "setup: there is no Rust toolchain (cargo is not on PATH)."
        _weft_say "  With rustup:  rustup toolchain install stable --profile default"
        return 2
    fi
    found=$(rustc --version | cut -d' ' -f2)
    if [ "$(printf '%s\n%s\n' "$wanted" "$found" | sort -V | head -n 1)" != "$wanted" ]; then
        _weft_say "setup: Rust $wanted or later is needed, and $found is what there is."
        _weft_say "  With rustup:  rustup update stable"
        return 2
    fi
}

# Prints the Debian packages among $@ that are not installed.
_weft_missing_packages() {
    local package
    for package in "$@"; do
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || echo "$package"
    done
}

_weft_setup_packages() {
    local packages=("${_weft_packages[@]}") missing as_root=()
    # The user's own LLVM replaces Debian's.
    if [ -n "${LLVM_SYS_221_PREFIX:-}" ] && [ "$LLVM_SYS_221_PREFIX" != /usr/lib/llvm-22 ]; then
        if "$LLVM_SYS_221_PREFIX/bin/llvm-config" --version 2>/dev/null | grep -q '^22\.1'; then
            return 0
        fi
        _weft_say "setup: LLVM_SYS_221_PREFIX=$LLVM_SYS_221_PREFIX holds no LLVM 22.1."
        return 2
    fi
    export LLVM_SYS_221_PREFIX=/usr/lib/llvm-22
    if ! command -v dpkg-query >/dev/null; then
        _weft_say "setup: this is no Debian. Install LLVM 22.1 with its static libraries, libzstd, zlib and libffi"
        _weft_say "  with headers, for the tests MPFR 4.2.0 with its headers, a C++ compiler and clang 22, and set LLVM_SYS_221_PREFIX to LLVM's folder."
        return 2
    fi
    python3 -c 'import ensurepip, venv' 2>/dev/null || packages+=(python3 python3-venv)
    mapfile -t missing < <(_weft_missing_packages "${packages[@]}")
    [ "${#missing[@]}" -gt 0 ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
            _weft_say "setup: these Debian packages are missing, and installing them needs root:"
            _weft_say "  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
            return 2
        fi
        as_root=(sudo)
    fi
    _weft_say "setup: installing ${missing[*]}"
    if ! "${as_root[@]}" apt-get update -qq >&2 ||
        ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -qq -y --no-install-recommends "${missing[@]}" >&2; then
        _weft_say "setup: apt-get could not install them; is there a network, and is this Debian 12 with its"
        _weft_say "  security suite? By hand:"
        _weft_say "  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
        return 2
    fi
}

# Installs the wheels listed in the file $2 into a Python environment at $1, unless they are installed.
_weft_install_wheels() {
    local folder=$1 wheels=$2 stamp=$1/.weft-setup wanted
    wanted=$(sha256sum <"$wheels" | cut -d' ' -f1)
    [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ] || return 0
    if ! command -v python3 >/dev/null; then
        _weft_say "setup: there is no python3, which fetches NVIDIA's programs.  apt-get install python3-venv"
        return 2
    fi
    _weft_say "setup: fetching NVIDIA's compiler programs into $folder"
    mkdir -p "$_weft_toolchain"
    if ! { "$folder/bin/python" -c 'import pip' 2>/dev/null || python3 -m venv "$folder" >&2; } ||
        ! "$folder/bin/python" -m pip install --quiet --no-input --disable-pip-version-check \
            --only-binary :all: -r "$wheels" >&2; then
        _weft_say "setup: the wheels could not be installed; is there a network? By hand:"
        _weft_say "  python3 -m venv $folder && $folder/bin/pip install -r $wheels"
        _weft_say "  or install the CUDA toolkit 13 and set CUDA_PATH. PTX can be made without."
        return 2
    fi
    printf '%s\n' "$wanted" >"$stamp"
}

_weft_setup_wheels() {
    local folder=$_weft_toolchain/cuda
    _weft_install_wheels "$folder" "$_weft_root/ci/requirements.txt" || return 2
    CUDA_PATH=$(echo "$folder"/lib/python3*/site-packages/nvidia/cu13)
    export CUDA_PATH
    if [ ! -x "$CUDA_PATH/bin/ptxas" ]; then
        _weft_say "setup: there is no ptxas in $CUDA_PATH. Remove $folder and run this again."
        return 2
    fi
    export PATH="$CUDA_PATH/bin:$PATH"
}

# The last ptxas that supports 32-bit addresses, in a separate folder.
_weft_setup_narrow() {
    local folder=$_weft_toolchain/cuda12
    _weft_install_wheels "$folder" "$_weft_root/ci/requirements-narrow.txt" || return 2
    WEFT_NARROW_PTXAS=$(echo "$folder"/lib/python3*/site-packages/nvidia/cuda_nvcc/bin/ptxas)
    export WEFT_NARROW_PTXAS
    if [ ! -x "$WEFT_NARROW_PTXAS" ]; then
        _weft_say "setup: there is no ptxas in $folder. Remove it and run this again."
        return 2
    fi
}

_weft_setup() {
    _weft_setup_rust && _weft_setup_packages && _weft_setup_wheels && _weft_setup_narrow
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    _weft_setup || exit $?
    _weft_say "setup: all is in place. NVIDIA's programs: $CUDA_PATH/bin"
else
    _weft_setup
fi
