import { describe, expect, it } from 'vitest'
import { DueTimes } from '../../../../../infra/local/runtime/timing/due-times.ts'
import { openTimeline } from '../../../../../infra/local/runtime/timing/timeline.ts'
import { openMessageVisibility } from '../../../../../infra/local/sqs/message-visibility.ts'
import { fifoOrder, standardOrder } from '../../../../../infra/local/sqs/queue-order.ts'

describe('due times', () => {
  it('hand out in order what was kept', () => {
    const times = new DueTimes<string>()
    for (const [at, value] of [
      [5, 'e'],
      [1, 'a'],
      [4, 'd'],
      [2, 'b'],
      [3, 'c'],
    ] as const)
      times.add(at, value)
    times.keep((at) => at !== 2)
    times.add(0, 'first')
    const taken: unknown[] = []
    for (let due = times.takeDue(4); due; due = times.takeDue(4)) taken.push(due.value)
    expect(taken).toEqual(['first', 'a', 'c', 'd'])
    expect([times.size, times.next]).toEqual([1, 5])
  })
})

describe('messages in flight', () => {
  it.each([true, false])('are shown again in time after thousands of others were deleted (FIFO: %s)', (fifo) => {
    let time = 1_000
    const failed: number[] = []
    const messages = openMessageVisibility({
      order: fifo ? fifoOrder() : standardOrder(),
      timeline: openTimeline(() => time),
      onFailedReceive: ({ sequence }) => failed.push(sequence),
    })
    const kept = new Set([1, 700, 2_999])
    for (let sequence = 0; sequence < 5_000; sequence += 1) {
      messages.add(sequence, { sentAt: time, id: `m${sequence}`, group: `g${sequence}` }, 0)
      const [entry] = messages.take(1)
      messages.hideUntil(entry!, time + 30_000 + (sequence % 7))
      if (!kept.has(sequence)) messages.remove(entry!)
    }
    expect(messages.take(10)).toEqual([])
    expect(messages.counts.inFlight).toBe(kept.size)
    time += 31_000
    expect(
      messages
        .take(10)
        .map(({ sequence }) => sequence)
        .sort((a, b) => a - b),
    ).toEqual([...kept])
    expect(failed.toSorted((a, b) => a - b)).toEqual([...kept])
    messages.close()
  })
})
