import { isDeepStrictEqual } from 'node:util'
import { fileClaimKey } from '../../../shared/platform/store/keys/files.ts'
import { historyPartition } from '../../../shared/platform/store/keys/history.ts'
import { recordKey, retentionPartition } from '../../../shared/platform/store/keys/records.ts'
import { parseLinkKey } from '../../../shared/platform/store/keys/relations.ts'
import { readChangedAt } from '../../../shared/platform/store/rows/record-row.ts'
import { asStored } from '../../../shared/platform/store/rows/stored-names.ts'
import { changeEntry } from '../../../shared/platform/store/slots.ts'
import { readComment } from '../../../shared/records/comments/rows/comment-row.ts'
import { readChanges } from '../../../shared/records/history/history-row.ts'
import { readRecord } from '../../../shared/records/records/record-item.ts'
import { guardKey, guardedText } from '../../../shared/records/records/write/unique-guards.ts'
import { pathsOf } from '../../../shared/tables/files/claims.ts'
import { tokenOfPath } from '../../../shared/tables/files/file-row.ts'
import { readTable, type Table } from '../../../shared/tables/tables/table.ts'
import type { StoredItem } from '../../make/services/stores/single-table.ts'
import { brokenProcesses } from './process-invariants.ts'
import type { World } from './world.ts'

const tenant = { id: 1 }

/**
 * Checks what must hold of these tables once the change feed has drained and the sweepers have run; throws with all
 * that does not.
 */
export async function checkInvariants(world: World, models: readonly string[]): Promise<void> {
  const items = await world.items()
  const broken: string[] = []
  for (const model of models) broken.push(...(await brokenInvariants(items, model)).map((text) => `${model}: ${text}`))
  broken.push(...brokenLinks(items), ...brokenProcesses(items), ...leftovers(items))
  if (broken.length > 0) throw new Error(broken.join('; '))
}

type Data = Record<string, unknown>

function tableOf(items: readonly StoredItem[], model: string): Table {
  const row = items.find(({ pk, sk }) => pk === 'T#1#CONFIG' && sk === `TABLE#${model}`)
  if (!row) throw new Error(`there is no table ${model}`)
  return readTable({ name: model, version: Number(row.version), doc: JSON.parse(String(row.doc)) })
}

const keyText = ({ pk, sk }: { readonly pk: string; readonly sk: string }): string => `${pk} ${sk}`
const rowsOf = (items: readonly StoredItem[], model: string) =>
  items.filter(({ kind, model: of }) => kind === 'record' && of === model)
const livingOf = (items: readonly StoredItem[], model: string) =>
  rowsOf(items, model).filter(({ deleted_at }) => deleted_at === undefined)
const dataOf = (item: StoredItem): Data => JSON.parse(String(item.data)) as Data

