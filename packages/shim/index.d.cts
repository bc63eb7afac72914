/**
 * The absolute path of the `kron-shim` binary for this architecture.
 *
 * @throws Error on anything but linux-x64 and linux-arm64.
 */
export function shimPath(): string
