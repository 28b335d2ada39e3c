import { afterAll, beforeAll, expect, it } from 'vitest'
import { pick, seeded } from '../../make/builders/lists/query-records.ts'
import { runs } from '../../make/depth.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

/*
 * Random conversations of people of several companies, at several addresses of a desk: new mails, answers, copies, agents who
 * forward, merges, splits, answers of agents. Whatever happened, what somebody wrote reaches only people of its conversation, and
 * those whom the writer named.
 */

interface Sent {
  readonly mark: string
  readonly messageId: string
  /** Who sent or received it. */
  readonly by: readonly string[]
  /** The message that it became, unless it is ours. */
  readonly message?: number
  /** Whom an answer to it goes to, unless it is ours. */
  readonly to?: string
}
interface Conversation {
  /** The record where it is now: another one after a merge. */
  at: number
  /** Addresses that sent or received a mail of it. */
  readonly people: Set<string>
  /** Its mails, oldest first; `to`: whom an answer to a mail of theirs goes to. */
  mails: Sent[]
}

const outsider = 'vera@vendor.test'
const people = ['ann@one.test', 'abe@one.test', 'bea@two.test', 'bob@two.test', 'cy@three.test', 'web@forms.test']
let service: TestService
let box: number
const own = (name: string): string => `${name}@${service.tenant.slug}.test`

const api = async (method: string, path: string, body?: unknown) => {
  const answer = await service.api(method, path, { token: service.admin.token, body })
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}

beforeAll(async () => {
  service = await sharedService()
  await api('POST', '/api/sys/entities', {
    name: 'tickets',
    label: 'Ticket',
    title_field: 'title',
    table_fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'description', type: 'textarea' },
    ],
  })
  const config = { transport: 'local', from_address: own('desk') }
  await api('POST', '/api/sys/channels', { name: 'Desk', type: 'email', is_default: true, config })
  const made = await api('POST', '/api/sys/mailboxes', {
    name: 'Support',
    address: own('support'),
    aliases: [own('help')],
    incoming: { protocol: 'local' },
    table: 'tickets',
  })
  box = made.id
})
afterAll(() => service.stop())

interface Mail {
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly cc?: readonly string[]
  readonly replyTo?: string | undefined
  readonly answers?: string
}
let mails = 0

/** A mail arrives. Answers its Message-ID and the record that it became or answered. */
async function receive({ from, subject, text, cc = [], replyTo, answers }: Mail) {
  mails += 1
  const messageId = `<${mails}.${service.tenant.slug}@people.test>`
  const headers = {
    From: from,
    To: own('support'),
    Cc: cc.join(', '),
    'Reply-To': replyTo,
    Subject: subject,
    'Message-ID': messageId,
    'In-Reply-To': answers,
    References: answers,
  }
  const lines = Object.entries(headers).flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
  await fetch(`${service.url}/_local/mailbox?to=${encodeURIComponent(own('support'))}`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822' },
    body: [...lines, '', text, ''].join('\r\n'),
  })
  await api('POST', `/api/sys/mailboxes/${box}/fetch`)
  await service.cloud.idle()
  const [message] = await api('GET', '/api/sys/incoming_messages?per_page=1')
  expect(message.payload.message_id).toBe(messageId)
  expect(message.records).toHaveLength(1)
  return { messageId, record: message.records[0].id as number, message: message.id as number }
}

it(
  'what was written reaches people of its conversation, and those whom its writer named',
  { timeout: 600_000 },
  async () => {
    for (let seed = 1; seed <= runs(60, 12); seed += 1) await converse(seed)
  },
)

