import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { Fault, Invalid } from '../../../../../../../shared/kernel/failures/faults.ts'
import { maxBodyBytes } from '../../../../../../../shared/kernel/limits/requests.ts'
import { inspectJson } from '../../../../../../../shared/platform/http/routing/json/inspect-json.ts'
import { bodyBytes, readJsonBody } from '../../../../../../../shared/platform/http/routing/json/json-body.ts'
import { refuseTooMany } from '../../../../../../../shared/platform/http/routing/json/scan-json.ts'

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
const zeros = (count: number): string => `[${Array(count).fill(0).join(',')}]`
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
    ['100,001 elements', zeros(100_001), 'invalid body'],
    ['100,000 elements', zeros(100_000), 'accepted'],
    ['100,001 elements in two lists', `{"a":{"b":[1,2]},"c":[${zeros(50_000)},${zeros(49_998)}]}`, 'invalid c.1'],
    ['brackets in a text', JSON.stringify('[,{:'.repeat(200_000)), 'accepted'],
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

  it('may be smaller where the route says so, and is measured before anything is made of it', () => {
    const limits = { maxBytes: 16 * 1024 }
    const text = (bytes: number) => JSON.stringify('a'.repeat(bytes - 2))
    expect(refusal(text(16 * 1024), false, limits)).toBe('accepted')
    expect(refusal(base64(text(16 * 1024)), true, limits)).toBe('accepted')
    expect(refusal(text(16 * 1024 + 1), false, limits)).toBe('too_large')
    expect(refusal(base64(text(16 * 1024 + 1)), true, limits)).toBe('too_large')
    expect(() => bodyBytes('é'.repeat(9000), false, 16 * 1024)).toThrow('larger than 16 KB')
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

  it('counts the elements of lists in each row and in each element as well', () => {
    const rows = (...counts: number[]) => `{"rows":[${counts.map((count) => `{"a":${zeros(count)}}`).join(',')}]}`
    expect(refusal(rows(60_000, 60_000))).toBe('invalid rows.1.a')
    expect(refusal(rows(60_000, 60_000), false, { eachRow: true })).toBe('accepted')
    expect(refusal(rows(60_000, 60_000), false, { keysPerElement: 10_000 })).toBe('accepted')
    expect(refusal(rows(1, 100_001), false, { eachRow: true })).toBe('invalid rows.1.a')
    expect(refusal(rows(1, 100_001), false, { keysPerElement: 10_000 })).toBe('invalid rows.1.a')
  })

  it('may hold as many elements as its route says', () => {
    expect(refusal(zeros(100_001), false, { maxElements: 200_000 })).toBe('accepted')
    expect(refusal(zeros(200_001), false, { maxElements: 200_000 })).toBe('invalid body')
  })

  it('is refused before it is parsed when it holds too many brackets, commas or colons', () => {
    const parse = vi.spyOn(JSON, 'parse')
    const parsed = () => parse.mock.calls.some(([text]) => text.length > 1000)
    try {
      for (const body of [
        zeros(1_900_000),
        `[${Array(1_300_000).fill('[]').join(',')}]`,
        `{"rows":${nested(2_000_000)}}`,
        keys(300_000),
        `{${'"":0,'.repeat(800_000)}"a":1}`,
      ]) {
        expect(refusal(body)).toMatch(/^invalid /)
        expect(refusal(body, false, { eachRow: true })).toMatch(/^invalid /)
        expect(parsed()).toBe(false)
      }
      expect(refusal(zeros(1000))).toBe('accepted')
      expect(parsed()).toBe(true)
    } finally {
      parse.mockRestore()
    }
  })

  it('is looked at in linear time: twice the members take about twice the steps', () => {
    // Every key, element and text that is looked at asks once whether it is well-formed, or is counted with its list.
    const steps = (body: string): number => {
      const asked = vi.spyOn(String.prototype, 'isWellFormed')
      try {
        inspectJson(JSON.parse(body))
        return asked.mock.calls.length
      } finally {
        asked.mockRestore()
      }
    }
    const texts = (count: number) => JSON.stringify({ a: Array(count).fill('x') })
    expect([steps(texts(10_000)), steps(texts(20_000)), steps(keys(5000))]).toEqual([10_001, 20_001, 5000])
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

  it('the scan of the text refuses what the value holds too much of, and nothing else', () => {
    // Where both refuse, their paths may differ: the scan counts elements as it meets them, the value has lists at once.
    const isRefused = (check: () => void): boolean => {
      try {
        check()
        return false
      } catch (error) {
        if (error instanceof Invalid) return true
        throw error
      }
    }
    // Objects with many keys, beside and in lists with many elements, near both limits.
    const many = fc.oneof(
      fc.integer({ min: 9_990, max: 10_010 }).map((count) => JSON.parse(keys(count)) as unknown),
      fc.integer({ min: 99_990, max: 100_010 }).map((count) => JSON.parse(zeros(count)) as unknown),
      fc.constantFrom<unknown>([], {}, '[,]', '\\"', { ']"': [[], {}, [[]]] }),
    )
    const body = fc.oneof(
      fc.array(many, { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b"', 'ü\\', '['), fc.oneof(many, fc.array(many, { maxLength: 3 })), {
        maxKeys: 3,
      }),
    )
    fc.assert(
      fc.property(body, fc.constantFrom(undefined, 10_000, 5_000), fc.boolean(), (value, keysPerElement, isSpaced) => {
        const text = JSON.stringify(value, null, isSpaced ? 1 : undefined)
        expect(isRefused(() => refuseTooMany(Buffer.from(text), { keysPerElement }))).toBe(
          isRefused(() => inspectJson(JSON.parse(text), { keysPerElement })),
        )
      }),
      { numRuns: 25 },
    )
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
