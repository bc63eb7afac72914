const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** Debian's name for the machine; the package holds native code. */
export const architecture = ARCHITECTURES[process.arch] ?? process.arch

export type ControlFiles = Readonly<Record<string, string>>

/** No address of the project is known yet: whoever distributes the package puts in their own. */
export const MAINTAINER = `The Kron authors <${process.env['DEBEMAIL'] ?? 'kron@example.org'}>`

const controlFile = (
  name: string,
  version: string,
  kilobytes: number,
  relations: string,
  description: string,
): string => `Package: ${name}
Version: ${version}
Architecture: ${architecture}
Maintainer: ${MAINTAINER}
Installed-Size: ${kilobytes}
${relations}Section: admin
Priority: optional
Description: ${description}
`

export const controlOfKronctl = (version: string, kilobytes: number): ControlFiles => ({
  control: controlFile(
    'kronctl',
    version,
    kilobytes,
    'Depends: nodejs (>= 20.19), libc6\n',
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
    `Depends: libc6 (>= 2.28), libatomic1, libgcc-s1, libstdc++6 (>= 8)
Recommends: cron-daemon-common, default-mta | mail-transport-agent
Suggests: logcheck
Provides: cron-daemon
Conflicts: cron, cron-daemon
Replaces: cron
`,
    `deterministic windowed scheduling for hosts
 krond runs jobs at deterministic times within their windows, each period at
 most once. It takes cron's place: crontabs of the system and of users run as
 they are. krontab checks, explains, previews and forecasts job files, and
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
# Without cron-daemon-common nobody else makes it.
[ -d "$DPKG_ROOT/var/spool/cron/crontabs" ] || mkdir -p -m 700 "$DPKG_ROOT/var/spool/cron/crontabs"
if command -v systemd-sysusers >/dev/null; then systemd-sysusers kron.conf || true; fi
if [ -z "$DPKG_ROOT" ] && command -v systemd-tmpfiles >/dev/null; then systemd-tmpfiles --create kron.conf || true; fi
if [ -z "$2" ]; then
  # Also in an image, where no service manager runs.
  wants="$DPKG_ROOT/etc/systemd/system/multi-user.target.wants"
  mkdir -p "$wants"
  ln -sf /usr/lib/systemd/system/krond.service "$wants/krond.service"
fi
if [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  if [ -z "$2" ]; then
    # The machine is up already: lines @reboot wait for the next boot.
    mkdir -p -m 700 /var/lib/krond
    cat /proc/sys/kernel/random/boot_id > /var/lib/krond/reboot
    systemctl start krond.service
  else
    # An update gives running jobs to the new daemon.
    systemctl try-restart krond.service
  fi
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then systemctl stop krond.service; fi
`,
  postrm: `#!/bin/sh
set -e
if [ "$1" = remove ] || [ "$1" = purge ]; then
  rm -f "$DPKG_ROOT/etc/systemd/system/multi-user.target.wants/krond.service"
fi
if [ "$1" = purge ]; then
  rm -rf "$DPKG_ROOT/var/lib/krond" "$DPKG_ROOT/etc/krond.conf" "$DPKG_ROOT/run/krond"
fi
if [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
`,
  conffiles: '/etc/logcheck/ignore.d.server/kron\n',
})
