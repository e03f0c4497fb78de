#!/bin/sh
# Installs rread @VERSION@: picks the archive for this machine, checks its SHA-256, and copies the program, its man
# pages and its completions.
#
#   sh install.sh                      into ~/.local
#   PREFIX=/usr/local sh install.sh    into another folder
#   RREAD_BASE_URL=file:///mnt/rread   take the files from there
set -eu

base=${RREAD_BASE_URL:-@BASE_URL@}
prefix=${PREFIX:-$HOME/.local}
# The work is done in a temporary folder, so a relative PREFIX must name its place first.
case $prefix in
  /*) ;;
  *) prefix=$PWD/$prefix ;;
esac

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

archive_name() {
  case $(uname -s)-$(uname -m) in
@PLATFORMS@
    *) fail "there is no archive for $(uname -s) on $(uname -m); build it with: cargo install rread" ;;
  esac
}

# download NAME: into the current folder.
download() {
  case $base in
    file://*) cp "${base#file://}/$1" "$1" ;;
    *)
      if command -v curl >/dev/null; then
        # A redirect must not lead from https to another protocol.
        curl --proto "=https,${base%%:*}" --fail --silent --show-error --location --output "$1" "$base/$1"
      elif command -v wget >/dev/null; then
        wget -q -O "$1" "$base/$1"
      else
        fail "install curl or wget first"
      fi
      ;;
  esac || fail "$base/$1 cannot be fetched"
}

checksum() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1"
  elif command -v shasum >/dev/null; then
    shasum -a 256 "$1"
  else
    fail "install sha256sum or shasum first: the archive must be checked"
  fi | cut -d ' ' -f 1
}

# completion FILE PLACE
completion() {
  mkdir -p "$prefix/share/${2%/*}"
  cp "$name/completions/$1" "$prefix/share/$2"
}

# A script that was cut off while it was downloaded defines functions and does nothing.
main() {
  name=$(archive_name)
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  cd "$folder"
  download "$name.tgz"
  download SHA256SUMS
  expected=$(sed -n "s/^\([0-9a-f]\{64\}\) [ *]$name\.tgz\$/\1/p" SHA256SUMS)
  [ -n "$expected" ] || fail "SHA256SUMS has no line for $name.tgz"
  actual=$(checksum "$name.tgz")
  [ "$actual" = "$expected" ] || fail "the SHA-256 of $name.tgz is $actual, not $expected; nothing was installed"
  tar -xzf "$name.tgz"

  mkdir -p "$prefix/bin" "$prefix/share/man/man1" "$prefix/share/doc/rread"
  # A program that is running cannot be written, but it can be replaced.
  cp "$name/rread" "$prefix/bin/.rread.new"
  chmod 755 "$prefix/bin/.rread.new"
  mv -f "$prefix/bin/.rread.new" "$prefix/bin/rread"
  cp "$name"/man/*.1 "$prefix/share/man/man1/"
  cp "$name"/LICENSE* "$name/README.md" "$prefix/share/doc/rread/"

  completion rread.bash bash-completion/completions/rread
  completion _rread zsh/site-functions/_rread
  completion rread.fish fish/vendor_completions.d/rread.fish

  "$prefix/bin/rread" --version
  case :$PATH: in
    *":$prefix/bin:"*) ;;
    *) echo "Add $prefix/bin to PATH." ;;
  esac
}
main
