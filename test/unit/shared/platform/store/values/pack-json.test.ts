import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  gunzipJson,
  gunzipText,
  gzipJson,
  packJson,
  readPackedJson,
  unpackedBytes,
} from '../../../../../../shared/platform/store/values/pack-json.ts'

it('what was packed is read as it was, and its size is known without unpacking', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), fc.nat(3000), (value, more) => {
      const content = { value, more: 'ü'.repeat(more * 10) }
      const text = JSON.stringify(content)
      const packed = packJson(content)
      expect(readPackedJson({ content: packed }, 'content')).toEqual(JSON.parse(text))
      expect(unpackedBytes(packed)).toBe(typeof packed === 'string' ? text.length : Buffer.byteLength(text))
      expect(unpackedBytes(gzipJson(content))).toBe(Buffer.byteLength(text))
      expect(gunzipJson(gzipJson(content))).toEqual(JSON.parse(text))
    }),
  )
})

it('the size is that of a part of a larger buffer as well', () => {
  const packed = gzipSync('x'.repeat(70_000))
  const around = Buffer.concat([Buffer.alloc(3), packed, Buffer.alloc(5)])
  expect(unpackedBytes(around.subarray(3, 3 + packed.length))).toBe(70_000)
})

it('a few kilobytes that say gigabytes are not unpacked', () => {
  const bomb = gzipSync(Buffer.alloc(2_000_000))
  expect(() => gunzipText(bomb, 1_000_000)).toThrow(RangeError)
  expect(gunzipText(bomb, 2_000_000)).toHaveLength(2_000_000)
})
