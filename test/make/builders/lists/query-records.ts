import type { Principal } from '../../../../shared/kernel/principal.ts'
/**
 * Tables with fields of every kind, and records with values that are hard to distinguish, for tests against the query
 * oracle.
 */
import { clock } from '../../../../shared/kernel/time/clock.ts'
import { sequenceKey } from '../../../../shared/platform/store/keys/records.ts'
import { tombstoneItem } from '../../../../shared/platform/store/rows/tombstone-row.ts'
import type { Store } from '../../../../shared/platform/store/store.ts'
import { markedItem, recordItem, type StoredRecord } from '../../../../shared/records/records/record-item.ts'
import type { Field } from '../../../../shared/tables/tables/schema.ts'
import { readTable, type Table } from '../../../../shared/tables/tables/table.ts'
import type { PlainRecord } from '../../oracles/query-oracle.ts'

export const tenant = { id: 7, slug: 'acme', name: 'Acme', configVersion: 1 }
const actor: Principal = { tenant, userId: 1 }

export const tableOf = (id: number, name: string, table_fields: Field[]): Table =>
  readTable({
    name,
    version: 1,
    doc: {
      id,
      label: name,
      title_field: table_fields[0]?.name ?? null,
      table_fields,
      automations: [],
      retired: [],
    },
  })

export const clientsTable = tableOf(101, 'clients', [
  { name: 'name', type: 'text' },
  { name: 'tier', type: 'value_list', options: [{ slug: 'gold' }, { slug: 'lead' }] },
  { name: 'score', type: 'float' },
])

const thingFields: Field[] = [
  { name: 'title', type: 'text' },
  { name: 'long', type: 'textarea' },
  { name: 'note', type: 'textarea' },
  { name: 'priority', type: 'integer' },
  { name: 'weight', type: 'float' },
  { name: 'bare', type: 'integer' },
  { name: 'active', type: 'boolean' },
  { name: 'due', type: 'date' },
  { name: 'at', type: 'datetime' },
  { name: 'source', type: 'value_list', options: [{ slug: 'mail' }, { slug: 'phone' }] },
  { name: 'client_id', type: 'model_list', target_table: 'clients' },
  { name: 'late', type: 'integer' },
]
export const thingsTable = tableOf(102, 'things', thingFields)

