#!/usr/bin/env bash
# Runs on a GPU what continuous integration runs on the emulator, and compares the two. docs/internals/gpu-results.md has what came of it.
#
#   ci/gpu.sh [WEFTC]    with this weftc; without one, that of ci/release or of cargo build --release
#
# Every launch of tests/run/ is run from weftc's PTX at -O0 and -O3 and, where there is an nvcc, from nvcc's: on the GPU and on
# the emulator, and each buffer that it leaves must be the same on both, or as near as the test says. Then a program whose kernel and
# function two compilers made is linked by nvcc and started, and cuda-gdb is asked what tests/debugger/*.gdb ask, of a kernel of
# weftc's that calls a function of nvcc's: what stands behind `#= ` there it has to say, in that order. Needs a driver, no Rust and no network; WEFT_GPU_DEVICE=emulator tries
# the script without a GPU. The last lines are rows for the table. Exit status 1 if anything differs, 2 without a driver or weftc.
set -u
cd "$(dirname "$0")/.."
device=${WEFT_GPU_DEVICE:-gpu}
weftc=${1:-}
for built in target/shipped/release/weftc target/release/weftc; do
    [ -n "$weftc" ] || [ ! -x "$built" ] || weftc=$built
done
if [ ! -x "$weftc" ]; then
    echo "ci/gpu.sh: there is no weftc; build it with ci/release, or name one" >&2
    exit 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
name=$device driver='' arch=sm_75
if [ "$device" = gpu ]; then
    if ! name=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1) || [ -z "$name" ]; then
        echo "ci/gpu.sh: there is no GPU: nvidia-smi finds none" >&2
        exit 2
    fi
    driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
    arch=sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
fi
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || true)
toolkit=$([ -n "$nvcc" ] && "$nvcc" --version | sed -n 's/.*release \(.*\), .*/CUDA \1/p')

passed=0 failed=0
# verdict NAME STATUS: counts; what went wrong is in $work/log.
verdict() {
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'differs: %s\n' "$1"
        sed 's/^/    /' "$work/log"
    fi
}

# run DEVICE INPUT OPTIONS...: runs the launch that is at hand.
run() {
    local on=$1 input=$2
    shift 2
    "$weftc" run "$input" "$@" --device "$on" --quiet "${launch[@]}" "${args[@]}"
}

# both WAY INPUT OPTIONS...: runs the launch that is at hand on both, and compares all of its buffers.
both() {
    local way=$1 input=$2 index=0 save=() expect=() arg status
    shift 2
    rm -rf "$work/emulator" && mkdir -p "$work/emulator"
    for arg in "${args[@]}"; do
        case "$arg" in
        --arg) continue ;;
        *\&* | \{*) ;;
        *\[*|*=\{*|*@*)
            save+=(--save "$index=$work/emulator/$index.npy")
            expect+=(--expect "$index=@$work/emulator/$index.npy") ;;
        esac
        index=$((index + 1))
    done
    run emulator "$input" "$@" "${save[@]}" >"$work/printed" 2>"$work/log" &&
        run "$device" "$input" "$@" "${expect[@]}" "${tolerance[@]}" >"$work/printed.gpu" 2>"$work/log" &&
        cmp "$work/printed" "$work/printed.gpu" >"$work/log" 2>&1
    status=$?
    verdict "$source, line $line, ${launch[1]}, $way" "$status"
}

# launched: the launch that is at hand, in each way.
launched() {
    [ "${#launch[@]}" -gt 0 ] || return 0
    both "weftc -O0" "$source" -O 0 --arch "$arch"
    both "weftc -O3" "$source" -O 3 --arch "$arch"
    if [ -n "$nvcc" ] && [ -s "$work/nvcc.ptx" ]; then both nvcc "$work/nvcc.ptx"; fi
    launch=() args=() tolerance=()
}

