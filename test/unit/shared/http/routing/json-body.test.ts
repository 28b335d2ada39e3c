import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inspectJson, readJsonBody } from '../../../../../shared/http/routing/json-body.ts'
import { Fault, Invalid } from '../../../../../shared/kernel/faults.ts'
import { maxBodyBytes } from '../../../../../shared/kernel/limits/requests.ts'

/** The code of the fault and the paths it names; any other error fails the test. */
function refusal(body: string, isBase64 = false, limits = {}): string {
  try {
    readJsonBody(body, isBase64, limits)
    return 'accepted'
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return error instanceof Invalid ? `invalid ${Object.keys(error.errors).join(' ')}` : error.kind
  }
}
const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes as string).toString('base64')
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const keys = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}`

describe('a request body', () => {
  it('is undefined when nothing was sent', () => {
    expect(readJsonBody(undefined, false)).toBeUndefined()
    expect(readJsonBody('', true)).toBeUndefined()
  })

  it.each<[string, string, string]>([
    ['broken JSON', '{"a":', 'malformed'],
    ['text that is no JSON', 'hello', 'malformed'],
    ['NaN, which JSON does not know', '{"a":NaN}', 'malformed'],
    ['a number beyond what a double holds', '{"a":{"b":1e400}}', 'invalid a.b'],
    ['its negative', '[1,-1e999]', 'invalid 1'],
    ['__proto__ as a key', '{"a":{"__proto__":{"x":1}}}', 'invalid a.__proto__'],
    ['__proto__ at the top', '{"__proto__":1}', 'invalid __proto__'],
    ['__proto__ written with an escape', '{"\\u005f_proto__":1}', 'invalid __proto__'],
    ['constructor as a key', '{"constructor":{"prototype":{}}}', 'invalid constructor'],
    ['prototype as a key', '[{"prototype":1}]', 'invalid 0.prototype'],
    ['an unpaired surrogate in a value', '{"a":"\\ud800"}', 'invalid a'],
    ['an unpaired surrogate in a key', '{"b":{"\\udc00":1}}', 'invalid b'],
    ['an unpaired surrogate as the whole body', '"\\ud83d"', 'invalid body'],
    ['33 levels', nested(33), `invalid ${Array(32).fill('0').join('.')}`],
    ['32 levels', nested(32), 'accepted'],
    ['10,001 keys', keys(10_001), 'invalid body'],
    ['10,000 keys', keys(10_000), 'accepted'],
    ['a paired surrogate', '"\\ud83d\\ude00"', 'accepted'],
    ['toString as a key', '{"toString":1}', 'accepted'],
  ])('with %s is accepted or refused as it must be', (_, body, outcome) => {
    expect(refusal(body)).toBe(outcome)
    expect(refusal(base64(body), true)).toBe(outcome)
  })

  it.each([
    ['arrays', nested(200_000)],
    ['objects', '{"a":'.repeat(200_000) + '1' + '}'.repeat(200_000)],
  ])('200,000 levels of %s deep is refused without a stack overflow', (_, body) => {
    expect(refusal(body)).toMatch(/^invalid /)
  })

  it('names a path of readable length, however long the keys are', () => {
    const name = refusal(`{"${'x'.repeat(100_000)}":1e400}`).slice('invalid '.length)
    expect(name).toBe('x'.repeat(200))
  })

  it.each<[string, string, string]>([
    ['exactly 4 MB', `"${'a'.repeat(maxBodyBytes - 2)}"`, 'accepted'],
    ['one byte more', `"${'a'.repeat(maxBodyBytes - 1)}"`, 'too_large'],
    ['4 MB in bytes, fewer in characters', `"${'ä'.repeat(maxBodyBytes / 2)}"`, 'too_large'],
    ['10 MB', `"${'a'.repeat(10 * 1024 * 1024)}"`, 'too_large'],
    ['10 MB that is no JSON either', 'x'.repeat(10 * 1024 * 1024), 'too_large'],
  ])('of %s is accepted or refused as it must be', (_, body, outcome) => {
    expect(refusal(body)).toBe(outcome)
    expect(refusal(base64(body), true)).toBe(outcome)
  })

  it('that is not UTF-8 is malformed', () => {
    for (const bytes of [
      [0xff, 0xfe],
      [0xc3, 0x28],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
    ])
      expect(refusal(base64(Uint8Array.from(bytes)), true)).toBe('malformed')
  })

  it('leaves each row of an import to be checked separately', () => {
    const rows = `{"rows":[${Array(3).fill(keys(4000)).join(',')}]}`
    expect(refusal(rows)).toMatch(/^invalid rows/)
    expect(refusal(rows, false, { eachRow: true })).toBe('accepted')
    expect(refusal('{"rows":[{"__proto__":1}]}', false, { eachRow: true })).toBe('accepted')
    expect(refusal('{"rows":[],"more":{"__proto__":1}}', false, { eachRow: true })).toBe('invalid more.__proto__')
    expect(() => inspectJson(JSON.parse(keys(10_001)))).toThrow('Validation error')
  })

  it('counts the keys of each element of a list where the route says so, and names the one that has too many', () => {
    const limits = { keysPerElement: 5000 }
    const tables = (...counts: number[]) => `{"tables":[${counts.map(keys).join(',')}]}`
    expect(refusal(tables(5000, 5000, 5000))).toMatch(/^invalid tables/)
    expect(refusal(tables(5000, 5000, 5000), false, limits)).toBe('accepted')
    expect(refusal(tables(1, 5001), false, limits)).toBe('invalid tables.1')
    expect(refusal(keys(10_001), false, limits)).toBe('invalid body')
    expect(refusal('{"tables":[{"a":{"__proto__":1}}]}', false, limits)).toBe('invalid tables.0.a.__proto__')
  })
})

describe('for any body', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.json({ maxDepth: 40 }),
    fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0eE1.-'), maxLength: 60 }),
  )

  it('nothing but a fault is ever thrown', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (body, isBase64) => {
        refusal(body, isBase64)
        refusal(base64(body), true)
      }),
    )
  })

  it('bytes of any kind are a value or a fault', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void refusal(base64(bytes), true)))
  })

  it('a harmless value arrives as it was sent', () => {
    const harmless = fc
      .jsonValue({ maxDepth: 10, stringUnit: 'grapheme' })
      .filter((value) => !/"(__proto__|constructor|prototype)":/.test(JSON.stringify(value)))
    fc.assert(
      fc.property(harmless, (value) => {
        const sent = JSON.stringify(value)
        expect(readJsonBody(sent, false)).toEqual(JSON.parse(sent))
        expect(readJsonBody(base64(sent), true)).toEqual(JSON.parse(sent))
      }),
    )
  })

  it('prototypes stay unchanged', () => {
    const before = Object.getOwnPropertyNames(Object.prototype)
    refusal('{"__proto__":{"polluted":1}}')
    refusal('{"constructor":{"prototype":{"polluted":1}}}')
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
