import { describe, expect, it } from 'vitest'
import { parseCondition } from '../../../../../shared/automation/incoming-actions/match/parse-condition.ts'
import { ErrorList } from '../../../../../shared/tables/tables/error-list.ts'

const variables = { nowMs: Date.parse('2026-11-20T12:00:00.000Z'), timeZone: 'UTC' }

const message = {
  id: 7,
  channel: 'messenger',
  from_id: '981',
  from_name: 'Ann Carter',
  subject: null,
  body: 'The PRINTER is on fire',
  attachments: [
    { name: 'a.pdf', content_type: 'application/pdf', size: 10 },
    { name: 'photo.jpg', content_type: 'image/jpeg', size: 2000 },
  ],
  reply_to: null,
  received_at: '2026-11-20T11:30:00.000Z',
  payload: {
    message: { chat: { id: 981, type: 'private' }, date: 1_795_000_000, silent: false, text: '' },
    date: 'Fri, 20 Nov 2026 13:15:00 +0100 (CET)',
    tags: ['urgent', 'print'],
    count: '12',
    none: null,
    empty: [],
  },
}

function matches(condition: unknown): boolean {
  const list = new ErrorList()
  const parsed = parseCondition(condition, variables, list)
  expect(list.errors).toEqual({})
  return parsed.matches(message)
}

function errorsOf(condition: unknown) {
  const list = new ErrorList()
  parseCondition(condition, variables, list)
  return list.errors
}

describe('a condition compares by kind', () => {
  it.each<[condition: object, expected: boolean]>([
    [{}, true],
    [{ channel: 'messenger' }, true],
    [{ channel: ['email', 'api'] }, false],
    [{ channel: { _in: ['email', 'messenger'] } }, true],
    [{ 'payload.message.chat.type': 'private' }, true],
    [{ payload: { message: { chat: { type: { _eq: 'private' } } } } }, true],
    [{ 'payload.message': { 'chat.type': { _neq: 'private' } } }, false],
    // Numbers, also where the message has them as texts, and the other way round.
    [{ from_id: 981 }, true],
    [{ from_id: '981' }, true],
    [{ 'payload.message.chat.id': '981' }, true],
    [{ 'payload.count': { _gt: 9 } }, true],
    [{ 'payload.count': { _between: [12, 20] } }, true],
    [{ body: { _gt: 9 } }, false],
    [{ 'payload.message.silent': false }, true],
    [{ 'payload.message.silent': 0 }, false],
    // Times: ISO, the date of a mail, seconds since 1970, variables.
    [{ received_at: { _gte: '2026-11-20T12:30:00+01:00' } }, true],
    [{ received_at: { _lt: '2026-11-20' } }, false],
    [{ received_at: { _gt: '$NOW(-1 hour)' } }, true],
    [{ received_at: { _gt: '$NOW' } }, false],
    [{ received_at: { _gte: '$TODAY' } }, true],
    [{ 'payload.date': { _eq: '2026-11-20T12:15:00Z' } }, true],
    [{ 'payload.message.date': { _lt: '$NOW(-1 day)' } }, true],
    // Texts.
    [{ body: { _contains: 'printer' } }, false],
    [{ body: { _icontains: 'printer' } }, true],
    [{ body: { _starts_with: 'The' } }, true],
    [{ body: { _istarts_with: 'the printer' } }, true],
    [{ body: { _ends_with: 'fire' } }, true],
    [{ 'payload.message.chat.id': { _contains: '98' } }, true],
    // Elements of arrays: one by number, any without.
    [{ 'attachments.0.name': 'a.pdf' }, true],
    [{ 'attachments.1.name': 'a.pdf' }, false],
    [{ 'attachments.name': { _ends_with: '.jpg' } }, true],
    [{ 'attachments.size': { _gt: 5000 } }, false],
    [{ 'payload.tags': 'urgent' }, true],
    [{ 'payload.tags': { _contains: 'rin' } }, true],
    [{ 'payload.tags': { _nin: ['urgent'] } }, false],
  ])('%j is %s', (condition, expected) => expect(matches(condition)).toBe(expected))
})

