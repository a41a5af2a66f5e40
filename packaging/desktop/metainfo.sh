#!/bin/sh
# SPDX-License-Identifier: MIT
#
# metainfo.sh validate FILE
# metainfo.sh validate-tree FOLDER
#
# Has appstreamcli read the metainfo, or that and the desktop entries of everything installed below a folder.
set -eu
[ $# -eq 2 ] || {
  echo 'metainfo: usage: metainfo.sh validate FILE or metainfo.sh validate-tree FOLDER' >&2
  exit 64
}

# The project has no homepage, and an invented address would be worse than none. Newer versions of the validator want one, and
# older ones refuse the name of that hint.
hint=--override=url-homepage-missing=info
appstreamcli "$1" --no-net $hint "$2" >/dev/null 2>&1 || hint=
exec appstreamcli "$1" --no-net $hint "$2"
