import { Readable } from 'node:stream'
import type { LargeObjects } from '../../../../shared/platform/objects/large-objects.ts'

/** An object store in memory, with what archives and exports need of it. `largestPut` is the size of the largest write. */
export function memoryObjects() {
  const objects = new Map<string, Buffer>()
  const parts = new Map<string, Map<number, Buffer>>()
  let [uploads, largestPut] = [0, 0]
  const stored = (body: Uint8Array): Buffer => {
    largestPut = Math.max(largestPut, body.byteLength)
    return Buffer.from(body)
  }
  const files: LargeObjects = {
    async begin() {
      uploads += 1
      parts.set(`upload-${uploads}`, new Map())
      return `upload-${uploads}`
    },
    async putPart(_key, uploadId, number, body) {
      parts.get(uploadId)?.set(number, stored(body))
      return { number, etag: `etag-${number}-${body.byteLength}` }
    },
    async complete(key, uploadId, listed) {
      const upload = parts.get(uploadId)
      objects.set(key, Buffer.concat(listed.map(({ number }) => upload?.get(number) as Buffer)))
    },
    downloadUrl: async (key: string) => `memory:${key}`,
  }
  return {
    files,
    largestPut: () => largestPut,
    get: (key: string) => objects.get(key),
    async fetchObject(key: string): Promise<Uint8Array> {
      const body = objects.get(key)
      if (!body) throw new Error(`there is no object ${key}`)
      return body
    },
    async putObject(key: string, body: Uint8Array): Promise<void> {
      objects.set(key, stored(body))
    },
    listing: {
      list: async (prefix: string, after: string | null, limit: number) =>
        [...objects]
          .map(([key, body]) => ({ key, sizeBytes: body.byteLength }))
          .filter(({ key }) => key.startsWith(prefix) && (after === null || key > after))
          .sort((a, b) => (a.key < b.key ? -1 : 1))
          .slice(0, limit),
      read: async (key: string) => {
        const body = objects.get(key)
        return body && Readable.from([body])
      },
      remove: async (key: string): Promise<void> => void objects.delete(key),
    },
  }
}
