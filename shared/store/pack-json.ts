import { gunzipSync, gzipSync } from 'node:zlib'

const gzipOverCharacters = 8 * 1024

/** JSON for an attribute: compressed once it is long, for a job's errors repeat themselves. */
export function packJson(value: unknown): string | Uint8Array {
  const text = JSON.stringify(value ?? null)
  return text.length <= gzipOverCharacters ? text : gzipSync(text)
}

export const unpackJson = (packed: unknown): unknown =>
  packed === undefined || packed === null
    ? undefined
    : JSON.parse(packed instanceof Uint8Array ? gunzipSync(packed).toString() : String(packed))
