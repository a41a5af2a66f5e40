#!/bin/sh
# SPDX-License-Identifier: MIT
#
# reference.sh BUILD-FOLDER
#
# Makes the reference of the Swift library from the modules in a build folder: .build/reference, for a web server. What a page refers to
# and is not there ends it with an error. Where the toolchain has no docc, it says so and does nothing.
set -eu
cd "$(dirname "$0")/../.."

build=${1:?usage: reference.sh BUILD-FOLDER}
symbols=.build/symbols

command -v docc >/dev/null || {
  echo 'reference: this toolchain has no docc, so the reference is not made' >&2
  exit 0
}

# The compiler reads the C libraries' modules along with ours.
modules=
for map in Sources/C*/module.modulemap "$build"/*.build/module.modulemap; do
  [ ! -f "$map" ] || modules="$modules -Xcc -fmodule-map-file=$map"
done
for folder in $(pkg-config --cflags-only-I dbus-1); do modules="$modules -Xcc $folder"; done

rm -rf "$symbols" .build/reference
mkdir -p "$symbols"
for module in Fermata FermataPlayer; do
  # shellcheck disable=SC2086 # several words
  swift symbolgraph-extract -module-name "$module" -I "$build/Modules" $modules \
    -target "$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p' | head -n 1)" \
    -minimum-access-level public -skip-inherited-docs -output-dir "$symbols"
done

# docc copies its template of a page with the owners of the files, which nobody but root may, and then finds no page to write to
# where the toolchain is root's. So it is given a copy that belongs to who runs this.
render=$(dirname "$(readlink -f "$(command -v docc)")")/../share/docc/render
if [ -d "$render" ]; then
  rm -rf .build/reference-template
  cp -R "$render" .build/reference-template
  DOCC_HTML_DIR=$PWD/.build/reference-template
  export DOCC_HTML_DIR
fi

docc convert docs/reference/Fermata.docc --additional-symbol-graph-dir "$symbols" \
  --fallback-display-name Fermata --fallback-bundle-identifier org.fermata.Fermata \
  --warnings-as-errors --output-path .build/reference
rm -rf .build/reference-template
echo "reference: .build/reference; 'docc preview docs/reference/Fermata.docc' shows the articles"
