# Functions for the scripts in tools/, which source this file: they install only what is missing. Debian's built
# packages are preferred if they are new enough; otherwise CRAN's sources are compiled.

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Another apt-get, such as an unattended upgrade of a new machine, may hold the lock for some minutes.
apt_wait=DPkg::Lock::Timeout=600
apt_updated=no
# `apt-get update` needs another lock, that of the package lists, and does not wait for it despite this option.
apt_update() {
  local tries errors
  errors=$(mktemp)
  for tries in $(seq 60); do
    if as_root env LC_ALL=C apt-get -o "$apt_wait" update -qq 2>"$errors"; then
      apt_updated=yes
      return 0
    fi
    grep -q 'Could not get lock' "$errors" || break
    sleep 10
  done
  cat "$errors" >&2
  return 1
}

apt_install() {
  [ "$#" -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null; then
    echo "Cannot install $*: there is no apt-get. Install them by hand and run this again." >&2
    return 1
  fi
  [ "$apt_updated" = yes ] || apt_update
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o "$apt_wait" install -y -qq --no-install-recommends "$@" >/dev/null
}

# need_commands COMMAND:DEBIAN_PACKAGE ...: installs the Debian package of each command that is missing.
need_commands() {
  local missing=() entry
  for entry in "$@"; do
    command -v "${entry%%:*}" >/dev/null || missing+=("${entry#*:}")
  done
  apt_install "${missing[@]}"
}

# Installs the header of zlib if it is missing; a machine with r-base-dev has it.
need_zlib() {
  echo '#include <zlib.h>' | g++ -E -x c++ - >/dev/null 2>&1 || apt_install zlib1g-dev
}

# need_r_packages FIELD ...: installs the packages that those fields of DESCRIPTION name.
need_r_packages() {
  local missing name debian=()
  missing=$(Rscript tools/missing-packages.R "$@")
  [ -n "$missing" ] || return 0
  echo "Installing R packages: $(echo $missing)"
  [ "$apt_updated" = yes ] || apt_update
  for name in $missing; do
    # For a package that others only mention, apt-cache succeeds but shows nothing.
    if [ -n "$(apt-cache show "r-cran-${name,,}" 2>/dev/null)" ]; then debian+=("r-cran-${name,,}"); fi
  done
  apt_install "${debian[@]}"
  missing=$(Rscript tools/missing-packages.R "$@")
  [ -n "$missing" ] || return 0
  as_root Rscript tools/install-cran.R $missing
}

# newer_sources FILE: prints one source file that is newer than FILE, if there is one.
newer_sources() {
  find DESCRIPTION NAMESPACE R src data exec inst -type f ! -name '*.o' ! -name '*.so' -newer "$1" -print -quit
}

# Installs the package itself, unless the installed one is as new as the sources.
need_judicious() {
  local installed
  installed=$(Rscript -e 'cat(system.file("DESCRIPTION", package = "judicious"))')
  if [ -n "$installed" ] && [ -z "$(newer_sources "$installed")" ]; then return 0; fi
  echo "Installing judicious"
  local log
  log=$(mktemp)
  # The flags of distributions request debugging symbols, which make compilation take half as long again.
  MAKEFLAGS="-j$(nproc) CXX17FLAGS=-O2" R CMD INSTALL --no-docs . >"$log" 2>&1 || { cat "$log" >&2; return 1; }
  rm -f "$log"
}

# Installs clang with libFuzzer if it is missing.
need_clang() {
  local probe
  need_commands clang++:clang || return 1
  probe=$(mktemp)
  printf 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }\n' |
    clang++ -fsanitize=fuzzer,address -x c++ - -o "$probe" 2>/dev/null || apt_install libclang-rt-dev
  local status=$?
  rm -f "$probe"
  return $status
}

# Sets JUDICIOUS_AXE to the script of axe-core, with which tests check the accessibility of the judging page, if npm can
# download it.
need_axe() {
  [ -z "${JUDICIOUS_AXE:-}" ] || return 0
  local folder=${XDG_CACHE_HOME:-$HOME/.cache}/judicious
  if [ ! -e "$folder/package/axe.min.js" ]; then
    command -v npm >/dev/null || return 1
    mkdir -p "$folder" && (cd "$folder" && npm pack --silent axe-core@4 >/dev/null 2>&1 && tar xzf axe-core-*.tgz) || return 1
  fi
  export JUDICIOUS_AXE="$folder/package/axe.min.js"
}

# Sets JUDICIOUS_ELLMER to a library with the package ellmer. The library is separate, because ellmer needs newer
# versions of packages than distributions have, and other packages were built with the older ones. R searches it last,
# so that R CMD check finds ellmer.
need_ellmer() {
  local library=${XDG_CACHE_HOME:-$HOME/.cache}/judicious/ellmer
  if ! Rscript -e 'quit(status = packageVersion("ellmer", lib.loc = commandArgs(TRUE)) < "0.4.0")' "$library" >/dev/null 2>&1; then
    apt_install libcurl4-openssl-dev libssl-dev || return 1
    mkdir -p "$library"
    echo "Installing ellmer in $library"
    R_LIBS=$library Rscript \
      -e 'if (getOption("repos")[["CRAN"]] == "@CRAN@") utils::chooseCRANmirror(graphics = FALSE, ind = 1)' \
      -e 'install.packages("ellmer", commandArgs(TRUE), quiet = TRUE, Ncpus = parallel::detectCores())' "$library" >/dev/null 2>&1
    [ -d "$library/ellmer" ] || return 1
  fi
  export JUDICIOUS_ELLMER=$library
  R_LIBS_SITE=$(Rscript -e 'cat(c(.Library.site, commandArgs(TRUE)), sep = ":")' "$library")
  export R_LIBS_SITE
}
