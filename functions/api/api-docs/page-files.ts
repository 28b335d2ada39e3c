import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { readGuides } from './guides.ts'
import type { PageFile } from './routes.ts'

/** In the sources and next to the bundle alike. */
const folder = new URL('./page/', import.meta.url)

export interface CompressedFile {
  /** Compressed with gzip: the library has 4.4 MB, and Lambda answers at most 6 MB. */
  readonly bytes: Uint8Array
  readonly etag: string
}

const read = new Map<PageFile, Promise<CompressedFile>>()

/** A file that the page loads; each is read once per instance. */
export function pageFile(name: PageFile): Promise<CompressedFile> {
  const known = read.get(name)
  if (known) return known
  const reading = compressed(name).then((bytes) => ({
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
  }))
  read.set(name, reading)
  return reading
}

async function compressed(name: PageFile): Promise<Uint8Array> {
  if (name === 'guides.json') return gzipSync(JSON.stringify(await readGuides()))
  // The library is kept compressed, so that no start has to do it.
  if (name.startsWith('scalar-')) return readFile(new URL(`${name}.gz`, folder))
  return gzipSync(await readFile(new URL(name, folder)))
}

export const pageHtml = (): Promise<string> => readFile(new URL('index.html', folder), 'utf8')
