import { describe, expect, it } from 'vitest'
import { readJson, readJsonOrNull } from '../../../../../../shared/platform/store/values/json-attribute.ts'
import {
  gunzipJson,
  gzipJson,
  packJson,
  readPackedJson,
} from '../../../../../../shared/platform/store/values/pack-json.ts'

const item = { kind: 'job', pk: 'T#1#JOBS', sk: '000000000007' }

describe('a JSON attribute', () => {
  it('is parsed', () => {
    expect(readJson({ ...item, actor: '{"userId":3}' }, 'actor')).toEqual({ userId: 3 })
    expect(readJsonOrNull({ ...item, actor: '[1]' }, 'actor')).toEqual([1])
    expect(readJsonOrNull({ ...item, actor: null }, 'actor')).toBeNull()
  })

  it.each([
    ['missing', {}],
    ['null', { actor: null }],
    ['not text', { actor: 3 }],
    ['not JSON', { actor: '{' }],
  ])('that is %s is refused by naming the item', (_, attributes) => {
    const refusal = 'The attribute actor of the item job at T#1#JOBS / 000000000007 is missing or not JSON.'
    expect(() => readJson({ ...item, ...attributes }, 'actor')).toThrow(new SyntaxError(refusal))
  })
})

describe('a packed JSON attribute', () => {
  it.each([
    ['short', ['a'], 'string'],
    ['long', ['a'.repeat(9000)], 'object'],
  ])('that is %s reads as it was written', (_, value, type) => {
    const packed = packJson(value)
    expect(typeof packed).toBe(type)
    expect(readPackedJson({ ...item, state: packed }, 'state')).toEqual(value)
  })

  it('that is missing has no value', () => {
    expect(readPackedJson(item, 'state')).toBeUndefined()
  })

  it('that cannot be read is refused by naming the item', () => {
    for (const state of ['{', new Uint8Array([1, 2, 3])])
      expect(() => readPackedJson({ ...item, state }, 'state')).toThrow(/state of the item job at T#1#JOBS/)
  })
})

it('gzipped JSON reads as it was written', () => {
  expect(gunzipJson(gzipJson({ rows: [1, null] }))).toEqual({ rows: [1, null] })
})