for source in tests/run/*.src; do
    rm -f "$work/nvcc.ptx"
    if [ -n "$nvcc" ]; then
        "$nvcc" -x cu -std=c++17 -arch="$arch" -rdc=true --ptx -o "$work/nvcc.ptx" "$source" >"$work/log" 2>&1 ||
            printf 'nvcc of this machine does not take %s\n' "$source"
    fi
    launch=() args=() tolerance=() number=0 line=0
    while IFS= read -r text; do
        number=$((number + 1))
        case "$text" in
        '//@ launch: '*)
            launched
            line=$number
            read -ra words <<<"${text#*: }"
            launch=(--kernel "${words[0]}")
            for word in "${words[@]:1}"; do launch+=("--${word%%=*}" "${word#*=}"); done ;;
        '//@ arg: '*) args+=(--arg "${text#*: }") ;;
        '//@ tolerance: '*)
            read -r amount unit <<<"${text#*: }"
            case "$unit" in
            ulps) tolerance=(--ulp "$amount") ;;
            relative) tolerance=(--rtol "$amount") ;;
            absolute) tolerance=(--atol "$amount") ;;
            esac ;;
        esac
    done <"$source"
    launched
done
launches="$passed of $((passed + failed)) launches leave the same"

linked=unmeasured
if [ -n "$nvcc" ] && [ "$device" = gpu ]; then
    cat >"$work/callee.src" <<'C'
__device__ __noinline__ int foo(int i, int j) { return i + j; }
C
    cat >"$work/main.cu" <<'C'
#include <cstdio>
__device__ int foo(int i, int j);
__global__ void test(int *p) { *p = foo(40, 2); }
int main()
{
    int *p, found = 0;
    cudaMalloc(&p, 4);
    test<<<1, 1>>>(p);
    cudaMemcpy(&found, p, 4, cudaMemcpyDeviceToHost);
    std::printf("%d, %s\n", found, cudaGetErrorString(cudaGetLastError()));
    return found != 42;
}
C
    (cd "$work" && "$OLDPWD/${weftc#"$OLDPWD"/}" -dc -arch="$arch" callee.src -o callee.o) >"$work/log" 2>&1 &&
        "$nvcc" -arch="$arch" -rdc=true -o "$work/app" "$work/main.cu" "$work/callee.o" >>"$work/log" 2>&1 &&
        "$work/app" >>"$work/log" 2>&1
    status=$?
    verdict "a program of nvcc's that calls a function of weftc's" "$status"
    linked=$([ "$status" -eq 0 ] && echo "starts, and calls it" || echo "FAILS")
fi

# debugged SCRIPT: runs cuda-gdb by the script, and looks for what it has to say.
debugged() {
    local script=$work/script.gdb last=0 wanted found
    cp "$1" "$script"
    while IFS=: read -r line text; do
        sed -i "s/@${text##*at: }@/$line/" "$script"
    done < <(grep -n '// at: ' tests/debugger/features.src)
    timeout 120 cuda-gdb -batch -nx -x "$script" --args "$work/debugged" "$work/debugged.cubin" >"$work/log" 2>&1
    while IFS= read -r wanted; do
        found=$(tail -n +$((last + 1)) "$work/log" | grep -n -E -m 1 -- "$wanted" | cut -d: -f1)
        if [ -z "$found" ]; then
            printf 'it does not say, behind line %d: %s\n' "$last" "$wanted" >>"$work/log"
            return 1
        fi
        last=$((last + found))
    done < <(sed -n 's/^#= //p' "$script")
}

debugging=unmeasured
scripts=(tests/debugger/*.gdb)
if [ -n "$nvcc" ] && [ "$device" = gpu ] && command -v cuda-gdb >/dev/null; then
    right=0
    "$nvcc" -G -arch="$arch" -rdc=true -cubin -o "$work/callee.o" tests/debugger/callee.cu >"$work/log" 2>&1 &&
        "$weftc" -g -arch="$arch" tests/debugger/features.src "$work/callee.o" -o "$work/debugged.cubin" >>"$work/log" 2>&1 &&
        "$nvcc" -o "$work/debugged" tests/debugger/main.cpp -lcuda >>"$work/log" 2>&1 &&
        "$work/debugged" "$work/debugged.cubin" >>"$work/log" 2>&1 &&
        grep -q '^found 188 298 408 88$' "$work/log"
    verdict "a kernel for a debugger, linked with a function of nvcc's" $?
    for script in "${scripts[@]}"; do
        debugged "$script"
        status=$?
        [ "$status" -ne 0 ] || right=$((right + 1))
        verdict "cuda-gdb, $script" "$status"
    done
    debugging="$right of ${#scripts[@]} scripts right"
else
    printf 'skipped: %d scripts of cuda-gdb: there is no GPU, nvcc or cuda-gdb\n' "${#scripts[@]}"
fi

where="$name, driver ${driver:-none}, ${toolkit:-no toolkit}"
today=$(date -u +%F)
printf '\n| `tests/run/` on the GPU and on the emulator | %s | %s | %s |\n' "$where" "$today" "$launches"
printf '| a program that links a `weftc -dc` object starts and calls it | %s | %s | %s |\n' "$where" "$today" "$linked"
printf '| cuda-gdb on `weftc -g`: `tests/debugger/` | %s | %s | %s |\n' "$where" "$today" "$debugging"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
