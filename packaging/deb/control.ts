const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** Debian's name for the machine; the package holds native code. */
export const architecture = ARCHITECTURES[process.arch] ?? process.arch

export type ControlFiles = Readonly<Record<string, string>>

/** No address of the project is known yet: whoever distributes the package puts in their own. */
const MAINTAINER = process.env['DEBEMAIL'] ?? 'kron@example.org'

const controlFile = (
  name: string,
  version: string,
  kilobytes: number,
  more: string,
  description: string,
): string => `Package: ${name}
Version: ${version}
Architecture: ${architecture}
Maintainer: The Kron authors <${MAINTAINER}>
Installed-Size: ${kilobytes}
Depends: nodejs (>= 20.19), libc6
${more}Section: admin
Priority: optional
Description: ${description}
`

export const controlOfKronctl = (version: string, kilobytes: number): ControlFiles => ({
  control: controlFile(
    'kronctl',
    version,
    kilobytes,
    '',
    `explains and forecasts KronJobs of a Kubernetes cluster
 kronctl tells when KronJobs start and why, checks and converts manifests,
 prints what installs the operator, and suspends and resumes KronJobs.`,
  ),
})

export const controlOfKron = (version: string, kilobytes: number): ControlFiles => ({
  control: controlFile(
    'kron',
    version,
    kilobytes,
    'Recommends: bsdutils\n',
    `deterministic windowed scheduling for hosts
 krond runs jobs at deterministic times within their windows, each period at
 most once. krontab checks, explains, previews and forecasts job files, and
 imports crontabs and systemd timers.`,
  ),
  postinst: `#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
# Only a first installation gets a krond.conf: with a conffile, an update would give hosts another salt.
if [ -z "$2" ] && [ ! -e "$DPKG_ROOT/etc/krond.conf" ]; then
  cp "$DPKG_ROOT/usr/share/kron/krond.conf" "$DPKG_ROOT/etc/krond.conf"
  chmod 644 "$DPKG_ROOT/etc/krond.conf"
fi
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
if [ "$1" = purge ]; then rm -rf "$DPKG_ROOT/var/lib/krond" "$DPKG_ROOT/etc/krond.conf"; fi
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
`,
})