describe('a path without a value', () => {
  it.each<[condition: object, expected: boolean]>([
    [{ subject: 'x' }, false],
    [{ subject: { _neq: 'x' } }, true],
    [{ subject: { _nin: ['x'] } }, true],
    [{ subject: { _null: true } }, true],
    [{ subject: { _null: false } }, false],
    [{ subject: { _nnull: true } }, false],
    [{ subject: null }, true],
    [{ subject: { _neq: null } }, false],
    [{ subject: { _empty: true } }, true],
    [{ 'payload.message.text': { _empty: true } }, true],
    [{ 'payload.message.text': { _null: true } }, false],
    [{ 'payload.empty': { _empty: true } }, true],
    [{ 'payload.message': { _nempty: true } }, true],
    [{ attachments: { _nempty: true } }, true],
    [{ 'payload.none': { _contains: 'x' } }, false],
    [{ 'payload.nothing.at.all': { _lt: 3 } }, false],
    [{ 'payload.constructor': { _nnull: true } }, false],
    [{ 'payload.__proto__': { _nnull: true } }, false],
  ])('%j is %s', (condition, expected) => expect(matches(condition)).toBe(expected))

  it('makes _not the exact complement of every test', () => {
    const tests = [
      { subject: 'x' },
      { subject: { _neq: 'x' } },
      { body: { _icontains: 'fire' } },
      { from_id: { _lt: 3 } },
    ]
    for (const test of tests) expect(matches({ _not: test })).toBe(!matches(test))
  })

  it('combines with _and and _or', () => {
    expect(matches({ _or: [{ subject: 'x' }, { _and: [{ from_id: 981 }, { channel: 'messenger' }] }] })).toBe(true)
    expect(matches({ _and: [{ from_id: 981 }, { channel: 'email' }] })).toBe(false)
  })
})

describe('what a condition may not say', () => {
  it.each<[condition: unknown, errors: Record<string, string>]>([
    [[], { condition: 'The condition must be an object.' }],
    [{ subjct: 'x' }, { 'condition.subjct': 'A message has no member subjct. Did you mean subject?' }],
    [{ subject: { _like: 'x' } }, { 'condition.subject._like': 'There is no operator _like.' }],
    [{ _eq: 3 }, { 'condition._eq': "The operator _eq belongs to a path: write it inside the path's object." }],
    [{ subject: { _in: 'x' } }, { 'condition.subject._in': 'The condition.subject._in must be an array.' }],
    [{ subject: { _null: 1 } }, { 'condition.subject._null': 'The condition.subject._null must be true or false.' }],
    [
      { from_id: { _between: [1, 'b'] } },
      { 'condition.from_id._between': 'The two values of condition.from_id._between must be of one kind.' },
    ],
    [
      { from_id: '$CURRENT_USER' },
      { 'condition.from_id': 'The condition.from_id uses $CURRENT_USER, and a message has no current user.' },
    ],
    [
      { body: { _contains: 'a'.repeat(1001) } },
      { 'condition.body._contains': 'The condition.body._contains may not be longer than 1000 characters.' },
    ],
    [
      { 'payload..x': 1 },
      {
        'condition.payload..x':
          '"payload..x" is not a path: write member names with dots between them, such as payload.message.from.id.',
      },
    ],
  ])('%j', (condition, errors) =>
    expect(errorsOf(condition)).toEqual(Object.fromEntries(Object.entries(errors).map(([at, text]) => [at, [text]]))),
  )

  it('is more than a hundred tests', () => {
    const tests = Array.from({ length: 101 }, () => ({ from_id: 1 }))
    expect(Object.values(errorsOf({ _or: tests }))).toEqual([['A condition may have 100 tests.']])
    expect(errorsOf({ _or: tests.slice(1) })).toEqual({})
  })
})

it('matches a hostile text in time that does not explode', () => {
  const started = process.cpuUsage()
  const hostile = { ...message, body: 'a'.repeat(1_000_000) }
  const list = new ErrorList()
  const tests = Array.from({ length: 100 }, () => ({ body: { _icontains: `${'a'.repeat(900)}b` } }))
  expect(parseCondition({ _or: tests }, variables, list).matches(hostile)).toBe(false)
  const { user, system } = process.cpuUsage(started)
  expect((user + system) / 1000).toBeLessThan(20_000)
})
