import { expect, it } from 'vitest'
import type { Tenant } from '../../../../../../shared/kernel/tenancy.ts'
import type { Key } from '../../../../../../shared/platform/store/keys/key.ts'
import { linkPartition } from '../../../../../../shared/platform/store/keys/relations.ts'
import type { Write } from '../../../../../../shared/platform/store/store.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'
import { linkWrites } from '../../../../../../shared/records/relations/links/link-rows.ts'
import { createRecordLinks } from '../../../../../../shared/records/relations/links/record-links.ts'

const tenant = { id: 7 } as Tenant
const relation = { id: 3, name: 'Devices', l_table: 'tickets', r_table: 'devices' }
const [into, from] = [1, 2]
const between = { model: 'tickets', from, to: into }

/** The rows of links, and how large what was asked of them is. */
function linkTable() {
  const rows = new Map<string, Map<string, Item & Key>>()
  const seen = { transactions: 0, mostWrites: 0, mostRead: 0 }
  const partition = (pk: string) => rows.get(pk) ?? new Map<string, Item & Key>()
  function apply(write: Write): void {
    if ('put' in write) rows.set(write.put.pk, partition(write.put.pk).set(write.put.sk, write.put))
    else if ('remove' in write) partition(write.remove.pk).delete(write.remove.sk)
    else if ('update' in write) {
      const { pk, sk } = write.update
      const { origin: _origin, ...row } = partition(pk).get(sk) as Item & Key
      const origin = write.change.values?.[':origin']
      partition(pk).set(sk, { ...row, pk, sk, ...(origin !== undefined && { origin }) })
    }
  }
  const store = {
    async query(_: unknown, { pk, limit, after }: { pk: string; limit: number; after?: { sk: string } }) {
      const all = [...partition(pk).values()].toSorted((a, b) => (a.sk < b.sk ? -1 : 1))
      const left = all.filter(({ sk }) => after === undefined || sk > after.sk)
      const items = left.slice(0, limit)
      seen.mostRead = Math.max(seen.mostRead, items.length)
      return { items, last: left.length > limit ? { pk, sk: (items.at(-1) as Key).sk } : undefined }
    },
    async getMany(_: unknown, keys: readonly Key[]) {
      seen.mostRead = Math.max(seen.mostRead, keys.length)
      return keys.map(({ pk, sk }) => partition(pk).get(sk))
    },
    async transact(_: unknown, writes: readonly Write[]) {
      seen.transactions += 1
      seen.mostWrites = Math.max(seen.mostWrites, writes.length)
      for (const write of writes) apply(write)
    },
  }
  const link = (l: number, r: number): void => {
    for (const write of linkWrites(tenant, { relationId: relation.id, l, r }, { by: 1, at: 'then' })) apply(write)
  }
  const linked = (id: number): number[] =>
    [...partition(linkPartition(tenant, relation.id, 'l', id)).keys()].map(Number)
  const links = createRecordLinks({
    store,
    config: { list: async () => [relation] },
    clock: { now: () => 0, uuid: () => 'uuid', random: () => 0, sleep: async () => {} },
  } as never)
  return { link, linked, links, seen }
}

it('10,000 links move with a merge and return with the unmerge, a few hundred in memory, however often time is up', async () => {
  const { link, linked, links, seen } = linkTable()
  const [all, both] = [10_000, 100]
  for (let r = 1; r <= all; r += 1) link(from, r)
  for (let r = all - both + 1; r <= all + both; r += 1) link(into, r)
  const untilDone = async (step: (timeIsUp: () => boolean) => Promise<boolean>): Promise<number> => {
    for (let rounds = 1; ; rounds += 1) {
      let looks = 0
      if (await step(() => (looks += 1) > 100)) return rounds
    }
  }
  const rounds = await untilDone((timeIsUp) => links.moveLinks(tenant, between, timeIsUp))
  expect(rounds).toBeGreaterThan(1)
  expect([linked(from).length, linked(into).length]).toEqual([0, all + both])
  await untilDone((timeIsUp) => links.returnLinks(tenant, between, timeIsUp))
  expect([linked(from).length, linked(into).length]).toEqual([all, 2 * both])
  expect(linked(into).every((r) => r > all - both)).toBe(true)
  // 20 links a transaction, there and back, and no more than the page of links that is read.
  expect(seen.transactions).toBeLessThanOrEqual(2 * Math.ceil((all + both) / 20) + 2 * rounds)
  expect(seen.mostWrites).toBeLessThanOrEqual(100)
  expect(seen.mostRead).toBeLessThanOrEqual(500)
})

it('a link that two merged records had stays until the second of them leaves, and each takes its own along', async () => {
  const { link, linked, links } = linkTable()
  const other = 3
  link(from, 7)
  link(other, 7)
  const pairs = [from, other].map((one) => ({ model: 'tickets', from: one, to: into }))
  for (const pair of pairs) await links.moveLinks(tenant, pair, () => false)
  expect([linked(into), linked(from), linked(other)]).toEqual([[7], [], []])
  await links.returnLinks(tenant, pairs[0] as (typeof pairs)[number], () => false)
  expect([linked(into), linked(from), linked(other)]).toEqual([[7], [7], []])
  await links.returnLinks(tenant, pairs[1] as (typeof pairs)[number], () => false)
  expect([linked(into), linked(from), linked(other)]).toEqual([[], [7], [7]])
})
