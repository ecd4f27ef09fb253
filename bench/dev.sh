#!/usr/bin/env bash
# Measures what a developer waits for: seconds of wall clock until tools/dev has run the tests of a file of R/, of a file
# of the core in which one line was changed (compiled, linked and tested), and of a binding; and, with --units, the
# processor seconds and the memory of each unit of an installation, without ccache.
# Seconds of wall clock depend on what else the machine does; processor seconds hardly do. The first run of a checkout
# also compiles the core's tests, before anything is measured.
# Usage: bench/dev.sh [--units] | tee vignettes/articles/results/dev.txt
set -euo pipefail
cd "$(dirname "$0")/.."

seconds() {
  local label=$1 taken
  shift
  TIMEFORMAT='%R %U %S'
  taken=$({ time { "$@" >/dev/null 2>&1 || true; }; } 2>&1)
  echo "$taken" | awk -v label="$label" '{printf "%-46s %5.1f s, of them computing %5.1f s\n", label, $1, $2 + $3}'
}

# Appends a unique line to a file, so that no compilation can be reused, runs tools/dev, and removes the line again,
# also if interrupted.
after_a_line() {
  local file=$1
  cp "$file" "$file.kept"
  # shellcheck disable=SC2064
  trap "mv '$file.kept' '$file'; trap - EXIT RETURN" EXIT RETURN
  echo "static_assert($RANDOM$RANDOM >= 0, \"measured by bench/dev.sh\");" >>"$file"
  seconds "$file, one line" tools/dev "$file"
}

tools/dev R/scale.R src/core/stats/signed_rank.cpp src/core/belief/joint_scores.cpp >/dev/null 2>&1 || true
printf '%s, %d processors, load %.1f\n' "$(date +%F)" "$(nproc --all)" "$(cut -d ' ' -f 1 /proc/loadavg)"
seconds "R/scale.R" tools/dev R/scale.R
seconds "R/judging-goal.R" tools/dev R/judging-goal.R
after_a_line src/core/stats/signed_rank.cpp
after_a_line src/core/belief/joint_scores.cpp
[ "${1:-}" = --units ] || exit 0

config() { R CMD config "$1"; }
compiler="$(config CXX17) $(config CXX17STD) $(config CXX17FLAGS) $(config CXX17PICFLAGS)"
include=$(Rscript -e 'for (p in c("BH", "Rcpp", "RcppEigen")) cat("-I", system.file("include", package = p), " ", sep = "")')
object=$(mktemp --suffix .o)
trap 'rm -f "$object"' EXIT
cd src
for unit in compiled_together/*.cpp; do
  # shellcheck disable=SC2086
  /usr/bin/time -f "$unit %U %M" ${compiler#ccache } -w -DNDEBUG -I. -Icore $(config --cppflags) $include -c "$unit" \
    -o "$object" 2>&1
done | awk '{printf "%-46s %5.1f s %6.0f MB\n", $1, $2, $3 / 1024; total += $2; if ($3 > most) most = $3}
            END {printf "%-46s %5.1f s %6.0f MB\n", "all, and the largest", total, most / 1024}'