async function brokenInvariants(items: readonly StoredItem[], model: string): Promise<string[]> {
  const table = tableOf(items, model)
  const living = livingOf(items, model)
  const broken: string[] = []
  const expectSame = (what: string, held: unknown, wanted: unknown): void => {
    if (!isDeepStrictEqual(held, wanted))
      broken.push(`${what} are ${JSON.stringify(held)}, not ${JSON.stringify(wanted)}`)
  }

  const marked = rowsOf(items, model).filter(({ deleted_at }) => deleted_at !== undefined)
  expectSame(
    'unfinished deletes',
    marked.map(({ sk }) => sk),
    [],
  )
  expectSame(
    'records with pending hooks',
    items.filter(({ model: of, after_due }) => of === model && after_due !== undefined).map(keyText),
    [],
  )
  broken.push(...(await brokenHistories(items, model)))

  for (const item of living) {
    const record = readRecord(item, asStored)!
    const slots = Object.fromEntries(Object.entries(item).filter(([name]) => /^[ps]\d\d$/.test(name)))
    const change = { at: readChangedAt(item), id: record.id, version: record.version, isGone: false }
    expectSame(`slots of ${record.id}`, sorted(slots), sorted(changeEntry(tenant, model, change)))
  }
  expectSame('counted records', liveCount(items, model), living.length)
  const records = new Map(living.map((item) => [Number(item.sk), dataOf(item)]))

  const guards = items.filter(({ pk }) => pk.startsWith(`T#1#U#${model}#`)).map(({ pk, id }) => `${pk} ${id}`)
  const guarded = [...records].flatMap(([id, data]) =>
    table.uniqueFields.flatMap((field) => {
      const text = guardedText(table, field, data[field])
      return text === undefined ? [] : [`${guardKey(tenant, table, field, text).pk} ${id}`]
    }),
  )
  expectSame('unique guards', guards.sort(), guarded.sort())
  const claims = items.filter(({ kind, model: of }) => kind === 'file-claim' && of === model).map(keyText)
  const claimed = [...records].flatMap(([id, data]) =>
    [...pathsOf(table, data)].map((path) => keyText(fileClaimKey(tenant, tokenOfPath(tenant, path)!, model, id))),
  )
  const comments = items.filter(({ kind, model: of }) => kind === 'comment' && of === model).map(readComment)
  const attached = comments.flatMap(({ id, recordId, attachments }) =>
    attachments.map((path) => keyText(fileClaimKey(tenant, tokenOfPath(tenant, path)!, model, recordId, id))),
  )
  expectSame('file claims', claims.sort(), [...claimed, ...attached].sort())
  const discussions = items.filter(({ kind, model: of }) => kind === 'discussion' && of === model)
  expectSame(
    'counts of comments',
    Object.fromEntries(
      discussions.map((item) => [Number(item.record_id), Number(item.count) + Number(item.internal_count)]),
    ),
    Object.fromEntries([...Map.groupBy(comments, ({ recordId }) => recordId)].map(([id, own]) => [id, own.length])),
  )
  const retained = items.filter(({ kind }) => kind === 'retention').map(({ pk }) => pk)
  expectSame(
    'comments on records that neither live nor return',
    comments.filter(
      ({ recordId }) => !records.has(recordId) && !retained.includes(retentionPartition(tenant, model, recordId)),
    ),
    [],
  )
  expectSame(
    'rows of what returned',
    retained.filter((pk) => [...records.keys()].some((id) => pk === retentionPartition(tenant, model, id))),
    [],
  )

  for (const field of table.table_fields) {
    if (field.type !== 'model_list' || field.target_table === undefined) continue
    const { name, target_table, on_delete } = field
    if (on_delete !== 'set_null' && on_delete !== 'restrict') continue
    const targets = new Set(livingOf(items, target_table).map(({ sk }) => Number(sk)))
    expectSame(
      `references of ${name} to nothing`,
      [...records].filter(([, data]) => data[name] && !targets.has(Number(data[name]))).map(([id]) => id),
      [],
    )
  }
  return broken
}

/** A record's entries are 1, 2, 3 ... up to its version, one create for each life, and replay to its data. */
async function brokenHistories(items: readonly StoredItem[], model: string): Promise<string[]> {
  const broken: string[] = []
  const start = historyPartition(tenant, model, 0).slice(0, -1)
  const histories = Map.groupBy(
    items.filter(({ pk }) => pk.startsWith(start)),
    ({ pk }) => Number(pk.slice(start.length)),
  )
  for (const item of livingOf(items, model))
    if (!histories.has(Number(item.sk))) broken.push(`record ${Number(item.sk)} has no history`)
  const records = new Map(rowsOf(items, model).map((item) => [keyText(item), item]))
  for (const [id, rows] of histories) {
    const record = records.get(keyText(recordKey(tenant, model, id)))
    const tombstone = rows.find(({ sk }) => sk === 'TOMBSTONE')
    const entries = rows.filter(({ sk }) => sk !== 'TOMBSTONE').sort((a, b) => Number(a.version) - Number(b.version))
    if ((record === undefined) === (tombstone === undefined))
      broken.push(`record ${id} ${record ? 'exists and has a tombstone' : 'has neither a row nor a tombstone'}`)
    const last = Number((record ?? tombstone)?.version)
    if (
      !isDeepStrictEqual(
        entries.map(({ version }) => version),
        Array.from({ length: last }, (_, at) => at + 1),
      )
    ) {
      broken.push(
        `record ${id} at version ${last} has the entries ${entries.map(({ version, action }) => `${version} ${action}`)}`,
      )
    }
    const lives = entries.map(({ action }) => String(action)[0]).join('')
    if (!(record ? /^(cu*d)*cu*$/ : /^(cu*d)+$/).test(lives)) broken.push(`record ${id} has the actions ${lives}`)
    broken.push(...(await brokenReplay(id, entries, record)))
  }
  return broken
}

