const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** Debian's name for the machine; the package holds native code. */
export const architecture = ARCHITECTURES[process.arch] ?? process.arch

/** The control files of the package, by name. */
export const controlFiles = (version: string, kilobytes: number): Readonly<Record<string, string>> => ({
  control: `Package: kron
Version: ${version}
Architecture: ${architecture}
Maintainer: The Kron authors <kron@example.org>
Installed-Size: ${kilobytes}
Depends: nodejs (>= 20.19), libc6
Recommends: bsdutils
Section: admin
Priority: optional
Description: deterministic windowed scheduling for hosts
 krond runs jobs at deterministic times within their windows, each period at
 most once. krontab checks, explains, previews and forecasts job files, and
 imports crontabs and systemd timers.
`,
  conffiles: '/etc/krond.conf\n',
  postinst: `#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
if command -v systemd-sysusers >/dev/null; then systemd-sysusers kron.conf || true; fi
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # A first installation starts it; an update gives running jobs to the new daemon.
  if [ -z "$2" ]; then systemctl enable --now krond.service; else systemctl try-restart krond.service; fi
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then systemctl disable --now krond.service; fi
`,
  postrm: `#!/bin/sh
set -e
if [ "$1" = purge ]; then rm -rf /var/lib/krond; fi
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
`,
})
