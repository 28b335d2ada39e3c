import type { Archive, ArchivedEntry } from '../../../platform/objects/archive.ts'
import type { PackedRow, Rows } from './source.ts'

/** A file of rows is this large at most, apart from its last row. */
const fileBytes = 4 * 1024 * 1024

/** What waits of all files together: a tenant may have the history of hundreds of tables. */
const waitingBytes = 16 * 1024 * 1024

/** How many rows each file has, over all its numbers, and how many numbers. */
export type Counts = Record<string, { readonly rows: number; readonly files: number }>

/** Collects rows, and writes them as numbered NDJSON files: `records/requests-0001.ndjson`. Changes `counts`. */
export function archivePages(archive: Pick<Archive, 'add'>, counts: Counts) {
  const waiting = new Map<string, { text: string; rows: number }>()
  let length = 0

  async function add({ file, rows }: Rows): Promise<ArchivedEntry[]> {
    const entries: ArchivedEntry[] = []
    for (const row of rows) {
      const before = waiting.get(file) ?? { text: '', rows: 0 }
      const line = isPacked(row) ? await row.json() : JSON.stringify(row)
      const after = { text: `${before.text}${line}\n`, rows: before.rows + 1 }
      waiting.set(file, after)
      length += line.length + 1
      if (after.text.length >= fileBytes) entries.push(await write(file))
      else if (length > waitingBytes) entries.push(await write(longest()))
    }
    return entries
  }

  async function write(file: string): Promise<ArchivedEntry> {
    const { text, rows } = waiting.get(file) as { text: string; rows: number }
    waiting.delete(file)
    length -= text.length
    const before = counts[file] ?? { rows: 0, files: 0 }
    counts[file] = { rows: before.rows + rows, files: before.files + 1 }
    return archive.add(`${file}-${String(before.files + 1).padStart(4, '0')}.ndjson`, text)
  }

  const longest = (): string => [...waiting].reduce((a, b) => (b[1].text.length > a[1].text.length ? b : a))[0]

  /** Writes what was collected. */
  async function flush(): Promise<ArchivedEntry[]> {
    const entries: ArchivedEntry[] = []
    for (const file of waiting.keys()) entries.push(await write(file))
    return entries
  }

  return { add, flush }
}

const isPacked = (row: object): row is PackedRow => 'json' in row && typeof row.json === 'function'
