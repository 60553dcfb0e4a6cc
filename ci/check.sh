#!/usr/bin/env bash
# Runs everything that must pass before a change is merged; needs the tools that ci/setup.sh installs. The last
# line counts checks: formatting, words, lints and the build of the tests are one each, and so is each
# test. A missing tool is a failure, not a skip.
set -u
cd "$(dirname "$0")/.."
export CI=1 WEFT_REQUIRE_TOOLS=1 CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-auto}

passed=0 failed=0 skipped=0
logs=$(mktemp -d)
log=$logs/tests failures=$logs/failures
: >"$failures"

trap 'rm -rf "$logs"' EXIT
trap 'exit 130' INT TERM

# check NAME COMMAND...: runs one check. The output of a failed check is printed again at the end, so that it is
# not lost among the tests.
check() {
    local name=$1 status=0 start=$SECONDS
    printf '\n== %s\n' "$name"
    shift
    "$@" >"$logs/check" 2>&1 || status=$?
    cat "$logs/check"
    printf '%d seconds\n' $((SECONDS - start))
    if [ "$status" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        { printf '\n== %s failed, exit status %d:\n' "$name" "$status"; tail -n 60 "$logs/check"; } >>"$failures"
    fi
}

# count: adds up the results of the test harnesses in the log.
count() {
    local sums
    sums=$(sed -n 's/^test result: [^ ]* \([0-9]*\) passed; \([0-9]*\) failed; \([0-9]*\) ignored;.*/\1 \2 \3/p' "$log" |
        awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }')
    read -r p f s <<<"$sums"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

check "format" cargo fmt --all --check
check "words" ci/words
check "parts of the release" ci/release_parts/test.py
check "lints" cargo clippy --workspace --all-targets --quiet -- -D warnings
check "tests build" cargo test --workspace --no-run --quiet

printf '\n== tests\n'
before=$failed
cargo test --workspace --no-fail-fast 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
count
grep -E '^test .*FAILED' "$log" >>"$failures"
# The build failed, or a test program died without a result.
if [ "$status" -ne 0 ] && [ "$failed" -eq "$before" ]; then failed=$((failed + 1)); fi

cat "$failures"
printf '\n%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 4 ]
