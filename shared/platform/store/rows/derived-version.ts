import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Change } from '../client/write.ts'
import { changeEntry } from '../slots.ts'
import type { Item } from '../values/marshal.ts'
import { readEditedVersion, type RecordData } from './record-row.ts'
import { touchedRollups } from './touched-rollups.ts'
import type { RecordTable } from './write-record-row.ts'

/** The update that makes a version of a record with other derived values, which only lists and history receive. */
export function derivedUpdate(
  tenant: TenantRef,
  table: RecordTable,
  current: Item,
  { data, text, source, at, writeId }: DerivedVersion,
): Change {
  const version = Number(current.version) + 1
  // What a rollup is made of names no rollup, so it needs not be told of one.
  const told = source === 'rollup' ? {} : touchedRollups(table, data)
  const slot = changeEntry(tenant, table.name, { at, id: Number(current.sk), version, isGone: false })
  const set: Item = {
    data: text,
    version,
    edited_version: readEditedVersion(current),
    derived_at: at,
    source,
    write_id: writeId,
    ...slot,
    ...told,
  }
  const gone = [
    'processes',
    'subscriptions',
    'watched',
    'logged',
    'hops',
    'batch_id',
    'split',
    'written_at',
    'written_by',
    'impersonator_id',
    'touched',
    'touched_to',
  ]
  const removed = gone.filter((name) => !Object.hasOwn(set, name))
  const names = [...Object.keys(set), ...removed]
  return {
    expression: `SET ${Object.keys(set)
      .map((name) => `#${name} = :${name}`)
      .join(', ')} REMOVE ${removed.map((name) => `#${name}`).join(', ')}`,
    names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    values: Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])) as Change['values'],
  }
}

interface DerivedVersion {
  readonly data: RecordData
  /** The data as JSON. */
  readonly text: string
  readonly source: string
  readonly at: string
  readonly writeId: string
}
