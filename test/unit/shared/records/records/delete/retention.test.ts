import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { discussionKey } from '../../../../../../shared/platform/store/keys/comments.ts'
import type { Key } from '../../../../../../shared/platform/store/keys/key.ts'
import {
  recordKey,
  retentionKey,
  retentionPartition,
  sequenceKey,
  tombstoneKey,
} from '../../../../../../shared/platform/store/keys/records.ts'
import { linkPartition, otherIdOf } from '../../../../../../shared/platform/store/keys/relations.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'
import { TransactionRefused } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { createRecordDiscussions } from '../../../../../../shared/records/comments/record-discussions.ts'
import { commentItem } from '../../../../../../shared/records/comments/rows/comment-row.ts'
import { saveDiscussion } from '../../../../../../shared/records/comments/rows/discussion-row.ts'
import { continueRemoval } from '../../../../../../shared/records/records/delete/continue-removal.ts'
import { removeRecord } from '../../../../../../shared/records/records/delete/remove-record.ts'
import type { RecordDependencies } from '../../../../../../shared/records/records/dependencies.ts'
import { recordItem } from '../../../../../../shared/records/records/record-item.ts'
import { returnRecord } from '../../../../../../shared/records/records/write/return-record.ts'
import { linkWrites } from '../../../../../../shared/records/relations/links/link-rows.ts'
import { createRecordLinks } from '../../../../../../shared/records/relations/links/record-links.ts'
import { frozenClock, type FrozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { tableOf, tenant } from '../../../../../make/builders/lists/query-records.ts'
import { administrator as actor, recordDependencies } from '../../../../../make/builders/records/record-dependencies.ts'
import { interruptedStore } from '../../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const letters = tableOf(101, 'letters', [{ name: 'title', type: 'text' }])
const relation = { id: 3, name: 'answers', l_table: 'letters', r_table: 'letters' }
const day = 24 * 3_600_000
const at = '2026-11-20T08:00:00.000Z'
let single: SingleTable
let clock: FrozenClock
let letter = 0
let other = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  letter += 1000
  other = letter + 1
  clock = frozenClock(at)
  await put({ ...sequenceKey(tenant, 'letters'), next: 100_000, live: 10 })
  await put(item(letter))
  await put(item(other))
})

const put = (row: Item & Key) => single.store.write(tenant, { put: row })
const item = (id: number, more: object = {}) =>
  recordItem(
    letters,
    {
      id,
      tenant_id: 7,
      created_by: 1,
      updated_by: 1,
      created_at: at,
      updated_at: at,
      version: 1,
      data: { title: 'Hello' },
      ...more,
    },
    actor,
    `made ${id}`,
  )
const records = (store: Store = single.store): RecordDependencies =>
  recordDependencies(store, clock, [letters], {
    links: createRecordLinks({ store, clock, config: { list: async () => [relation] } as never }),
    discussions: createRecordDiscussions({ store, clock }),
  })
const link = (l: number, r: number) =>
  single.store.transact(
    tenant,
    linkWrites(tenant, { relationId: 3, l, r }, { by: 5, at }),
    `${l} ${r} ${Math.random()}`,
  )
const comment = async (id: number) => {
  const told = { model: 'letters', recordId: id, body: 'Hello', isInternal: false, attachments: [], mentions: [] }
  await put(commentItem(tenant, { ...told, id: id * 10, userId: 1, createdAt: at, updatedAt: at, version: 1 }))
  const people = { commenters: [1], internalCommenters: [], added: [8], muted: [] }
  await single.store.write(
    tenant,
    saveDiscussion(tenant, 'letters', id, { rev: 0, count: 1, internalCount: 0, ...people }),
  )
}
const linked = async (id: number): Promise<number[]> => {
  const sides = (['l', 'r'] as const).map((side) =>
    single.store.query(tenant, { pk: linkPartition(tenant, 3, side, id) }),
  )
  return (await Promise.all(sides)).flatMap(({ items }) => items.map(otherIdOf))
}
const retained = async (id: number): Promise<string[]> =>
  (await single.store.query(tenant, { pk: retentionPartition(tenant, 'letters', id) })).items.map(({ sk }) =>
    String(sk),
  )
const get = (key: Key) => single.store.get(tenant, key)
const discussed = async (id: number) => (await get(discussionKey(tenant, 'letters', id))) !== undefined
const commented = async (id: number) => (await single.itemsOf(`T#${tenant.id}#COMMENT#letters#${id}`)).length

const remove = (id: number, store?: Store) => removeRecord(records(store), actor, letters, id)
async function bringBack(id: number, store?: Store) {
  const tombstone = (await get(tombstoneKey(tenant, 'letters', id)))!
  const head = { created_by: 1, updated_by: 1, created_at: at, updated_at: at }
  const state = { ...head, version: Number(tombstone.version) - 1, data: { title: 'Hello' } }
  return (await returnRecord(records(store), actor, letters, { id, state, tombstone }, () => [])).returned
}
/** What the cleanup does when the sweeper has it look. */
const look = (id: number, { store, looks = Infinity }: { store?: Store; looks?: number } = {}) => {
  let left = looks
  return continueRemoval(records(store), tenant, 'letters', id, () => (left -= 1) < 0)
}

