import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  nothingSent,
  type Pace,
  type SentToRecipient,
  takeTurn,
} from '../../../../../../shared/messages/deliveries/state/pace.ts'
import { runs } from '../../../../../make/depth.ts'

const pace: Pace = {
  parts: 1,
  spacingMs: 1000,
  channel: { count: 3, windowMs: 1000 },
  recipient: { count: 5, windowMs: 60_000 },
}
const now = 1_000_000

/** Takes turns one after the other at the given times; answers when each is sent, or told to ask again. */
function turns(asks: readonly { id: number; chat?: string; atMs?: number; parts?: number }[]) {
  let channel: SentToRecipient = nothingSent
  const chats = new Map<string, SentToRecipient>()
  return asks.map(({ id, chat = 'a', atMs = 0, parts = 1 }) => {
    const turn = takeTurn(channel, chats.get(chat) ?? nothingSent, { ...pace, parts }, id, now + atMs)
    channel = { ...nothingSent, ...(turn.channel ?? channel) }
    chats.set(chat, turn.recipient)
    return 'sendAtMs' in turn ? turn.sendAtMs - now : `again ${Math.round(turn.waitUntilMs - now)}`
  })
}

describe('a turn', () => {
  it('is given at once when nothing was sent lately', () => {
    expect(turns([{ id: 1 }, { id: 2, chat: 'b' }, { id: 3, atMs: 1000 }])).toEqual([0, 0, 1000])
  })

  it('of a recipient comes after the one before, and in the order of ids', () => {
    expect(turns([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }])).toEqual([0, 1000, 'again 1500', 'again 2600'])
    const asked = [
      { id: 1 },
      { id: 2 },
      { id: 4 },
      { id: 3 },
      { id: 4, atMs: 1500 },
      { id: 3, atMs: 1500 },
      { id: 4, atMs: 2500 },
    ]
    expect(turns(asked)).toEqual([0, 1000, 'again 1500', 'again 1500', 'again 3100', 2000, 3000])
  })

  it('does not wait for a delivery that never returns', () => {
    expect(turns([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4, atMs: 17_000 }])).toEqual([0, 1000, 'again 1500', 17_000])
  })

  it('of the whole channel comes as fast as it may send', () => {
    const asks = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((chat, id) => ({ id, chat }))
    expect(turns(asks)).toEqual([0, 0, 0, 1000, 1000, 1000, 'again 1367', 'again 1733'])
  })

  it('of a recipient with a limit comes when the oldest message is out of its window', () => {
    const asks = [0, 1, 2, 3, 4, 5].map((id) => ({ id, atMs: id * 1000 }))
    expect(turns(asks)).toEqual([0, 1000, 2000, 3000, 4000, 'again 59500'])
  })

  it('of several parts keeps others away until the last one was sent', () => {
    expect(turns([{ id: 1, parts: 3 }, { id: 2 }, { id: 2, atMs: 2500 }])).toEqual([0, 'again 2500', 3000])
  })

  it('never exceeds a limit, and everybody gets one', () => {
    const asked = fc.array(
      fc.record({ chat: fc.constantFrom('a', 'b', 'c', 'd'), parts: fc.integer({ min: 1, max: 3 }) }),
      {
        maxLength: 30,
      },
    )
    fc.assert(
      fc.property(asked, (messages) => {
        let channel: SentToRecipient = nothingSent
        const chats = new Map<string, SentToRecipient>()
        const sent: { chat: string; atMs: number }[] = []
        const due = messages.map((one, id) => ({ ...one, id, atMs: now }))
        for (let steps = 0; due.length > 0; steps++) {
          expect(steps).toBeLessThan(2000)
          due.sort((a, b) => a.atMs - b.atMs)
          const one = due.shift() as (typeof due)[number]
          const turn = takeTurn(
            channel,
            chats.get(one.chat) ?? nothingSent,
            { ...pace, parts: one.parts },
            one.id,
            one.atMs,
          )
          channel = { ...nothingSent, ...(turn.channel ?? channel) }
          chats.set(one.chat, turn.recipient)
          if ('sendAtMs' in turn)
            for (let part = 0; part < one.parts; part++)
              sent.push({ chat: one.chat, atMs: turn.sendAtMs + part * pace.spacingMs })
          else due.push({ ...one, atMs: Math.ceil(turn.waitUntilMs) })
        }
        for (const { chat, atMs } of sent) {
          const within = (ms: number, of?: string) =>
            sent.filter((one) => (!of || one.chat === of) && one.atMs > atMs - ms && one.atMs <= atMs).length
          expect(within(1000)).toBeLessThanOrEqual(3)
          expect(within(1000, chat)).toBe(1)
          expect(within(60_000, chat)).toBeLessThanOrEqual(5)
        }
      }),
      { numRuns: runs(200) },
    )
  })
})
