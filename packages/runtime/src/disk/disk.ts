/**
 * The little of a file system that durable state needs, as a port. Failures are errors with an errno `code`.
 * Nothing is certain to survive a crash before the call that makes it durable has resolved: `sync` or
 * `appendDurably` for what is in a file, `syncDirectory` for names.
 */
export interface Disk {
  /** The whole file; a symbolic link is refused (ELOOP). */
  read(path: string): Promise<Uint8Array>
  /** About the path itself: a symbolic link is not followed. */
  stat(path: string): Promise<FileStat>
  /** The names in a directory, in any order. */
  list(directory: string): Promise<string[]>
  makeDirectory(path: string, mode: number): Promise<void>
  /** Makes a new file for writing; an existing one is refused (EEXIST). */
  create(path: string, mode: number): Promise<DiskFile>
  /** Opens an existing file to add at its end; a symbolic link is refused. */
  openToAppend(path: string): Promise<DiskFile>
  rename(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  syncDirectory(path: string): Promise<void>
}

export interface DiskFile {
  write(bytes: Uint8Array): Promise<void>
  sync(): Promise<void>
  /** Write and make durable in one step. */
  appendDurably(bytes: Uint8Array): Promise<void>
  /**
   * The same at a position; after a failure the same bytes may be written there again. Absent on a disk that can only
   * append: nothing can be reserved there.
   */
  writeDurably?(bytes: Uint8Array, at: number): Promise<void>
  truncate(size: number): Promise<void>
  close(): Promise<void>
}

export interface FileStat {
  readonly kind: 'file' | 'directory' | 'link' | 'other'
  readonly size: number
  /** Permission bits only. */
  readonly mode: number
  readonly uid: number
  /** Epoch milliseconds. */
  readonly modifiedAt: number
  /** Another one after every change to the file; absent while a further change might not show. */
  readonly version?: string
}

/** By its shape: an error of another realm, such as a test runner's sandbox, is no `Error` here. */
export const codeOf = (error: unknown): string | undefined => {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

/** Whether a failure, or its cause, is that there is no room left on the disk, or none of the user's quota. */
export const isNoRoom = (error: unknown): boolean =>
  hasCode(error, 'ENOSPC', 'EDQUOT') ||
  ((error as { readonly cause?: unknown } | null | undefined)?.cause !== undefined &&
    isNoRoom((error as { readonly cause?: unknown }).cause))

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes(codeOf(error) ?? '')

/** The message of an error, also of one from another realm. */
export const messageOf = (error: unknown): string => {
  const message = (error as { readonly message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : String(error)
}
