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
export const gunzipJson = <T>(bytes: Uint8Array): T => JSON.parse(gunzipSync(bytes).toString()) as T
