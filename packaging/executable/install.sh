#!/bin/sh
# Installs the single executable: ./install.sh [PREFIX], /usr/local unless given. Remove it with: rm PREFIX/bin/kron*
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
prefix=${1:-/usr/local}
(cd "$here" && sha256sum --quiet --check SHA256SUMS)
mkdir -p "$prefix/bin"
install -m 755 "$here/kron" "$prefix/bin/kron.new"
"$prefix/bin/kron.new" --help >/dev/null || {
  rm "$prefix/bin/kron.new"
  echo "kron does not run here: it needs glibc 2.28, libatomic, libgcc and libstdc++ (Debian: apt install libatomic1)" >&2
  exit 1
}
mv "$prefix/bin/kron.new" "$prefix/bin/kron"
for name in krond krontab kronctl; do ln -sf kron "$prefix/bin/$name"; done
echo "installed kron, krond, krontab and kronctl in $prefix/bin"
echo "for crontab as well, once cron is gone: ln -s kron $prefix/bin/crontab"
