import { expect, it } from 'vitest'
import * as z from 'zod'
import { onQueueInOrder } from '../../../../../shared/platform/queue/on-queue.ts'

const Message = z.object({ n: z.int() })
const record = (n: number, group: string) => ({
  messageId: `m${n}`,
  body: JSON.stringify({ n }),
  attributes: { MessageGroupId: group, ApproximateReceiveCount: '1' },
})

/** Handles messages that take so many ms each, in a function with so much time. */
async function handleWithin(timeMs: number, eachMs: number, groups: readonly string[]) {
  let leftMs = timeMs
  const handled: number[] = []
  const handler = onQueueInOrder(
    Message,
    async ({ n }) => {
      handled.push(n)
      leftMs -= eachMs
    },
    22_000,
  )
  const answer = await handler(
    { Records: groups.map((group, n) => record(n, group)) },
    { getRemainingTimeInMillis: () => leftMs },
  )
  return { handled, failed: answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier) }
}

it('begins no message that might not be done in time, and leaves the rest in order', async () => {
  expect(await handleWithin(60_000, 20_000, ['a', 'a', 'b', 'a', 'b'])).toEqual({
    handled: [0, 1],
    failed: ['m2', 'm3', 'm4'],
  })
})

it('handles a whole batch of messages that take their longest in the time of the function', async () => {
  expect(await handleWithin(120_000, 20_000, ['a', 'a', 'b', 'a', 'b'])).toEqual({
    handled: [0, 1, 2, 3, 4],
    failed: [],
  })
})

it('begins the first message however little time there is, so that a queue never stands still', async () => {
  expect(await handleWithin(1_000, 500, ['a', 'b'])).toEqual({ handled: [0], failed: ['m1'] })
})
