import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { joinThread } from '../../../../../../shared/automation/incoming-actions/replies/join-thread.ts'
import { findMessageHead } from '../../../../../../shared/messages/incoming-messages/find-message.ts'
import type { IncomingMessage } from '../../../../../../shared/messages/incoming-messages/message.ts'
import { changeMessage, noteOutcome } from '../../../../../../shared/messages/incoming-messages/receive/save-message.ts'
import { knowMails } from '../../../../../../shared/messages/mailbox/threads/known-mail.ts'
import { companyOf } from '../../../../../../shared/messages/mailbox/threads/mail-company.ts'
import { recordKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { mailOf } from '../../../../../make/loads/mails/mail-shape.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { type MailWorld, mailWorld } from '../../../../../make/services/worlds/mail-world.ts'

const record = { model: 'requests', id: 42 }
const first = '<first@customer.example>'
let table: SingleTable
let world: MailWorld
let count = 0
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())
beforeEach(async () => {
  world = await mailWorld(table, `k${++count}`)
})

type Headers = Parameters<typeof mailOf>[0]
const from = 'Carl <carl@customer.example>'
const begins = (headers: Headers = {}): Promise<IncomingMessage> =>
  world.stored(mailOf({ From: from, 'Message-ID': first, ...headers }))
const answers = (headers: Headers): Promise<IncomingMessage> =>
  world.stored(mailOf({ 'Message-ID': '<answer@x>', 'In-Reply-To': first, ...headers }))

/** A rule makes the record of a message. */
async function makeRecord({ id }: { readonly id: number }): Promise<void> {
  const head = await findMessageHead(table.store, world.tenant, id)
  if (!head) throw new Error('there is no message')
  const done = { actionId: 1, action: 'Mails', kind: 'created' as const, record, at: '2026-11-20T09:00:00.000Z' }
  await table.store.transact(world.tenant, noteOutcome(world.tenant, head, done), world.clock.uuid())
}

describe('an answer to a mail that came in', () => {
  it.each([
    ['who sent it', from],
    ['whom it names', 'desk@acme.test'],
    ['whom it copies', 'Dora <dora@gmail.com>'],
    ['whom it wants answers sent to', 'replies@gmail.com'],
    ['a colleague of who sent it', 'Eve <EVE@Customer.Example>'],
    ['a colleague of whom it names', 'agent@acme.test'],
  ])('of %s joins the record that the mail opened', async (_, sender) => {
    const mail = await begins({ Cc: 'Dora <dora@gmail.com>', 'Reply-To': 'replies@gmail.com' })
    await makeRecord(mail)
    expect(await answers({ From: sender })).toMatchObject({ replyTo: record, payload: { reply_to: record } })
    expect(await answers({ From: sender, 'In-Reply-To': '', References: `<other@x> ${first}` })).toMatchObject({
      replyTo: record,
    })
  })

  it('of a user joins as well, and does not prove who sent it', async () => {
    await makeRecord(await begins())
    const answer = await answers({ From: `ada@${world.tenant.slug}.test` })
    expect([answer.replyTo, answer.userId]).toEqual([record, undefined])
  })

  it('of a stranger who knows the id joins nothing', async () => {
    await makeRecord(await begins({ From: 'Carl <carl@gmail.com>', Cc: 'dora@gmx.de', To: 'desk@acme.test' }))
    for (const sender of ['eve@example.com', 'eve@gmail.com', 'eve@gmx.net', 'desk@acme.test.evil.example', 'Ann'])
      expect(await answers({ From: sender })).not.toMatchObject({ replyTo: expect.anything() })
    // A thread of their own is not that thread.
    await begins({ From: 'eve@example.com', 'Message-ID': '<own@example.com>' })
    const both = { From: 'eve@example.com', References: `<own@example.com> ${first}` }
    const answer = await answers(both)
    expect([answer.replyTo, answer.answers, answer.conversation]).toEqual([undefined, undefined, 'eve@example.com'])
  })

  it('joins by whom a later mail of the thread names', async () => {
    await makeRecord(await begins({ From: 'carl@gmail.com' }))
    const second = { From: 'carl@gmail.com', 'Message-ID': '<second@x>', Cc: 'dora@gmx.de' }
    await answers(second)
    const third = { From: 'dora@gmx.de', 'In-Reply-To': '<second@x>', References: `${first} <second@x>` }
    expect((await answers(third)).replyTo).toEqual(record)
  })

  it('is an ordinary mail when the record is gone, or the id is of another company', async () => {
    await makeRecord(await begins())
    await table.store.write(world.tenant, { remove: recordKey(world.tenant, 'requests', 42) })
    const answer = await answers({ From: from })
    expect(answer.replyTo).toBeUndefined()
    expect(await joinThread(services(), world.tenant, answer)).toEqual(answer)
    const other = await mailWorld(table, `k${++count}`)
    expect((await other.stored(mailOf({ From: from, 'In-Reply-To': first }))).answers).toBeUndefined()
  })

  it('is joined by the signed id of a record first', async () => {
    await makeRecord(await begins())
    await world.putRecord(43)
    const { id } = await world.delivered()
    expect((await answers({ From: 'eve@example.com', References: `<${id}@acme.test>` })).replyTo).toEqual(record)
  })
})

