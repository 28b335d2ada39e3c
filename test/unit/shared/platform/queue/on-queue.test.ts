import { expect, it } from 'vitest'
import * as z from 'zod'
import { onQueue } from '../../../../../shared/platform/queue/on-queue.ts'

const record = (messageId: string, body: unknown, receives = 1) => ({
  messageId,
  body: JSON.stringify(body),
  attributes: { ApproximateReceiveCount: String(receives) },
})

it('reports the messages that fail and those it cannot read, and handles the others', async () => {
  const handled: [number, boolean][] = []
  const handler = onQueue(z.object({ n: z.int() }), async ({ n }, _remainingMs, again) => {
    if (n === 2) throw new Error('it fails')
    handled.push([n, again])
  })
  const records = [record('m1', { n: 1 }), record('m2', { n: 2 }), record('m3', { n: 'x' }), record('m4', { n: 4 }, 2)]
  const answer = await handler({ Records: records }, { getRemainingTimeInMillis: () => 60_000 })
  expect(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).toSorted()).toEqual(['m2', 'm3'])
  expect(handled.toSorted()).toEqual([
    [1, false],
    [4, true],
  ])
})
