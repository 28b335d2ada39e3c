import { isDeepStrictEqual } from 'node:util'
import {
  readRecordData,
  readRecordHead,
  readRecordWrite,
  type RecordData,
} from '../../../platform/store/rows/record-row.ts'
import { asStored } from '../../../platform/store/rows/stored-names.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { FieldChange } from '../../../platform/trail/trail-event.ts'
import { historyEntry, type HistoryEntry } from '../../../records/history/history-entry.ts'

/** A stored history entry, as far as missing ones depend on it. */
export interface KnownEntry {
  readonly action: string
  readonly at: string
  readonly changes: Readonly<Record<string, FieldChange>>
}

type Data = Record<string, unknown>

/** The source of entries written by the repair. */
export const repairSource = 'repair'

/**
 * The missing history entries of a record, derived from the record (or its tombstone) and its stored entries, so that
 * history replays to the record. A gap of one version is exact but for its author; in a longer gap, or with several
 * gaps, one entry carries the changes of others (docs/decisions/0037).
 */
export function missingEntries(item: Item, known: ReadonlyMap<number, KnownEntry>): HistoryEntry[] {
  const { version: latest } = readRecordHead(item)
  const gaps = gapsIn(latest, known)
  const entries: HistoryEntry[] = []
  let state = withoutNulls(readRecordData(item, asStored))
  let version = latest
  for (const [index, { from, to }] of gaps.toReversed().entries()) {
    for (; version > to; version -= 1) undo(state, known.get(version) as KnownEntry)
    const below = gaps[gaps.length - 2 - index]
    const before = below ? replay(known, below.to + 1, from - 1, state) : replay(known, 1, from - 1, {})
    for (let missing = from; missing <= to; missing += 1)
      entries.push(
        entryOf(item, known, missing, missing === to ? [before, state] : [before, before], from === to && !below),
      )
    state = { ...before }
    version = from - 1
  }
  return entries.sort((a, b) => a.version - b.version)
}

interface Gap {
  readonly from: number
  readonly to: number
}

/** Ranges of versions without an entry, lowest first. */
function gapsIn(latest: number, known: ReadonlyMap<number, unknown>): Gap[] {
  const gaps: { from: number; to: number }[] = []
  for (let version = 1; version <= latest; version += 1) {
    if (known.has(version)) continue
    const last = gaps.at(-1)
    if (last?.to === version - 1) last.to = version
    else gaps.push({ from: version, to: version })
  }
  return gaps
}

function entryOf(
  item: Item,
  known: ReadonlyMap<number, KnownEntry>,
  version: number,
  [before, after]: readonly [Data, Data],
  isExact: boolean,
): HistoryEntry {
  const isNew = version === 1 || known.get(version - 1)?.action === 'delete'
  const { tenantId, model, id, version: latest, isDelete } = readRecordWrite(item)
  if (version === latest) {
    const earlier: Item | undefined = isNew ? undefined : { version: version - 1, data: JSON.stringify(before) }
    const entry = historyEntry(earlier, { ...item, data: JSON.stringify(isDelete ? before : after) }) as HistoryEntry
    return isExact && !isDelete ? entry : { ...entry, source: repairSource }
  }
  const { created_by, created_at, updated_at } = readRecordHead(item)
  return {
    tenantId,
    model,
    recordId: id,
    version,
    action: isNew ? 'create' : 'update',
    userId: version === 1 ? Number(item.written_by ?? created_by) : 0,
    source: repairSource,
    at: version === 1 ? String(item.written_at ?? created_at) : (nextMoment(known, version, latest) ?? updated_at),
    changes: difference(before, after),
  }
}

/** The time of the next known version, which this one precedes; undefined when there is none. */
function nextMoment(known: ReadonlyMap<number, KnownEntry>, version: number, latest: number): string | undefined {
  for (let later = version + 1; later <= latest; later += 1) {
    const entry = known.get(later)
    if (entry) return entry.at
  }
  return undefined
}

function undo(state: Data, { changes }: KnownEntry): void {
  for (const [name, change] of Object.entries(changes)) put(state, name, change.old)
}

/** The data after the known versions `from` to `to` are applied to `start`. */
function replay(known: ReadonlyMap<number, KnownEntry>, from: number, to: number, start: Data): Data {
  const state = { ...start }
  for (let version = from; version <= to; version += 1) {
    for (const [name, change] of Object.entries((known.get(version) as KnownEntry).changes))
      put(state, name, change.new)
  }
  return state
}

function put(state: Data, name: string, value: unknown): void {
  if (value === null || value === undefined) delete state[name]
  else state[name] = value
}

const withoutNulls = (data: RecordData): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))

function difference(before: Data, after: Data): Record<string, FieldChange> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return Object.fromEntries(
    names
      .filter((name) => !isDeepStrictEqual(before[name], after[name]))
      .map((name) => [name, { old: before[name] ?? null, new: after[name] ?? null }]),
  )
}
