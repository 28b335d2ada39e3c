import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  afterChange,
  afterMessage,
  begunBy,
  conversationsAbout,
  type ConversationParts,
  stateOfConversation,
  withoutMessages,
} from '../../../../../../shared/platform/store/rows/conversation-state.ts'

const at = (second: number): string => new Date(1_800_000_000_000 + second * 1000).toISOString()
const open = { isClosed: false }
const begun = begunBy('message')(7, at(0))

describe('the conversation about a record', () => {
  it('begins with the message that makes the record, and is that of nobody without one', () => {
    expect(stateOfConversation(begun)).toEqual({ last_at: at(0), last_by: 'customer', awaits: 'team', messages: 1 })
    expect(stateOfConversation(undefined)).toBeUndefined()
    expect(stateOfConversation({})).toBeUndefined()
  })

  it('awaits the team while one of the customers of a merge does', () => {
    const other = afterMessage(begunBy('portal')(8, at(1)), 8, { at: at(5), by: 'team' }, open)
    const both = { ...begun, ...other }
    expect(stateOfConversation(both)).toEqual({ last_at: at(5), last_by: 'team', awaits: 'team', messages: 3 })
    expect(conversationsAbout(both, (home) => home === 8)).toEqual(other)
  })

  it('awaits nobody once its record is closed, the team when the customer writes again, and as before once it is open', () => {
    const closed = afterChange(begun, open, { isClosed: true })
    expect(stateOfConversation(closed)?.awaits).toBeNull()
    const again = afterMessage(closed, 7, { at: at(3), by: 'customer' }, { isClosed: true })
    expect(stateOfConversation(again)?.awaits).toBe('team')
    expect(stateOfConversation(afterChange(closed, { isClosed: true }, open))?.awaits).toBe('team')
    expect(
      stateOfConversation(afterMessage(begun, 7, { at: at(3), by: 'team' }, { isClosed: true }))?.awaits,
    ).toBeNull()
  })

  it('is what its messages say, in whichever order some of them are taken away', () => {
    const sides = fc.array(fc.constantFrom('customer' as const, 'team' as const), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(sides, fc.integer(), (said, chosen) => {
        const messages = said.map((by, index) => ({ at: at(index + 1), by }))
        const all = messages.reduce<ConversationParts>((parts, one) => afterMessage(parts, 7, one, open), begun)
        const gone = Math.abs(chosen) % messages.length
        const rest = messages.filter((_, index) => index !== gone)
        const left = withoutMessages(all, 7, { removed: 1, rest, isClosed: false })
        const expected = rest.reduce<ConversationParts>((parts, one) => afterMessage(parts, 7, one, open), begun)
        expect(stateOfConversation(left)).toEqual(stateOfConversation(expected))
      }),
    )
  })

  it('ends with its last message when no customer began it', () => {
    const parts = afterMessage(undefined, 7, { at: at(1), by: 'team' }, open)
    expect(stateOfConversation(withoutMessages(parts, 7, { removed: 1, rest: [], isClosed: false }))).toBeUndefined()
  })
})
