import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { archivedMessages } from '../../../../../shared/messages/incoming-messages/archived-messages.ts'
import { describeMessage } from '../../../../../shared/messages/incoming-messages/describe-message.ts'
import { findMessage } from '../../../../../shared/messages/incoming-messages/find-message.ts'
import type {
  IncomingMessage,
  MessageContent,
  MessageHead,
} from '../../../../../shared/messages/incoming-messages/message.ts'
import { readContents, readFirstContents } from '../../../../../shared/messages/incoming-messages/read-contents.ts'
import { contentBytes, packMessage } from '../../../../../shared/messages/incoming-messages/rows/content-row.ts'
import { messageItem, readMessageHead } from '../../../../../shared/messages/incoming-messages/rows/message-row.ts'
import type { Item } from '../../../../../shared/platform/store/values/marshal.ts'

const tenant = { id: 1 }

/** Messages as they are stored, and what reads them. */
function stored(contents: readonly MessageContent[]) {
  const rows = new Map<string, Item>()
  const objects = new Map<string, Uint8Array>()
  const heads = contents.map((content, index): MessageHead => {
    const id = index + 1
    const head = readMessageHead(
      messageItem(tenant, {
        id,
        channel: 'api',
        channelId: null,
        fromName: 'Ann "A."',
        fromEmail: null,
        fromId: null,
        subject: null,
        receivedAtMs: 1_790_000_000_000 + id,
        conversation: `#${id}`,
        position: id,
        isWaiting: false,
        waitingSinceMs: 1_790_000_000_000 + id,
        round: 0,
        isGivenUp: false,
        outcomes: [],
        rev: 1,
      }),
    )
    const { item, object } = packMessage(tenant, id, `uuid-${id}`, content)
    const headRow = messageItem(tenant, head)
    rows.set(`${headRow.pk} ${headRow.sk}`, headRow)
    rows.set(`${item.pk} ${item.sk}`, item)
    if (object) objects.set(object.key, object.body)
    return head
  })
  const store = {
    getMany: async (_: unknown, keys: readonly { pk: string; sk: string }[]) =>
      keys.map(({ pk, sk }) => rows.get(`${pk} ${sk}`)),
  }
  const fetchObject = async (key: string) => objects.get(key) as Uint8Array
  return { services: { store, fetchObject } as never, heads, rows, objects }
}

const small = (text: string): MessageContent => ({ body: text, payload: { text }, attachments: [] })
/** Megabytes that are stored as a few kilobytes. */
const bomb = (): MessageContent => ({
  body: '',
  payload: { text: 'x'.repeat(3_500_000), rows: Array.from({ length: 90_000 }, () => []) },
  attachments: [],
})
const random = (bytes: number): MessageContent => ({
  body: Array.from({ length: bytes / 8 }, () => Math.random().toString(36).slice(2, 10)).join(''),
  payload: {},
  attachments: [],
})

const spyOnParse = () => vi.spyOn(JSON, 'parse')
let parse: ReturnType<typeof spyOnParse>
beforeEach(() => {
  parse = spyOnParse()
})
afterEach(() => parse.mockRestore())
const largeParsed = () => parse.mock.calls.filter(([text]) => text.length > 1_000_000).length

describe('messages in the export of a tenant', () => {
  it('are the messages as the API answers them', async () => {
    const { services, heads } = stored([
      small('é"\\'),
      random(400_000),
      { ...small(''), payload: JSON.parse('{"__proto__":1}') as never },
    ])
    const archived = await archivedMessages(services, tenant, [1, 2, 3, 4])
    expect(archived).toHaveLength(3)
    for (const [index, head] of heads.entries()) {
      const message = (await findMessage(services, tenant, head.id)) as IncomingMessage
      expect(JSON.parse(await archived[index]!.json())).toEqual(describeMessage(message))
    }
  })

  it('stay packed until each is written, and are never parsed', async () => {
    const { services, rows } = stored(Array.from({ length: 20 }, bomb))
    expect(
      [...rows.values()].every(({ content }) => content === undefined || (content as Uint8Array).length < 10_000),
    ).toBe(true)
    const archived = await archivedMessages(
      services,
      tenant,
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    expect(archived).toHaveLength(20)
    expect((await archived[7]!.json()).length).toBeGreaterThan(3_500_000)
    expect(largeParsed()).toBe(0)
  })
})

describe('contents of a page', () => {
  it('are read for the first messages only that have about 4 MB together', async () => {
    const { services, heads } = stored([small('a'), ...Array.from({ length: 9 }, bomb)])
    const first = await readFirstContents(services, tenant, heads, (message) => message)
    expect(first.length).toBe(2)
    expect(largeParsed()).toBe(1)
    expect(await readFirstContents(services, tenant, heads.slice(1), (message) => message)).toHaveLength(1)
  })

  it('are read for all messages at once that are as small as most are', async () => {
    const { services, heads } = stored(Array.from({ length: 25 }, (_, index) => small(`m${index}`)))
    expect(
      (await readFirstContents(services, tenant, heads, (message) => message)).map((message) => message?.body),
    ).toEqual(heads.map((_, index) => `m${index}`))
  })

  it('are shown one after the other when they are large, each in its place', async () => {
    const { services, heads, rows } = stored([small('a'), bomb(), small('b'), bomb(), small('c')])
    for (const [key, { kind, sk }] of rows)
      if (kind === 'incoming_message_content' && Number(sk) === 3) rows.delete(key)
    const shown = await readContents(
      services,
      tenant,
      heads,
      ({ body, payload }) => body || String(payload.text).length,
    )
    expect(shown).toEqual(['a', 3_500_000, undefined, 3_500_000, 'c'])
  })
})

it('the row of a content says how large it is, also of one in an object', () => {
  const content = random(900_000)
  const { item, object } = packMessage(tenant, 1, 'uuid', content)
  expect(object).toBeDefined()
  expect(contentBytes(item)).toBe(JSON.stringify(content).length)
  const { content_bytes: _noted, ...before } = item
  expect(contentBytes(before)).toBe(1024 * 1024)
  expect(contentBytes(packMessage(tenant, 1, 'uuid', bomb()).item)).toBe(JSON.stringify(bomb()).length)
})