const services = () => ({ store: table.store, clock: world.clock, fetchObject: world.objects.fetchObject })

describe('an answer that arrives before the rules have made the record', () => {
  it('waits in the conversation of the mail that it answers, and joins at its turn', async () => {
    const mail = await begins()
    const answer = await answers({ From: 'eve@customer.example' })
    expect(answer).toMatchObject({ answers: mail.id, conversation: mail.conversation })
    expect(answer.replyTo).toBeUndefined()
    await makeRecord(mail)
    const joined = await joinThread(services(), world.tenant, answer)
    expect(joined).toMatchObject({ replyTo: record, payload: { reply_to: record }, rev: answer.rev + 1 })
    expect(await joinThread(services(), world.tenant, joined)).toBe(joined)
    const links = (await table.itemsOf(`T#${world.tenant.id}#MSGL#requests#42`)).map(({ message_id }) => message_id)
    expect(links).toEqual([mail.id, answer.id])
  })

  it('joins by the answer that it answers', async () => {
    const mail = await begins()
    const second = await answers({ From: 'eve@customer.example', 'Message-ID': '<second@x>' })
    const third = await answers({ From: from, 'In-Reply-To': '<second@x>' })
    expect([third.answers, third.conversation]).toEqual([second.id, mail.conversation])
    await makeRecord(mail)
    expect((await joinThread(services(), world.tenant, third)).replyTo).toEqual(record)
  })

  it('is joined once by two that read it at the same time, and read anew when it has changed', async () => {
    const mail = await begins()
    const answer = await answers({ From: from })
    await makeRecord(mail)
    await table.store.write(world.tenant, changeMessage(world.tenant, answer, { isWaiting: true }))
    expect((await joinThread(services(), world.tenant, answer)).rev).toBe(answer.rev + 1)
    const now = { ...answer, rev: answer.rev + 1 }
    const both = await Promise.all([1, 2].map(() => joinThread(services(), world.tenant, now)))
    expect(both.map(({ replyTo, rev }) => [replyTo, rev])).toEqual([1, 2].map(() => [record, answer.rev + 2]))
  })
})

it('the first mail with an id keeps it, and no row holds an address', async () => {
  const mail = await begins()
  await begins({ From: 'eve@example.com' })
  expect((await answers({ From: from })).answers).toBe(mail.id)
  const rows = (await table.itemsOf(`T#${world.tenant.id}#MSGI#`)).filter(({ kind }) => kind === 'known_mail')
  expect(rows).toHaveLength(2)
  for (const { pk, people, companies } of rows)
    expect(`${String(pk)} ${String(people)} ${String(companies)}`).not.toMatch(/customer|first/)
})

it('a mail to very many people knows the first hundred of them', () => {
  const to = Array.from({ length: 1000 }, (_, n) => ({ name: null, email: `n${n}@c${n}.example` }))
  const mail = { from: null, to, cc: [], replyTo: [], messageId: first, inReplyTo: null, references: [] }
  const [write] = knowMails({ id: 1 }, mail, { messageId: 1, root: 1, conversation: 'c' })
  const { values } = (write as { change: { values: Record<string, string> } }).change
  expect(values[':people']?.split(' ')).toHaveLength(100)
  expect(values[':companies']?.split(' ')).toHaveLength(100)
})

it.each([
  ['ada@acme.test', 'acme.test'],
  ['ada@ACME.test', 'acme.test'],
  ['ada@gmail.com', undefined],
  ['ada@outlook.co.uk', undefined],
  ['ada@mail.acme.test', undefined],
])('the company of %s is %s', (address, company) => expect(companyOf(address)).toBe(company))
