import type { TenantRef } from '../kernel/tenancy.ts'
import { atRevision, isNew } from '../store/conditions.ts'
import { readJson } from '../store/json-attribute.ts'
import type { Key } from '../store/keys/key.ts'
import { manifestKey } from '../store/keys/search.ts'
import type { Item } from '../store/marshal.ts'
import type { Condition } from '../store/table.ts'
import type { IndexContent } from './index-content.ts'

/**
 * What the index holds of one record, and the lock of everything written for it: postings and counters follow from the
 * manifest, and whoever wants to change them changes it first, on condition that nobody else did.
 */
export interface Manifest extends IndexContent {
  /** Rises with every write of the manifest. */
  readonly rev: number
  /** Of the record. */
  readonly version: number
  /** Of the table's configuration. */
  readonly tableVersion: number
  /** Of the postings and counters. */
  readonly generation: number
  /** The record is gone: the row stays for a while, so that nobody who read the record before brings it back. */
  readonly isGone: boolean
  /** Words that stood here and may still have a posting, put late by somebody who was overtaken. */
  readonly former: readonly string[]
}

/** More than a function can live, by far. */
const goneSeconds = 24 * 60 * 60
/** The newest ones are kept. */
export const maxFormer = 120

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
    ...(manifest.isGone && { gone: true, expires_at: Math.floor(nowMs / 1000) + goneSeconds }),
  }
}

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
    isGone: item.gone === true,
  }
}

/** Names that an object could not tell from its own ("__proto__") are ordinary words here. */
const readMap = <T>(item: Item, name: string): Map<string, T> =>
  new Map(Object.entries(readJson<Record<string, T>>(item, name)))

/** Nobody has written the manifest since it was read. */
export const manifestUnchanged = (manifest: Manifest | undefined): Condition =>
  manifest ? atRevision(manifest.rev) : isNew