async function brokenReplay(
  id: number,
  entries: readonly StoredItem[],
  record: StoredItem | undefined,
): Promise<string[]> {
  const broken: string[] = []
  const data: Data = {}
  for (const entry of entries) {
    for (const [name, change] of Object.entries(await readChanges(entry, async () => new Uint8Array()))) {
      if (!isDeepStrictEqual(data[name] ?? null, change.old))
        broken.push(
          `entry ${entry.version} of ${id} says ${name} was ${JSON.stringify(change.old)}, not ${JSON.stringify(data[name])}`,
        )
      data[name] = change.new
    }
  }
  const wanted = record ? dataOf(record) : {}
  if (!isDeepStrictEqual(sorted(withoutNulls(data)), sorted(withoutNulls(wanted))))
    broken.push(`history of ${id} replays to ${JSON.stringify(data)}, not ${JSON.stringify(wanted)}`)
  return broken
}

/** Every link has its mirror, a relation, and two living records. */
function brokenLinks(items: readonly StoredItem[]): string[] {
  const links = items.filter(({ kind }) => kind === 'link')
  const noted = new Set(items.filter(({ kind }) => kind === 'retention').map(({ pk }) => pk))
  const forgotten = items.filter(({ kind, pk }) => kind === 'retained_link' && !noted.has(pk))
  const byKey = new Map(items.map((item) => [keyText(item), item]))
  const relations = new Map(
    items
      .filter(({ pk, sk }) => pk === 'T#1#CONFIG' && sk.startsWith('RELATION#'))
      .map(({ doc }) => {
        const relation = JSON.parse(String(doc)) as { id: number; l_table: string; r_table: string }
        return [relation.id, relation]
      }),
  )
  const lives = (model: string, id: number): boolean => {
    const record = byKey.get(keyText(recordKey(tenant, model, id)))
    return record !== undefined && record.deleted_at === undefined
  }
  const lost = forgotten.map((link) => `the retained link ${keyText(link)} neither returns nor goes`)
  const broken = links.flatMap((link) => {
    const relationId = Number(link.pk.split('#')[3])
    const { l, r } = parseLinkKey(link)
    const mirror = link.pk.includes('#l#')
      ? `T#1#L#${relationId}#r#${r} ${String(l).padStart(12, '0')}`
      : `T#1#L#${relationId}#l#${l} ${String(r).padStart(12, '0')}`
    const relation = relations.get(relationId)
    const problems = [
      ...(byKey.has(mirror) ? [] : ['has no mirror']),
      ...(relation ? [] : ['belongs to no relation']),
      ...(relation && !(lives(relation.l_table, l) && lives(relation.r_table, r))
        ? ['leads to a record that does not exist']
        : []),
    ]
    return problems.map((problem) => `the link ${keyText(link)} ${problem}`)
  })
  return [...lost, ...broken]
}

/** Rows that only a crash leaves, and that the sweepers must have removed. */
function leftovers(items: readonly StoredItem[]): string[] {
  const open = items.filter(
    ({ kind, status }) => kind === 'file-release' || (kind === 'job' && (status === 'queued' || status === 'running')),
  )
  return open.map((item) => `${String(item.kind)} ${keyText(item)} is left over`)
}

const liveCount = (items: readonly StoredItem[], model: string): number =>
  Number(items.find(({ pk, sk }) => pk === `T#1#SEQ#${model}` && sk === model)?.live ?? 0)

const sorted = (of: object): object => Object.fromEntries(Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1)))
const withoutNulls = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))
