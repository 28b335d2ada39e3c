import { describe, expect, it } from 'vitest'
import type { Sent } from '../../../../../infra/local/outbox/entry.ts'
import { openOutbox } from '../../../../../infra/local/outbox/outbox.ts'
import { openStorage } from '../../../../../infra/local/runtime/storage/storage.ts'

const sms = (text: string, more: Partial<Sent> = {}): Sent => ({
  type: 'sms',
  provider: 'sns',
  to: ['+4366012345'],
  text,
  source: '{}',
  meta: {},
  ...more,
})

async function openOn(
  storage: Awaited<ReturnType<typeof openStorage>>,
  limits?: { entries: number; characters: number },
) {
  const failures: object[] = []
  const outbox = await openOutbox({ storage, now: () => 1_000, log: (entry) => failures.push(entry), limits })
  return { outbox, failures }
}
const texts = ({ list }: Pick<Awaited<ReturnType<typeof openOn>>['outbox'], 'list'>) => list().map(({ text }) => text)

describe('the outbox', () => {
  it('keeps its entries over a restart, without those that were deleted', async () => {
    const storage = await openStorage(':memory:')
    const { outbox } = await openOn(storage)
    const [first] = ['a', 'b', 'c'].map((text) => outbox.add(sms(text)))
    expect(outbox.remove(first?.id ?? 0)).toBe(true)
    expect(outbox.remove(first?.id ?? 0)).toBe(false)
    await storage.commit([{ type: 'put', key: 'outbox0', value: 'not an entry' }])
    const again = (await openOn(storage)).outbox
    expect(texts(again)).toEqual(['c', 'b'])
    again.clear()
    const newest = again.add(sms('d'))
    expect(newest.id).toBeGreaterThan(first?.id ?? 0)
    await storage.commit([{ type: 'put', key: 'outbox0', value: 'not an entry' }])
    expect(texts((await openOn(storage)).outbox)).toEqual(['d'])
  })

  it('drops the oldest entries over its limits, on disk too, and keeps the newest however large it is', async () => {
    const storage = await openStorage(':memory:')
    const { outbox, failures } = await openOn(storage, { entries: 3, characters: 1_000 })
    for (const text of ['a', 'b', 'c', 'd']) outbox.add(sms(text))
    expect(texts(outbox)).toEqual(['d', 'c', 'b'])
    outbox.add(sms('x'.repeat(2_000)))
    expect(outbox.list()).toHaveLength(1)
    outbox.add(sms('e'))
    expect(texts(outbox)).toEqual(['e'])
    await storage.commit([{ type: 'put', key: 'outbox0', value: 'last' }])
    expect(await storage.values({ gte: 'outbox/', lt: 'outbox/~' })).toHaveLength(1)
    expect(failures).toEqual([])
  })

  it('finds by type, recipient and words', async () => {
    const { outbox } = await openOn(await openStorage(':memory:'))
    outbox.add(sms('Your code'))
    outbox.add(sms('Hello', { type: 'mail', to: ['Ada@example.com', 'bob@example.com'], subject: 'Invitation' }))
    const found = (filter: Parameters<typeof outbox.list>[0]) => outbox.list(filter).map(({ type }) => type)
    expect(found({ type: 'mail' })).toEqual(['mail'])
    expect(found({ to: 'ada@' })).toEqual(['mail'])
    expect(found({ q: 'INVIT' })).toEqual(['mail'])
    expect(found({ q: 'code' })).toEqual(['sms'])
    expect(found({ q: '' })).toEqual(['mail', 'sms'])
    expect(found({ type: 'sms', q: 'hello' })).toEqual([])
  })

  it('has another version after each change', async () => {
    const { outbox } = await openOn(await openStorage(':memory:'))
    const versions = [outbox.version]
    outbox.add(sms('a'))
    versions.push(outbox.version)
    outbox.clear()
    versions.push(outbox.version)
    expect(new Set(versions).size).toBe(3)
    expect(outbox.version).toBe(versions[2])
  })
})
