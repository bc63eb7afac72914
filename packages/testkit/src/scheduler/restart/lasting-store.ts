import { fileStore, type Store, sqliteStore } from '../../../../scheduler/src/index.ts'

/** Stores of one machine that outlive a process. */
export const STORE_KINDS = ['file', 'sqlite'] as const
export type StoreKind = (typeof STORE_KINDS)[number]

export const storeOf = (kind: StoreKind, place: string): Store =>
  kind === 'file' ? fileStore(place) : sqliteStore(place)
