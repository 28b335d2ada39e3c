import type { TenantRef } from '../kernel/tenancy.ts'
import { atRevision, isNew } from '../store/conditions.ts'
import { readJson } from '../store/json-attribute.ts'
import type { Key } from '../store/keys/key.ts'
import { manifestKey } from '../store/keys/search.ts'
import type { Item } from '../store/marshal.ts'
import type { Condition } from '../store/store.ts'
import type { IndexContent } from './index-content.ts'

/**
 * The words and counted values that the index has of one record. It is also the lock of the record's postings and
 * counters: a writer first changes the manifest, on condition that it is unchanged (docs/decisions/0010).
 */
export interface Manifest extends IndexContent {
  /** Rises with every write of the manifest. */
  readonly rev: number
  /** The version of the record. */
  readonly version: number
  /** The version of the table's configuration. */
  readonly tableVersion: number
  /** The generation of the postings and counters. */
  readonly generation: number
  /**
   * The record is deleted. The row stays for a day, so that a slow writer that read the record earlier cannot restore
   * it.
   */
  readonly isDeleted: boolean
  /** Words of earlier manifests. A slow writer may still put postings of them, so they are removed again. */
  readonly former: readonly string[]
}

/** Far longer than any function runs. */
const goneSeconds = 24 * 60 * 60
/** Of more former words the newest are kept. */
export const maxFormerWords = 120

export function manifestItem(
  tenant: TenantRef,
  model: string,
  id: number,
  manifest: Manifest,
  nowMs: number,
): Item & Key {
  return {
    ...manifestKey(tenant, model, id),
    kind: 'manifest',
    v: 1,
    rev: manifest.rev,
    version: manifest.version,
    table_version: manifest.tableVersion,
    generation: manifest.generation,
    tokens: JSON.stringify(Object.fromEntries(manifest.tokens)),
    counted: JSON.stringify(Object.fromEntries(manifest.counted)),
    ...(manifest.former.length > 0 && { former: manifest.former }),
    ...(manifest.isDeleted && { gone: true, expires_at: Math.floor(nowMs / 1000) + goneSeconds }),
  }
}

/** Reads a manifest row; undefined when there is none. */
export function readManifest(item: Item | undefined): Manifest | undefined {
  if (!item) return undefined
  return {
    rev: Number(item.rev),
    version: Number(item.version),
    tableVersion: Number(item.table_version),
    generation: Number(item.generation),
    tokens: readMap<number>(item, 'tokens'),
    counted: readMap<string>(item, 'counted'),
    former: (item.former as readonly string[] | undefined) ?? [],
    isDeleted: item.gone === true,
  }
}

/** A Map, because words such as `__proto__` are not safe as keys of an object. */
const readMap = <T>(item: Item, name: string): Map<string, T> =>
  new Map(Object.entries(readJson<Record<string, T>>(item, name)))

/** The manifest is unchanged since it was read, or still missing. */
export const manifestUnchanged = (manifest: Manifest | undefined): Condition =>
  manifest ? atRevision(manifest.rev) : isNew