const stem = 'x'.repeat(505)
/** Values by field, hard to order and hard to distinguish; undefined is no value. */
export const pools: Readonly<Record<string, readonly unknown[]>> = {
  title: [
    undefined,
    null,
    '',
    'a',
    'A',
    'ab',
    'abc',
    'a\u0000',
    'a\u0001',
    'a\u0001b',
    'a\u0002',
    '\u0000',
    '\u{10FFFF}',
    '\u{10FFFF}a',
    '\u{10FFFE}',
    'é',
    'É',
    'ß',
    '\uFF01',
    '\u{1F600}',
    '\u{1F600}b',
    '\uE000',
    '~',
    'a~',
    'zz',
  ],
  long: [
    undefined,
    '',
    'short',
    ...[
      '',
      'a',
      'b',
      'x',
      'xxxx',
      'xxxxxxxxxxxx',
      'é',
      '€',
      '\u{1F600}',
      'xx€',
      'xxxx\u{1F600}a',
      'xxxx\u{1F600}b',
      'xxxxxx€1',
      'xxxxxx€0',
      'xxxxxxxzzz',
      'xxxxxxxzza',
      '\u0001',
      'xxx\u0000',
      'xxxx\u0001x',
    ].map((end) => stem + end),
  ],
  note: [undefined, null, '', 'Hello', 'hello world', 'ÄÖÜ', 'äöü', 'x'.repeat(600)],
  priority: [undefined, null, -5, -1, 0, 1, 2, 3, 3, 3, Number.MAX_SAFE_INTEGER],
  weight: [undefined, -1e300, -2.5, -0.1, 0, 1e-9, 0.5, 2.5, 1e300],
  bare: [undefined, null, -1, 0, 1, 2],
  active: [undefined, null, true, false],
  due: [undefined, '2026-01-01', '2026-01-31', '2026-02-01', '0001-01-01', '9999-12-31'],
  at: [undefined, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2026-06-01T12:00:00.000Z'],
  source: [undefined, null, 'mail', 'phone'],
  client_id: [undefined, null, 1, 2, 3, 4, 5, 99],
  late: [undefined, 1, 2, 3],
}

/** A generator of the same numbers for the same seed. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % below
  }
}
export const pick = <T>(random: (below: number) => number, from: readonly T[]): T => from[random(from.length)] as T

const moment = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString()

export function randomThing(id: number, random: (below: number) => number, version = 1): StoredRecord {
  const data: Record<string, unknown> = {}
  for (const { name } of thingFields) {
    const value = pick(random, pools[name] as unknown[])
    if (value !== undefined) data[name] = value
  }
  return {
    id,
    tenant_id: tenant.id,
    created_by: 1 + random(3),
    updated_by: 1 + random(3),
    created_at: moment(id + (random(4) - 2)),
    updated_at: moment(random(50)),
    version,
    data,
  }
}

export async function saveThing(store: Store, record: StoredRecord): Promise<void> {
  await store.write(tenant, { put: recordItem(thingsTable, record, actor, clock.uuid()) })
}

/** Marks a record as being deleted, or replaces it by its tombstone. `at`: when (ISO). */
export async function removeThing(
  store: Store,
  record: StoredRecord,
  isFinished: boolean,
  at = moment(0),
): Promise<void> {
  const marked = { ...record, deletedAt: at, deletedBy: 1 }
  const item = markedItem(thingsTable, marked, actor, clock.uuid(), { dueAt: at, queued: false, round: 1 })
  if (!isFinished) return store.write(tenant, { put: item })
  const tombstone = tombstoneItem(tenant, thingsTable, marked, undefined)
  await store.transact(tenant, [{ remove: item }, { put: tombstone }], clock.uuid())
}

export async function setSequence(store: Store, model: string, next: number, live: number): Promise<void> {
  await store.write(tenant, { put: { ...sequenceKey(tenant, model), kind: 'sequence', v: 1, next, live } })
}

export interface MadeRecords {
  readonly things: PlainRecord[]
  readonly clients: ReadonlyMap<number, PlainRecord>
}

/**
 * Fills both tables; every seventh thing is deleted or being deleted. `step`: how far apart the ids of things are; a large
 * one spreads them over several blocks of the column index.
 */
export async function makeRecords(
  store: Store,
  count: number,
  random: (below: number) => number,
  step = 1,
): Promise<MadeRecords> {
  const clients = new Map<number, StoredRecord>()
  for (const [index, name] of ['Ann', 'Bob', 'Bob', 'Zoë', undefined].entries()) {
    const id = index + 1
    const record: StoredRecord = {
      id,
      tenant_id: tenant.id,
      created_by: 1,
      updated_by: 1,
      created_at: moment(id),
      updated_at: moment(id),
      version: 1,
      data: {
        ...(name !== undefined && { name }),
        tier: id % 2 ? 'gold' : 'lead',
        ...(id !== 3 && { score: id * 1.5 }),
      },
    }
    clients.set(id, record)
    await store.write(tenant, { put: recordItem(clientsTable, record, actor, clock.uuid()) })
  }
  await setSequence(store, 'clients', 5, 5)
  const things: StoredRecord[] = []
  for (let at = 1; at <= count; at += 1) {
    const record = randomThing(at * step, random)
    await saveThing(store, record)
    if (at % 7 === 0) await removeThing(store, record, at % 2 === 0)
    else things.push(record)
  }
  await setSequence(store, 'things', count * step, things.length)
  return { things, clients }
}
