import { describe, expect, it } from 'vitest'
import type { TimelineEntry } from '../../../web/api/about-record.ts'
import { requesterOf } from '../../../web/api/requester.ts'
import type { Table } from '../../../web/api/tables.ts'
import { mentionAt, withIds } from '../../../web/record/conversation/draft.ts'
import { arrange, isInFlight } from '../../../web/record/conversation/timeline.ts'

const at = '2026-11-20T07:17:00.000Z'
const entry = (kind: TimelineEntry['kind'], id: string, data: object = {}): TimelineEntry => ({
  kind,
  id,
  at,
  summary: '',
  data: { ...data },
})
const delivery = (id: string, status: string, source: object = {}) => entry('delivery', id, { id, status, source })

describe('the entries of a timeline', () => {
  const entries = [
    delivery('5', 'failed', { comment_id: 2 }),
    delivery('4', 'delivered', { subscription_id: 1 }),
    delivery('3', 'failed', { hook: 'after_create' }),
    entry('comment', '3', { is_internal: true }),
    entry('comment', '2'),
    entry('comment', '1', { message_id: 9 }),
    entry('change', '1'),
    entry('message', '9'),
  ]
  const shown = (show: Parameters<typeof arrange>[1]) =>
    arrange(entries, show).map(
      ({ entry: one, delivery: sent }) => `${one.kind} ${one.id}${sent ? ` ${sent.status}` : ''}`,
    )

  it('have what became of a reply with it, and a message once', () => {
    expect(shown('all')).toEqual(['delivery 4', 'delivery 3', 'comment 3', 'comment 2 failed', 'change 1', 'message 9'])
  })

  it('are the conversation without notes, and with what did not arrive', () => {
    expect(shown('conversation')).toEqual(['delivery 3', 'comment 2 failed', 'change 1', 'message 9'])
    expect(shown('notes')).toEqual(['comment 3'])
  })

  it('are all deliveries where these are asked for', () => {
    expect(shown('deliveries').slice(0, 3)).toEqual(['delivery 5', 'delivery 4', 'delivery 3'])
  })

  it('are looked at again soon while something is on its way', () => {
    const now = Date.parse(at) + 1000
    expect(isInFlight([delivery('1', 'queued')], now)).toBe(true)
    expect(isInFlight([delivery('1', 'delivered')], now)).toBe(false)
    expect(isInFlight([delivery('1', 'queued')], now + 10 * 60_000)).toBe(false)
  })
})

describe('a mention', () => {
  it.each([
    ['@', 1, { start: 0, search: '' }],
    ['Dear @ad', 8, { start: 5, search: 'ad' }],
    ['Dear @Ada Lo', 12, { start: 5, search: 'Ada Lo' }],
    ['(@Zoë', 5, { start: 1, search: 'Zoë' }],
    ['mail@example', 12, undefined],
    ['@ada said that', 14, undefined],
    ['@ada', 0, undefined],
  ])('in %j before %i', (text, caret, found) => {
    expect(mentionAt(text, caret)).toEqual(found)
  })

  it('becomes the id of whoever is meant, the longest name first', () => {
    const mentions = { 'Ada Lo': 7, 'Ada Lovelace': 2 }
    expect(withIds({ body: '@Ada Lovelace and @Ada Lo, not @Ben', mentions })).toBe('@[2] and @[7], not @Ben')
  })
})

describe('whom a record is about', () => {
  const table = (...fields: object[]) => ({ name: 'requests', table_fields: fields }) as unknown as Table
  const client = { name: 'client_id', type: 'model_list', target_table: 'clients' }
  const email = { name: 'email', type: 'text' }
  const owner = { name: 'assigned_to', type: 'user' }

  it('is in the field with the surest name that says somebody', () => {
    const requests = table(owner, email, client)
    expect(requesterOf(requests, { data: { client_id: 4, email: 'a@b.c' } })).toEqual({ field: client, value: 4 })
    expect(requesterOf(requests, { data: { client_id: null, email: 'a@b.c' } })).toEqual({
      field: email,
      value: 'a@b.c',
    })
    expect(requesterOf(requests, { data: { assigned_to: 1 } })).toBeUndefined()
  })
})
