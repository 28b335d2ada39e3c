import { gunzipSync, gzipSync } from 'node:zlib'
import { unreadable } from './json-attribute.ts'
import type { Item } from './marshal.ts'

const gzipOverCharacters = 8 * 1024

/** JSON for an attribute. Long JSON is compressed: the errors of a job repeat themselves. */
export function packJson(value: unknown): string | Uint8Array {
  const text = JSON.stringify(value ?? null)
  return text.length <= gzipOverCharacters ? text : gzipSync(text)
}

/** How many bytes JSON takes as such an attribute. */
export const packedBytes = (value: unknown): number => Buffer.byteLength(packJson(value))

/**
 * How many bytes of text are in what `packJson` or `gzipJson` wrote, without unpacking it: gzip ends with that number
 * (RFC 1952, 2.3.1).
 */
export const unpackedBytes = (packed: string | Uint8Array): number =>
  typeof packed === 'string'
    ? packed.length
    : new DataView(packed.buffer, packed.byteOffset, packed.byteLength).getUint32(packed.byteLength - 4, true)

/**
 * Parses an attribute that `packJson` or `gzipJson` wrote; undefined when the item has no such attribute. Throws a
 * SyntaxError that names the item when it is not JSON.
 */
export function readPackedJson<T>(item: Item, name: string): T | undefined {
  const packed = item[name]
  if (packed === undefined || packed === null) return undefined
  try {
    return packed instanceof Uint8Array ? gunzipJson<T>(packed) : (JSON.parse(String(packed)) as T)
  } catch (cause) {
    throw unreadable(item, name, cause)
  }
}

/** JSON as gzipped bytes, for an attribute or an object. */
export const gzipJson = (value: unknown): Buffer => gzipSync(JSON.stringify(value))

/** The value that `gzipJson` wrote. */
export const gunzipJson = <T>(bytes: Uint8Array): T => JSON.parse(gunzipText(bytes)) as T

/** What anything of ours unpacks to at most: nothing is written that is larger, and a few kilobytes may say gigabytes. */
const maxUnpackedBytes = 128 * 1024 * 1024

/** The text that was gzipped. Throws a RangeError for one over 128 MB, before it is in memory. */
export const gunzipText = (bytes: Uint8Array, maxOutputLength = maxUnpackedBytes): string =>
  gunzipSync(bytes, { maxOutputLength }).toString()
