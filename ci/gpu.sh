#!/usr/bin/env bash
# Runs on a GPU what continuous integration runs on the emulator, and compares the two. docs/internals/gpu-results.md has the results.
#
#   ci/gpu.sh [WEFTC] [--only PART] [--test NAME]    with this weftc; without one, that of ci/release or of cargo build --release
#
# The parts are in ci/gpu_parts: launches of tests/run on the GPU and on the emulator; a program that two compilers made; results of
# mathematical functions and litmus tests, of weftc's code and of nvcc's; run times; how textures round and which tiles tensor maps copy;
# cuda-gdb and profilers. They need a driver, Python 3 and, most of them, nvcc, but no Rust and no network. --test picks launches by the
# names of their tests. WEFT_GPU_DEVICE=emulator tries the launches without a GPU. The last lines are rows for the table. Exit status 1 if
# anything differs, 2 without a driver or weftc.
PYTHONDONTWRITEBYTECODE=1 exec python3 "$(dirname "$0")/gpu_parts" "$@"
