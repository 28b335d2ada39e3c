import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { unrestricted, type Viewer } from '../../../../../shared/kernel/principal.ts'
import { createKeeper, type Keeper } from '../../../../../shared/lists/columns/keeper/keeper.ts'
import { createColumns } from '../../../../../shared/lists/columns/reader/create-columns.ts'
import { rowOfRecord } from '../../../../../shared/lists/columns/row-of-record.ts'
import { notSaidRow, saidRow } from '../../../../../shared/lists/columns/said-row.ts'
import { createQueries } from '../../../../../shared/lists/query/service.ts'
import { saidModel, type SaidKind } from '../../../../../shared/platform/queue/change-feed/said-event.ts'
import { recordItem, type StoredRecord } from '../../../../../shared/records/records/record-item.ts'
import { frozenClock, type FrozenClock } from '../../../../make/builders/frozen-clock.ts'
import { pick, seeded, tableOf } from '../../../../make/builders/lists/query-records.ts'
import { administrator } from '../../../../make/builders/records/record-dependencies.ts'
import { runs } from '../../../../make/depth.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const notes = tableOf(101, 'notes', [
  { name: 'title', type: 'text' },
  { name: 'secret', type: 'text' },
])
const words = ['heron', 'herons', 'otter', 'owl', 'fox', 'foxes', 'mole']

/** Something that was said, as the oracle knows it. */
interface Said {
  readonly kind: SaidKind
  readonly about: readonly number[]
  readonly isInternal: boolean
  readonly text: string
  readonly version: number
}
interface Note {
  readonly title: string
  readonly secret: string
}

let single: SingleTable
let clock: FrozenClock
let tenantId = 100
let keeper: Keeper
let tenant: Viewer['tenant']
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(() => {
  clock = frozenClock()
  tenantId += 1
  tenant = { id: tenantId, slug: 'acme', name: 'Acme', configVersion: 1 }
  keeper = createKeeper({ store: single.store, clock, tables: { find: async () => notes } })
})

const viewerWith = (permissions: readonly string[], fields: Record<string, { read: string[] }> = {}): Viewer => ({
  ...unrestricted,
  tenant,
  userId: 1,
  isAdministrator: false,
  permissions: [...permissions],
  grants: [{ permissions: [...permissions], rules: [], fields }],
})

const textOf = (random: (below: number) => number): string =>
  Array.from({ length: random(4) }, () => pick(random, words)).join(' ')

/** Whether a record has every word of a search, the last one as a prefix, in one of the texts, and each phrase in one of them. */
const hasAll = (search: readonly string[], phrases: readonly string[], texts: readonly string[]): boolean => {
  if (!phrases.every((phrase) => texts.some((text) => ` ${text} `.includes(` ${phrase} `)))) return false
  const known = texts.flatMap((text) => text.split(' '))
  return search.every((word, index) =>
    index === search.length - 1 ? known.some((one) => one.startsWith(word)) : known.includes(word),
  )
}

describe('a search finds what an oracle finds', () => {
  it('in fields and in what was said, for each reader, whatever is folded', { timeout: 120_000 }, async () => {
    const random = seeded(20261128)
    const records = new Map<number, Note>()
    const said = new Map<number, Said>()
    const columns = createColumns({ store: single.store, clock, budgetBytes: 16 * 1024 * 1024 })
    const tables = { find: async () => notes }
    const queries = createQueries({ store: single.store, columns, tables, clock } as never)
    const readers = [
      { viewer: viewerWith(['*']), internal: true, messages: true, secret: true },
      { viewer: viewerWith(['notes.read']), internal: false, messages: false, secret: true },
      { viewer: viewerWith(['notes.read', 'notes.comment_internal']), internal: true, messages: false, secret: true },
      {
        viewer: viewerWith(['notes.read', 'incoming_messages.read'], { notes: { read: ['title'] } }),
        internal: false,
        messages: false,
        secret: false,
      },
    ]
    for (let round = 0; round < runs(300); round += 1) {
      const id = 1 + random(40)
      if (random(2) === 0) await writeNote(id)
      else await say(1 + random(24))
      if (random(12) === 0) await keeper.foldNow(tenant, pick(random, ['notes', saidModel]))
      const search = Array.from({ length: 1 + random(2) }, () => pick(random, [...words, 'her', 'fo']))
      const phrases = random(3) === 0 ? [`${pick(random, words)} ${pick(random, words)}`] : []
      const asked = [...phrases.map((phrase) => `"${phrase}"`), ...search].join(' ')
      const reader = pick(random, readers)
      const query = await queries.parse(reader.viewer, notes, { search: asked, sort: ['id'] })
      const { rows, total } = await queries.page(tenant, notes, query, { offset: 0, limit: 100 })
      const expected = [...records].flatMap(([one, note]) => {
        const heard = [...said.values()].filter(
          ({ about, kind, isInternal }) =>
            about.includes(one) && (reader.internal || !isInternal) && (reader.messages || kind === 'comment'),
        )
        const texts = [note.title, ...(reader.secret ? [note.secret] : []), ...heard.map(({ text }) => text)]
        return hasAll(search, phrases, texts) ? [one] : []
      })
      const context = `round ${round}: ${asked}`
      expect({ ids: rows.map((row) => row.id), total }, context).toEqual({
        ids: expected.toSorted((a, b) => a - b),
        total: expected.length,
      })
    }

    async function writeNote(id: number): Promise<void> {
      const version = (versions.get(id) ?? 0) + 1
      versions.set(id, version)
      const data = { title: textOf(random), secret: textOf(random) }
      records.set(id, data)
      const at = new Date(clock.now()).toISOString()
      const head = { id, tenant_id: tenant.id, created_by: 1, updated_by: 1, created_at: at, updated_at: at, version }
      const record: StoredRecord = { ...head, data }
      const item = recordItem(notes, record, { ...administrator, tenant }, `${id} ${version}`)
      await single.store.write(tenant, { put: item })
      await keeper.append(tenant, 'notes', [rowOfRecord(item)])
    }

    async function say(place: number): Promise<void> {
      const before = said.get(place)
      const kind: SaidKind = place % 3 === 0 ? 'message' : 'comment'
      const version = (saidVersions.get(place) ?? 0) + 1
      saidVersions.set(place, version)
      if (before && random(4) === 0) {
        said.delete(place)
        await keeper.append(tenant, saidModel, [notSaidRow(kind, place, version)])
        return
      }
      const about = kind === 'message' ? [1 + random(40), 1 + random(40)] : [1 + random(40)]
      const one: Said = {
        kind,
        about,
        isInternal: kind === 'comment' && random(3) === 0,
        text: textOf(random),
        version,
      }
      said.set(place, one)
      const row = saidRow({
        ...one,
        id: place,
        about: about.map((of) => ({ model: 'notes', id: of })),
        who: [],
      })
      // An event that comes twice and late changes nothing.
      const late = saidRow({ ...one, id: place, about: [{ model: 'notes', id: 1 }], who: [], text: 'mole', version: 0 })
      await keeper.append(tenant, saidModel, random(2) === 0 ? [row] : [row, late])
    }
  })
})

const versions = new Map<number, number>()
const saidVersions = new Map<number, number>()
