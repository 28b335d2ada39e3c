import { namesOf } from '../../accounts/people/user.ts'
import { own } from '../../kernel/collections/own-members.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { conversationSource } from '../../platform/store/rows/derived-version.ts'
import { type NamedFields, withNames } from '../../platform/store/rows/stored-names.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { type FieldChange, readTrailRow, type TrailRow } from '../../platform/trail/trail-event.ts'
import { typeOfField } from '../../tables/field-types/read-field.ts'
import type { Table } from '../../tables/tables/table.ts'
import { readChanges } from './history-row.ts'
import type { HistoryEntryAnswer } from './schema.ts'

type Changes = Readonly<Record<string, FieldChange>>
type Fields = Pick<Table, 'fieldsByName'>
type Field = Table['table_fields'][number]

/** Changes that one sentence tells; it counts the others. */
const maxTold = 3

const happened: Readonly<Record<'create' | 'delete', string>> = { create: 'Record created', delete: 'Record deleted' }

/** What acted for the user, at the end of a sentence. */
const actors: Readonly<Record<string, string>> = {
  bulk: ' by a bulk change',
  delete: ' because a record it referred to was deleted',
  formula: ' because a formula changed',
  import: ' by an import',
  macro: ' by a macro',
  merge: ' by a merge',
  process: ' by a process',
  restore: ' by a restore',
  rollup: ' because of records that refer to it',
  rule: ' by a rule',
  script: ' by a script',
  split: ' by a split',
  undo: ' by an undo',
  unmerge: ' by an unmerge',
}

/**
 * What a version of a record changed, as a short sentence with the labels of fields, options and states, without a full
 * stop: `Status changed from New to Closed`. `names`: those of the users that `usersIn` found.
 */
export function describeChanges(
  table: Fields,
  {
    action,
    changes,
    source,
    merge,
  }: {
    readonly action: string
    readonly changes: Changes
    readonly source?: string
    readonly merge?: Readonly<Record<string, number | undefined>>
  },
  names: ReadonlyMap<number, string>,
): string {
  const merged = Object.entries(merge ?? {}).flatMap(([kind, id]) => own(mergeSentences, kind)?.(Number(id)) ?? [])
  if (merged.length > 0) return merged.join(', ')
  const by = own(actors, source ?? '') ?? ''
  if (action === 'create' && (source === 'restore' || source === 'undo')) return 'Record restored'
  if (action === 'create' || action === 'delete') return `${happened[action]}${by}`
  const told = Object.entries(changes).map(([name, change]) => sentenceOf(table, name, change, names))
  if (told.length === 0) return source === conversationSource ? 'Message of the conversation' : `Record changed${by}`
  const more = told.length - maxTold
  return told.slice(0, maxTold).join(', ') + (more > 0 ? ` and ${more} more` : '') + by
}

const mergeSentences: Readonly<Record<string, (id: number) => string>> = {
  into: (id) => `Merged into record ${id}`,
  from: (id) => `Record ${id} merged into this one`,
  unmerged_from: (id) => `Unmerged from record ${id}`,
  split_into: (id) => `Comments or messages split off into record ${id}`,
  split_from: (id) => `Record created by a split of record ${id}`,
  unmerged: (id) => `Record ${id} unmerged from this one`,
}

/** The ids of the users among the old and new values of fields. */
export const usersIn = (table: Fields, changes: Changes): number[] =>
  Object.entries(changes).flatMap(([name, change]) =>
    refersToPeople(table.fieldsByName.get(name))
      ? [change.old, change.new].filter((value) => typeof value === 'number')
      : [],
  )

const refersToPeople = (field: Field | undefined): boolean =>
  field !== undefined && typeOfField(field).refersToPeople === true

function sentenceOf(table: Fields, name: string, change: FieldChange, names: ReadonlyMap<number, string>): string {
  const field = table.fieldsByName.get(name)
  const label = field?.label ?? name
  const [was, is] = [textOf(field, change.old, names), textOf(field, change.new, names)]
  if (isEmpty(change.new)) return `${label} cleared`
  if (isEmpty(change.old)) return is === undefined ? `${label} set` : `${label} set to ${is}`
  return was === undefined || is === undefined ? `${label} changed` : `${label} changed from ${was} to ${is}`
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''

/** A value as a person reads it; undefined when it is too long, or says nothing to a person. */
const textOf = (field: Field | undefined, value: unknown, names: ReadonlyMap<number, string>): string | undefined =>
  field && typeOfField(field).inWords?.(field, value, names)

/**
 * Turns rows into answers. Rows hold user ids only, so that a person can be erased; the names are read now, and those of
 * fields that were renamed since. `readable`: the fields whose changes are answered; undefined: all.
 */
export async function describeRows(
  { store, fetchObject }: { store: Pick<Store, 'getMany'>; fetchObject: (key: string) => Promise<Uint8Array> },
  tenant: TenantRef,
  items: readonly Item[],
  {
    tableOf,
    readable,
  }: { readonly tableOf: (row: TrailRow) => NamedFields; readonly readable?: ReadonlySet<string> | undefined },
): Promise<HistoryEntryAnswer[]> {
  const rows = items.map((item) => ({ item, row: readTrailRow(item) }))
  const ids = rows.flatMap(({ row }) => [row.userId, row.impersonatorId]).filter((id) => id !== undefined)
  const names = await namesOf(store, tenant, ids)
  const person = (userId: number) => ({
    id: userId,
    // The service itself, such as for a value that it derived.
    name: userId === 0 ? 'System' : (names.get(userId) ?? 'Unknown user'),
  })
  return Promise.all(
    rows.map(async ({ item, row }) => ({
      id: row.version,
      action: row.action as HistoryEntryAnswer['action'],
      user: person(row.userId),
      changes: changesOf(withNames(tableOf(row), await readChanges(item, fetchObject)), readable),
      created_at: row.at,
      ...(row.impersonatorId !== undefined && { impersonator: person(row.impersonatorId) }),
      ...(row.source !== undefined && { source: row.source }),
      ...(row.batchId !== undefined && { batch_id: row.batchId }),
      ...(row.merge && { merge: row.merge }),
    })),
  )
}

const changesOf = (changes: HistoryEntryAnswer['changes'], readable: ReadonlySet<string> | undefined) =>
  readable ? Object.fromEntries(Object.entries(changes).filter(([name]) => readable.has(name))) : changes
