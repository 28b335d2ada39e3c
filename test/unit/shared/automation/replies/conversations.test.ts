import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerAddress, ownAmong } from '../../../../../shared/automation/replies/answer-address.ts'
import { divideMessages } from '../../../../../shared/automation/replies/conversations.ts'
import { mailAddressesOf } from '../../../../../shared/messages/incoming-messages/mail-addresses.ts'
import type { MessageHead } from '../../../../../shared/messages/incoming-messages/message.ts'

const isOurs = ownAmong(['support@desk.example', 'Info@desk.example'])
const named = (...emails: readonly string[]) => emails.map((email) => ({ name: null, email }))
const mailOf = (from: string, given: { replyTo?: string[]; to?: string[]; cc?: string[]; takenAt?: string } = {}) => ({
  head: { fromEmail: from, fromName: 'Somebody' },
  addresses: mailAddressesOf({
    replyTo: named(...(given.replyTo ?? [])),
    to: named(...(given.to ?? ['support@desk.example'])),
    cc: named(...(given.cc ?? [])),
    headers: given.takenAt === undefined ? {} : { 'delivered-to': given.takenAt },
  }),
})
const answerTo = (...args: Parameters<typeof mailOf>) => {
  const { head, addresses } = mailOf(...args)
  return answerAddress(head, addresses, isOurs)
}

describe('whom the answer to a mail reaches', () => {
  it('is its Reply-To, else its sender', () => {
    expect(answerTo('noreply@site.example', { replyTo: ['nils@berg.example'] })?.address).toBe('nils@berg.example')
    expect(answerTo('nils@berg.example')).toEqual({ address: 'nils@berg.example', name: 'Somebody', copies: [] })
  })

  it('is never one of our addresses, in whichever case or with a tag', () => {
    expect(answerTo('ann@a.example', { replyTo: ['SUPPORT@desk.example'] })?.address).toBe('ann@a.example')
    expect(answerTo('support+7@desk.example', { replyTo: ['info@desk.example'] })).toBeUndefined()
  })

  it('offers the others once as copies, without ours and the alias at which the mail was taken', () => {
    const answer = answerTo('Ann@a.example', {
      replyTo: ['ann@a.example', 'assistant@a.example'],
      to: ['support@desk.example', 'alias@desk.example', 'max@a.example'],
      cc: ['ANN@a.example', 'Max@a.example', 'lea@b.example', 'info@desk.example'],
      takenAt: '<alias@desk.example>',
    })
    expect(answer?.address).toBe('ann@a.example')
    expect(answer?.copies).toEqual(['assistant@a.example', 'Max@a.example', 'lea@b.example'])
  })
})

const head = (id: number, fromEmail: string, replyThrough?: number): MessageHead => ({
  id,
  channel: 'email',
  channelId: null,
  fromName: null,
  fromEmail,
  fromId: null,
  subject: null,
  receivedAtMs: id,
  conversation: fromEmail,
  position: id,
  isWaiting: false,
  waitingSinceMs: id,
  round: 0,
  isGivenUp: false,
  outcomes: [],
  rev: 1,
  ...(replyThrough !== undefined && { replyThrough }),
})

describe('the conversations about a merged record', () => {
  it('are one a customer, also where a later mail arrives at the survivor', () => {
    const [own, other] = divideMessages(
      [{ id: 1 }, { id: 2, mergedAtMs: 25 }],
      [[head(30, 'tia@two.example', 2), head(10, 'ole@one.example')], [head(20, 'tia@two.example')]],
    )
    expect(own?.messages.map(({ id }) => id)).toEqual([10])
    expect(other?.messages.map(({ id }) => id)).toEqual([30, 20])
  })

  const placesOf = (...read: MessageHead[][]): (readonly number[])[] =>
    divideMessages([{ id: 1 }, { id: 2, mergedAtMs: 25 }], read).map(({ messages }) => messages.map(({ id }) => id))
  it('continue with whoever began them, where it is not known what they answer', () => {
    const first = [head(10, 'ole@one.example')]
    const tias = [head(20, 'tia@two.example')]
    expect(placesOf([head(30, 'tia@two.example'), ...first], tias)).toEqual([[10], [30, 20]])
    // She answered a mail of the survivor's own conversation, or wrote before the merge.
    expect(placesOf([head(30, 'tia@two.example', 1), ...first], tias)).toEqual([[30, 10], [20]])
    expect(placesOf([head(24, 'tia@two.example'), ...first], tias)).toEqual([[24, 10], [20]])
    // Who took part in both and began neither stays where they wrote.
    const abes = [head(21, 'abe@two.example'), ...tias]
    expect(placesOf([head(30, 'abe@two.example'), ...first], abes)).toEqual([
      [30, 10],
      [21, 20],
    ])
  })

  it('law: an answer reaches only who took part in its conversation, and never us', () => {
    const companies = fc.integer({ min: 1, max: 4 })
    const address = (company: number) =>
      fc.integer({ min: 1, max: 3 }).map((person) => `p${person}@company${company}.example`)
    const ours = fc.constantFrom('support@desk.example', 'INFO@desk.example', 'support+9@desk.example')
    // A mail of a company names its people, and us; it arrives at its own record, or at the survivor through it.
    const mail = companies.chain((company) =>
      fc.record({
        company: fc.constant(company),
        from: address(company),
        replyTo: fc.array(fc.oneof(address(company), ours), { maxLength: 2 }),
        others: fc.array(fc.oneof(address(company), ours), { maxLength: 4 }),
        atSurvivor: fc.boolean(),
      }),
    )
    fc.assert(
      fc.property(fc.array(mail, { minLength: 1, maxLength: 30 }), (mails) => {
        const homes = [{ id: 1 }, ...[2, 3, 4].map((id) => ({ id, mergedAtMs: 0 }))]
        const messages = mails.map(({ company, from, atSurvivor }, at) => ({
          at: atSurvivor ? 1 : company,
          head: head(at + 1, from, atSurvivor && company !== 1 ? company : undefined),
        }))
        const read = homes.map(({ id: home }) =>
          messages
            .filter(({ at }) => at === home)
            .map((one) => one.head)
            .toReversed(),
        )
        const divided = divideMessages(homes, read)
        expect(divided.flatMap((one) => one.messages)).toHaveLength(mails.length)
        for (const { id: company, messages: own } of divided)
          for (const { id, fromEmail } of own) {
            const written = mails[id - 1] as (typeof mails)[number]
            const { addresses } = mailOf(written.from, { replyTo: written.replyTo, to: written.others })
            const answer = answerAddress({ fromEmail, fromName: null }, addresses, isOurs)
            const reached = [answer?.address ?? [], answer?.copies ?? []].flat()
            expect(reached.every((one) => one.endsWith(`@company${company}.example`))).toBe(true)
            expect(reached.some(isOurs)).toBe(false)
          }
      }),
      { numRuns: 200 },
    )
  })
})