/** Thirty random steps; after each nobody has read what is not theirs. */
async function converse(seed: number): Promise<void> {
  const random = seeded(seed)
  const anyOf = <T>(of: readonly T[]): T => pick(random, of)
  const somePeople = (): string[] => people.filter(() => random(4) === 0)
  /** By the record that each began at. */
  const conversations = new Map<number, Conversation>()
  /** Who may read a text, by the mark in it. */
  const readers = new Map<string, { readonly of: ReadonlySet<string>[]; readonly named: readonly string[] }>()
  const steps: string[] = []
  const soFar = (): string => `seed ${seed}\n${steps.join('\n')}`

  /** What was passed on to somebody outside, and their Message-IDs. */
  const passed: { readonly at: Conversation; readonly messageId: string }[] = []

  const kinds = { begin, forward, reply, answer, merge, split, passOn, answerPassed }
  for (let step = 0; step < 30; step += 1) {
    const chosen = anyOf([
      'begin',
      'forward',
      'reply',
      'reply',
      'answer',
      'answer',
      'answer',
      'merge',
      'split',
      'passOn',
      'answerPassed',
    ] as const)
    await kinds[conversations.size < 2 ? 'begin' : chosen]()
    checkOutbox()
  }

  /** A text that only people of a conversation, and those whom its writer names, may read. */
  function markFor(conversation: Conversation, named: readonly string[] = []): string {
    const mark = `mark${seed}x${readers.size}.`
    readers.set(mark, { of: [conversation.people], named })
    return mark
  }

  async function begin(): Promise<void> {
    const [from, cc, replyTo] = [anyOf(people), somePeople(), random(4) === 0 ? anyOf(people) : undefined]
    const to = replyTo ?? from
    const conversation: Conversation = { at: 0, people: new Set([from, to, ...cc]), mails: [] }
    const mail = {
      from: anyOf([from, from.toUpperCase()]),
      cc: [...cc, own('help')],
      replyTo,
      subject: `Case ${seed}.${readers.size}`,
    }
    const mark = markFor(conversation)
    await keep(conversation, { ...mail, text: mark }, to, mark)
  }

  /** Somebody of the team forwards what a customer wrote to them. */
  async function forward(): Promise<void> {
    const from = anyOf(people)
    const conversation: Conversation = { at: 0, people: new Set([from, service.admin.email]), mails: [] }
    const mark = markFor(conversation)
    const text = [
      'Please take this.',
      '',
      '---------- Forwarded message ---------',
      `From: Somebody <${from}>`,
      'Date: Mon, 23 Nov 2026 at 10:00',
      `Subject: Case ${seed}.${readers.size}`,
      `To: <${service.admin.email}>`,
      '',
      mark,
    ].join('\r\n')
    await keep(
      conversation,
      { from: service.admin.email, subject: `Fwd: Case ${seed}.${readers.size}`, text },
      from,
      mark,
    )
  }

  async function keep(conversation: Conversation, mail: Mail, to: string, mark: string): Promise<void> {
    const { record, ...got } = await receive(mail)
    steps.push(`${record} begins by ${mail.from}, copies ${mail.cc?.join(' ')}, answers go to ${to}`)
    conversation.at = record
    conversation.mails.push({ ...got, mark, to, by: [...conversation.people] })
    conversations.set(record, conversation)
  }

  async function reply(): Promise<void> {
    const [began, conversation] = anyOf([...conversations])
    const answered = anyOf(conversation.mails)
    const [from, cc] = [anyOf(answered.by.filter((one) => one !== service.admin.email)), somePeople()]
    for (const one of cc) conversation.people.add(one)
    const text = markFor(conversation)
    const { record, ...got } = await receive({ from, cc, subject: 'Re: Case', text, answers: answered.messageId })
    steps.push(
      `${began} is answered by ${from} to a mail of ${answered.by.join(' ')}, copies ${cc.join(' ')}, at ${record}`,
    )
    expect(record, soFar()).toBe(conversation.at)
    conversation.mails.push({ ...got, mark: text, to: from, by: [from, ...cc] })
  }

  async function answer(): Promise<void> {
    const at = anyOf([...conversations.values()]).at
    const { conversations: all } = (await api('GET', `/api/e/tickets/${at}/reply-options`)) as {
      conversations: { id: number; to: string; cc: string[]; is_default: boolean }[]
    }
    // Those with somebody outside have ids below zero, and are answered only when they are named.
    const offered = all.filter(({ id }) => id > 0)
    for (const one of all) if (one.id < 0) expect(one, soFar()).toMatchObject({ to: outsider, is_default: false })
    const here = [...conversations].flatMap(([began, one]) => (one.at === at ? [began] : []))
    expect(offered.map(({ id }) => id).toSorted(ascending), soFar()).toEqual(here.toSorted(ascending))
    const chosen = anyOf([anyOf(offered), ...offered.filter(({ is_default }) => is_default)])
    const conversation = conversations.get(chosen.id) as Conversation
    const named = anyOf([chosen.cc, chosen.cc, somePeople()])
    const text = markFor(conversation, named)
    steps.push(`somebody answers ${chosen.id} at ${at}, copies ${named.join(' ')}`)
    const to = conversation.mails.findLast((mail) => mail.to !== undefined)?.to
    expect(chosen.to, soFar()).toBe(to)
    const more = chosen.is_default ? {} : { conversation: chosen.id }
    await api('POST', `/api/e/tickets/${at}/comments`, { body: text, send: 'email', cc: named, ...more })
    await service.cloud.idle()
    const sent = outbox().find((mail) => mail.text?.includes(text))
    expect(sent?.to, soFar()).toContain(to)
    for (const one of named) conversation.people.add(one)
    conversation.mails.push({
      mark: text,
      by: [chosen.to, ...named],
      messageId: messageIdOf(sent?.source),
    })
  }

  /** An agent passes a customer's mail on to somebody outside, who may read that mail and nothing else. */
  async function passOn(): Promise<void> {
    const conversation = anyOf([...conversations.values()])
    const mail = conversation.mails.findLast((one) => one.message !== undefined)
    if (!mail) return
    const text = `passed${seed}x${readers.size}.`
    readers.set(text, { of: [], named: [outsider] })
    readers.get(mail.mark)?.of.push(new Set([outsider]))
    steps.push(`somebody passes ${mail.mark} at ${conversation.at} on`)
    await api('POST', `/api/e/tickets/${conversation.at}/forward`, {
      to: outsider,
      body: text,
      message_ids: [mail.message],
    })
    await service.cloud.idle()
    const sent = outbox().find((one) => one.text?.includes(text))
    expect([sent?.to, sent?.text], soFar()).toEqual([[outsider], expect.stringContaining(mail.mark)])
    passed.push({ at: conversation, messageId: messageIdOf(sent?.source) })
  }

  /** They answer: for the team alone, and nobody's turn changes. */
  async function answerPassed(): Promise<void> {
    if (passed.length === 0) return
    const { at, messageId } = anyOf(passed)
    const text = `outside${seed}x${readers.size}.`
    readers.set(text, { of: [], named: [] })
    const awaits = async () => (await api('GET', `/api/e/tickets/${at.at}`)).conversation?.awaits
    const before = await awaits()
    const { record } = await receive({ from: outsider, subject: 'Re: Fwd: Case', text, answers: messageId })
    steps.push(`the answer of ${outsider} arrives at ${record}`)
    const comments = await api('GET', `/api/e/tickets/${record}/comments?per_page=100`)
    const said = comments.find(({ body }: { body: string }) => body.includes(text))
    expect(said, soFar()).toMatchObject({ is_internal: true })
    expect(await awaits(), soFar()).toBe(before)
  }

  async function merge(): Promise<void> {
    const homes = [...new Set([...conversations.values()].map(({ at }) => at))]
    const [from, into] = [anyOf(homes), anyOf(homes)]
    if (from === into) return
    steps.push(`${from} becomes a part of ${into}`)
    await api('POST', `/api/e/tickets/${from}/merge`, { into })
    await service.cloud.idle()
    for (const conversation of conversations.values()) if (conversation.at === from) conversation.at = into
  }

  /** A message that was no first one becomes a conversation of its own. */
  async function split(): Promise<void> {
    const conversation = anyOf([...conversations.values()])
    const mail = conversation.mails.slice(1).findLast((one) => one.message !== undefined)
    if (!mail) return
    const { id } = await api('POST', `/api/e/tickets/${conversation.at}/split`, {
      message_ids: [mail.message],
      data: { title: 'Part' },
    })
    steps.push(`a mail to ${mail.to} at ${conversation.at} becomes ${id}`)
    await service.cloud.idle()
    conversation.mails = conversation.mails.filter((one) => one !== mail)
    const of = new Set(conversation.people)
    conversations.set(id, { at: id, people: of, mails: [mail] })
    readers.get(mail.mark)?.of.push(of)
  }

  function checkOutbox(): void {
    for (const mail of outbox()) {
      const whole = `${mail.subject} ${mail.text} ${mail.html}`
      for (const [mark, may] of readers)
        if (whole.includes(mark)) {
          const strangers = mail.to.filter(
            (one) => !may.of.some((some) => some.has(one.toLowerCase())) && !may.named.includes(one),
          )
          expect(strangers, `${soFar()}\n${mark} reached them`).toEqual([])
        }
    }
  }
}

const messageIdOf = (source = ''): string => /^message-id:\s*(<[^>]+>)/im.exec(source)?.[1] ?? ''
const ascending = (one: number, other: number): number => one - other
const outbox = () => service.cloud.outbox.list({ type: 'mail' })
