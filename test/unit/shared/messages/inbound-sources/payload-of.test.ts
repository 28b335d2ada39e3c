import { describe, expect, it, vi } from 'vitest'
import { Invalid, Malformed } from '../../../../../shared/kernel/failures/faults.ts'
import { payloadOf } from '../../../../../shared/messages/inbound-sources/receive-request.ts'

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const lists = `{"rows":[${Array(1_300_000).fill('[]').join(',')}]}`

describe('the payload of a request', () => {
  it.each<[string, string, string, unknown]>([
    ['nothing', '', '', {}],
    ['an object', json, '{"a":1}', { a: 1 }],
    ['other JSON', 'application/ld+json; charset=utf-8', '[1]', { value: [1] }],
    ['JSON that does not say so', 'text/plain', ' {"a":1}', { a: 1 }],
    ['text', 'text/plain', '{"a":', { text: '{"a":' }],
    ['a form', form, 'a=1&b=2&a=%C3%BC', { a: ['1', 'ü'], b: '2' }],
    ['a form with many fields', form, 'a=1&'.repeat(10_000).slice(0, -1), { a: Array(10_000).fill('1') }],
  ])('is made of %s', (_, type, body, payload) => {
    expect(payloadOf(type, Buffer.from(body))).toEqual(payload)
  })

  it.each<[string, string, string]>([
    ['JSON with 1.3 million lists', json, lists],
    ['JSON that is too deep', json, '['.repeat(40) + ']'.repeat(40)],
    ['a form with too many fields', form, 'a=&'.repeat(1_300_000)],
    ['a form with a name that code would take for a prototype', form, 'a=1&__proto__=2'],
  ])('is refused for %s', (_, type, body) => {
    expect(() => payloadOf(type, Buffer.from(body))).toThrow(Invalid)
  })

  it('is refused for what says that it is JSON and is not', () => {
    expect(() => payloadOf(json, Buffer.from('{"a":'))).toThrow(Malformed)
  })

  it('is text, which takes as many bytes as it has, for too many lists that do not say that they are JSON', () => {
    const parse = vi.spyOn(JSON, 'parse')
    expect(payloadOf('text/plain', Buffer.from(lists))).toEqual({ text: lists })
    expect(parse.mock.calls.filter(([text]) => text.length > 1000)).toEqual([])
    parse.mockRestore()
  })
})
