import type { AttributeValue, BatchGetItemCommand, BatchWriteItemCommand, WriteRequest } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { Throttled } from '../../../../../../shared/kernel/throttling/throttled.ts'
import { createStore } from '../../../../../../shared/platform/store/store.ts'
import { marshal } from '../../../../../../shared/platform/store/values/marshal.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'

const tenant = { id: 1 }
const keyOf = (id: number) => ({ pk: 'T#1#R#letters#0', sk: String(id).padStart(12, '0') })
const keys = (count: number) => Array.from({ length: count }, (_, index) => keyOf(index + 1))
type RawKey = Record<string, AttributeValue>

/** A database that handles at most `perCall` keys of a batch and leaves the rest, and the sizes of the batches. */
function slowDatabase(perCall: (call: number) => number) {
  const calls: number[] = []
  const written: string[] = []
  const removed: string[] = []
  const client = {
    send: async ({ input }: BatchGetItemCommand | BatchWriteItemCommand) => {
      const asked = Object.values(input.RequestItems ?? {})[0] ?? []
      const all = (Array.isArray(asked) ? asked : asked.Keys) as (RawKey | WriteRequest)[]
      const handled = Math.min(all.length, perCall(calls.length))
      calls.push(all.length)
      const left = all.slice(handled)
      if (!Array.isArray(asked))
        return {
          Responses: { Table: all.slice(0, handled) },
          UnprocessedKeys: left.length > 0 ? { Table: { Keys: left } } : {},
        }
      for (const one of all.slice(0, handled) as WriteRequest[]) {
        if (one.PutRequest) written.push(String(one.PutRequest.Item?.sk?.S))
        if (one.DeleteRequest) removed.push(String(one.DeleteRequest.Key?.sk?.S))
      }
      return { UnprocessedItems: left.length > 0 ? { Table: left } : {} }
    },
  }
  return { store: createStore('Table', client as never, frozenClock()), calls, written, removed }
}

describe('many keys that are read at once', () => {
  it('are asked for by hundreds, each once, and answered in their order', async () => {
    const { store, calls } = slowDatabase(() => 100)
    const asked = [...keys(201), keyOf(1)]
    const found = await store.getMany(tenant, asked)
    expect(calls).toEqual([100, 100, 1])
    expect(found).toEqual(asked)
  })

  it('include what the database left unread at first', async () => {
    const { store, calls } = slowDatabase((call) => (call < 2 ? 40 : 100))
    expect(await store.getMany(tenant, keys(100))).toEqual(keys(100))
    expect(calls).toEqual([100, 60, 20])
  })

  it('fail as throttled when some stay unread, instead of seeming not to exist', async () => {
    const { store } = slowDatabase(() => 0)
    await expect(store.getMany(tenant, keys(3))).rejects.toThrow(Throttled)
  })

  it('that are too long for a key do not exist, and do not disturb the others', async () => {
    const { store, calls } = slowDatabase(() => 100)
    const long = { pk: 'T#1#x', sk: 'x'.repeat(1025) }
    expect(await store.getMany(tenant, [long, keyOf(1)])).toEqual([undefined, keyOf(1)])
    expect(calls).toEqual([1])
  })
})

describe('many rows that are written at once', () => {
  const sortKeys = (count: number) => keys(count).map(({ sk }) => sk)

  it('are sent by 25, puts and removals', async () => {
    const { store, calls, written, removed } = slowDatabase(() => 25)
    await store.writeMany(tenant, keys(51).slice(0, 30), keys(51).slice(30))
    expect(calls).toEqual([25, 25, 1])
    expect([...written, ...removed]).toEqual(sortKeys(51))
    expect(removed.length).toBe(21)
  })

  it('include what the database left unwritten at first', async () => {
    const { store, calls, written } = slowDatabase((call) => (call < 2 ? 10 : 25))
    await store.putMany(tenant, keys(25))
    expect(written).toEqual(sortKeys(25))
    expect(calls).toEqual([25, 15, 5])
  })

  it('fail as throttled when some stay unwritten', async () => {
    const { store } = slowDatabase(() => 0)
    await expect(store.putMany(tenant, keys(3))).rejects.toThrow(Throttled)
  })

  it('fail only when no other call is in flight any more', async () => {
    const ended: string[] = []
    const client = {
      send: async ({ input }: BatchWriteItemCommand) => {
        const first = input.RequestItems?.Table?.[0]?.PutRequest?.Item?.sk?.S
        if (first === keyOf(1).sk) throw new Error('refused')
        await new Promise((resolve) => setTimeout(resolve, 20))
        ended.push(String(first))
        return {}
      },
    }
    const store = createStore('Table', client as never, frozenClock())
    await expect(store.putMany(tenant, keys(50))).rejects.toThrow('refused')
    expect(ended).toEqual([keyOf(26).sk])
  })

  it('carry nothing of an item in the key of a removal', async () => {
    const sent: unknown[] = []
    const client = { send: async ({ input }: BatchWriteItemCommand) => (sent.push(input.RequestItems), {}) }
    await createStore('Table', client as never).writeMany(tenant, [], [{ ...keyOf(1), text: 'more' } as never])
    expect(sent).toEqual([{ Table: [{ DeleteRequest: { Key: marshal(keyOf(1)) } }] }])
  })
})