describe('what hung on a deleted record', () => {
  it('is away with it, and back with it, however often', async () => {
    await link(letter, other)
    await comment(letter)
    for (const _ of [1, 2, 3]) {
      await remove(letter)
      expect([await linked(letter), await linked(other)]).toEqual([[], []])
      expect(await retained(letter)).toEqual([expect.stringMatching(/^LINK#3#l#/), 'RECORD'])
      expect(await look(letter)).toBe('unfinished')
      expect(await bringBack(letter)).toMatchObject({
        comments: 1,
        watchers: 1,
        links: 1,
        waitingLinks: 0,
        isPending: false,
      })
      expect([await linked(letter), await linked(other), await retained(letter)]).toEqual([[other], [letter], []])
    }
    const [row] = (await single.store.query(tenant, { pk: linkPartition(tenant, 3, 'l', letter) })).items
    expect(row).toMatchObject({ created_by: 5, created_at: at, p15: expect.any(String) })
  })

  it('costs nothing where nothing hung', async () => {
    await remove(letter)
    expect(await retained(letter)).toEqual([])
    expect(await bringBack(letter)).toMatchObject({ comments: 0, links: 0, isPending: false })
  })

  it.each([
    ['first the one that was deleted first', () => [letter, other]],
    ['first the one that was deleted last', () => [other, letter]],
  ])('is back once both ends of a link live: %s', async (_title, order) => {
    await link(letter, other)
    await remove(letter)
    await remove(other)
    const [first, second] = order() as [number, number]
    await bringBack(first)
    expect([await linked(letter), await linked(other)]).toEqual([[], []])
    await bringBack(second)
    expect([await linked(letter), await linked(other)]).toEqual([[other], [letter]])
    expect([await retained(letter), await retained(other)]).toEqual([[], []])
  })

  it('is back when the first to return was deleted again before the other returned', async () => {
    await link(letter, other)
    for (const id of [letter, other]) await remove(id)
    expect(await bringBack(letter)).toMatchObject({ links: 0, waitingLinks: 1 })
    await remove(letter)
    expect(await bringBack(other)).toMatchObject({ links: 0, waitingLinks: 1 })
    expect(await bringBack(letter)).toMatchObject({ links: 1, waitingLinks: 0 })
    expect([await linked(letter), await linked(other)]).toEqual([[other], [letter]])
  })

  it('is once what it was, for a record that is linked to itself, and for two that are linked both ways', async () => {
    await link(letter, letter)
    await link(letter, other)
    await link(other, letter)
    await remove(letter)
    expect(await linked(other)).toEqual([])
    expect(await bringBack(letter)).toMatchObject({ links: 3 })
    expect((await linked(letter)).toSorted()).toEqual([letter, letter, other, other].toSorted())
  })

  it('does not return a link that somebody removed while the delete put it away', async () => {
    await link(letter, other)
    await link(letter, letter)
    let calls = 0
    const unlinked = single.storeThrough(async (operation, call) => {
      // The first transaction marks the record, the second puts links away.
      if (operation === 'TransactWriteItems' && (calls += 1) === 2)
        for (const [side, one, two] of [
          ['l', letter, other],
          ['r', other, letter],
        ] as const)
          await single.store.write(tenant, {
            remove: { pk: linkPartition(tenant, 3, side, one), sk: String(two).padStart(12, '0') },
          })
      return call()
    })
    await remove(letter, unlinked)
    expect(await bringBack(letter)).toMatchObject({ links: 1 })
    expect(await linked(other)).toEqual([])
  })

  it('leaves a link alone that somebody made anew before the old one returned', async () => {
    await link(letter, other)
    await remove(letter)
    let calls = 0
    const relinked = single.storeThrough(async (operation, call) => {
      // The first transaction brings the record back, the second its links.
      if (operation === 'TransactWriteItems' && (calls += 1) === 2) await link(letter, other)
      return call()
    })
    await bringBack(letter, relinked)
    expect(await linked(other)).toEqual([letter])
    expect(await retained(letter)).toEqual([])
  })

  it('belongs to the record that another one was merged into meanwhile', async () => {
    const survivor = letter + 2
    await link(letter, other)
    await put(item(survivor, { mergedFrom: [other] }))
    await remove(letter)
    await put(item(other, { version: 2, mergedInto: survivor }))
    expect(await bringBack(letter)).toMatchObject({ links: 1 })
    expect([await linked(letter), await linked(other), await linked(survivor)]).toEqual([[survivor], [], [letter]])
    // An unmerge gives it back.
    const between = { model: 'letters', from: other, to: survivor }
    await put(item(other, { version: 3 }))
    await records().links.returnLinks(tenant, between, () => false)
    expect([await linked(letter), await linked(other), await linked(survivor)]).toEqual([[other], [letter], []])
  })
})

describe('many links', () => {
  const many = 700
  beforeEach(async () => {
    const others = Array.from({ length: many }, (_, index) => letter + 100 + index)
    await single.store.putMany(
      tenant,
      others.map((id) => item(id)),
    )
    for (let from = 0; from < many; from += 50)
      await single.store.transact(
        tenant,
        others
          .slice(from, from + 50)
          .flatMap((r) => linkWrites(tenant, { relationId: 3, l: letter, r }, { by: 5, at })),
        `links ${letter} ${from}`,
      )
  })

  it('leave and return in pieces, whenever time is up', async () => {
    await remove(letter)
    // More than a request takes: the cleanup has to.
    expect((await get(recordKey(tenant, 'letters', letter)))?.removal).toBe('queued')
    for (let rounds = 1; (await look(letter, { looks: 1 })) === 'unfinished' && rounds < 9; rounds += 1);
    expect([(await linked(letter)).length, (await retained(letter)).length]).toEqual([0, many + 1])
    clock.advance(1000)
    let calls = 0
    const slow = single.storeThrough(async (_operation, call) => {
      if ((calls += 1) > 40) clock.advance(6000)
      return call()
    })
    const first = await bringBack(letter, slow)
    expect([first.isPending, first.links > 0, first.links < many]).toEqual([true, true, true])
    while ((await retained(letter)).length > 0) await look(letter, { looks: 5 })
    expect([(await linked(letter)).length, await retained(letter)]).toEqual([many, []])
  })

  it('are all away when the record is deleted again before they returned', async () => {
    await remove(letter)
    while (await get(recordKey(tenant, 'letters', letter))) await look(letter)
    const slow = single.storeThrough(async (_operation, call) => (clock.advance(600), call()))
    expect((await bringBack(letter, slow)).isPending).toBe(true)
    await remove(letter)
    while (await get(recordKey(tenant, 'letters', letter))) await look(letter)
    expect([(await linked(letter)).length, (await retained(letter)).length]).toEqual([0, many + 1])
    await look(letter)
    expect(String((await get(retentionKey(tenant, 'letters', letter)))?.s20)).toMatch(/^2026-12-20T/)
    await bringBack(letter)
    while ((await retained(letter)).length > 0) await look(letter)
    expect((await linked(letter)).length).toBe(many)
  })
})

describe('thirty days after a delete', () => {
  it('all of it is gone for good, and the record returns without it', async () => {
    await link(letter, other)
    await comment(letter)
    await remove(letter)
    clock.advance(30 * day - 1000)
    expect([await look(letter), await discussed(letter)]).toEqual(['unfinished', true])
    clock.advance(1000)
    expect(await look(letter)).toBe('finished')
    expect([await retained(letter), await discussed(letter), await commented(letter)]).toEqual([[], false, 0])
    expect(await bringBack(letter)).toMatchObject({ comments: 0, watchers: 0, links: 0 })
    expect([await linked(letter), await look(letter)]).toEqual([[], 'nothing to do'])
  })

  it('goes in pieces, and nothing of it returns once that began', async () => {
    await link(letter, other)
    await comment(letter)
    await remove(letter)
    clock.advance(30 * day)
    expect([await look(letter, { looks: 0 }), await discussed(letter)]).toEqual(['unfinished', true])
    // A clock that is behind.
    clock.advance(-60_000)
    expect(await bringBack(letter)).toMatchObject({ comments: 0, links: 0 })
    expect([await discussed(letter), await linked(letter), await retained(letter)]).toEqual([false, [], []])
  })

  it('stays when the record returns before the end of it begins', async () => {
    await comment(letter)
    await remove(letter)
    clock.advance(30 * day)
    const overtaken = interruptedStore(single, 'UpdateItem', async () => {
      clock.advance(-day)
      await bringBack(letter)
      clock.advance(day)
    })
    await look(letter, { store: overtaken })
    expect([await discussed(letter), await commented(letter)]).toEqual([true, 1])
  })

  it('a link that waits for another record goes with that one', async () => {
    await link(letter, other)
    await remove(other)
    clock.advance(20 * day)
    await remove(letter)
    clock.advance(11 * day)
    expect(await bringBack(letter)).toMatchObject({ links: 0 })
    await look(other)
    expect([await retained(letter), await retained(other)]).toEqual([[], []])
  })
})

it('a link that comes to a deleted record as that one returns is not left behind', async () => {
  await link(letter, other)
  await remove(letter)
  await remove(other)
  // The return of the other one has seen that nothing is retained of it.
  const meanwhile = interruptedStore(single, 'TransactWriteItems', () => bringBack(letter))
  await expect(bringBack(other, meanwhile)).rejects.toBeInstanceOf(TransactionRefused)
  await bringBack(other)
  expect([await linked(letter), await linked(other)]).toEqual([[other], [letter]])
})
