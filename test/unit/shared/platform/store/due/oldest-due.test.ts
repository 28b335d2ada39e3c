import { expect, it } from 'vitest'
import type { KeyRange } from '../../../../../../shared/platform/store/client/key-range.ts'
import { oldestDueSeconds } from '../../../../../../shared/platform/store/due/oldest-due.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')

it('oldestDueSeconds answers how long the oldest row of each kind has been due, over all shards', async () => {
  const due: Record<string, string> = {
    'DUE#removal#1': '2026-11-20T11:59:00.000Z#1#requests#000000000001',
    'DUE#removal#3': '2026-11-20T11:58:30.000Z#7#requests#000000000001',
    'DUE#job#0': '2026-11-20T12:00:00.000Z#1#000000000001',
  }
  const asked: KeyRange[] = []
  const query = async (_scope: unknown, range: KeyRange) => {
    asked.push(range)
    return { items: due[range.pk] === undefined ? [] : [{ s20: due[range.pk] as string }] }
  }
  expect([...(await oldestDueSeconds({ store: { query }, clock: { now: () => now } }))]).toEqual([
    ['cleanup', 90],
    ['hooks', 0],
    ['jobs', 0],
    ['processes', 0],
    ['intents', 0],
    ['deliveries', 0],
    ['mailboxes', 0],
    ['files', 0],
  ])
  expect(
    asked.filter(({ to, limit, index }) => to !== '2026-11-20T12:00:00.000Z' || limit !== 1 || index !== 'slot20'),
  ).toEqual([])
})
