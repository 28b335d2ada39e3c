/** A keeper as small as can be: it appends rows to the log and folds the log, when it is told to. */
import { randomUUID } from 'node:crypto'
import {
  blockItems,
  blockKeys,
  blockName,
  readBlocks,
  stampColumn,
} from '../../../../../../shared/lists/columns/blocks.ts'
import { chunkOf, positionOf } from '../../../../../../shared/lists/columns/chunk.ts'
import { longColumn } from '../../../../../../shared/lists/columns/column-values.ts'
import {
  emptyLog,
  type LogHead,
  logItem,
  type LogRow,
  packRows,
  readLogItem,
  stampOf,
} from '../../../../../../shared/lists/columns/log-entry.ts'
import {
  type LeafPlace,
  type Manifest,
  manifestItems,
  readManifest,
} from '../../../../../../shared/lists/columns/manifest.ts'
import { valueIn } from '../../../../../../shared/lists/columns/row-values.ts'
import { decodeBlock } from '../../../../../../shared/lists/columns/vector/blocks/decode-block.ts'
import { encodeBlock } from '../../../../../../shared/lists/columns/vector/blocks/encode-block.ts'
import { setValue } from '../../../../../../shared/lists/columns/vector/set-value.ts'
import type { Vector } from '../../../../../../shared/lists/columns/vector/vector.ts'
import { buildLeaves } from '../../../../../../shared/lists/search/leaf/change-leaves.ts'
import { type SearchedTable, wordConfig, wordsOf } from '../../../../../../shared/lists/search/words-of.ts'
import { blockKey, columnLogPartition, columnLogSort } from '../../../../../../shared/platform/store/keys/columns.ts'
import type { Key } from '../../../../../../shared/platform/store/keys/key.ts'
import { readAll } from '../../../../../../shared/platform/store/ranges/read-all.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'
import { model, type WrittenChange } from './record-table.ts'

export function smallKeeper(store: Store, of: { readonly id: number }, words?: SearchedTable) {
  let head: LogHead = emptyLog
  /** For the words of whole chunks. */
  const folded = new Map<number, LogRow>()

  /** Appends changes as one entry. */
  async function append(changes: readonly WrittenChange[]): Promise<void> {
    for (const packed of packRows(changes.map(({ row }) => row))) {
      const item = logItem(of, model, head, packed, randomUUID())
      await store.putMany(of, [item])
      head = readLogItem(item)
    }
  }

  /** Folds the whole log; removes the blocks it replaces and the log of the fold before. */
  async function fold(): Promise<void> {
    const manifest = await readManifest(store, of, model)
    const entries = await readLog(manifest.folded + 1)
    const last = entries.at(-1)
    if (!last) return
    const { blocks, puts, removals, touched } = await foldRows(
      manifest,
      entries.flatMap(({ rows }) => rows),
    )
    const next: Manifest = {
      ...manifest,
      rev: manifest.rev + 1,
      folded: last.seq,
      n: last.n,
      size: last.size,
      checked: manifest.checked,
      blocks,
      words: words ? new Map([...manifest.words, ...(await foldWords(words, touched, puts))]) : manifest.words,
    }
    await store.putMany(of, puts)
    await putManifest(next)
    if (words) removals.push(...touched.flatMap((chunk) => leafKeys(manifest, chunk)))
    const log = await readAll(store, of, { pk: columnLogPartition(of, model), to: columnLogSort(manifest.folded) })
    await store.writeMany(of, [], [...removals, ...log.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }))])
  }

  /** Puts rows into blocks, whatever the log told, and makes all blocks of their chunks anew. */
  async function repair(changes: readonly WrittenChange[]): Promise<void> {
    const manifest = await readManifest(store, of, model)
    const rows = changes.map(({ row }) => row)
    for (const row of rows) folded.set(row.id, row)
    const { blocks, puts } = await foldRows(manifest, rows, true)
    await store.putMany(of, puts)
    await putManifest({ ...manifest, rev: manifest.rev + 1, blocks })
  }

  /** Drops a column that is too large. */
  async function leaveOut(column: string): Promise<void> {
    const manifest = await readManifest(store, of, model)
    const blocks = new Map([...manifest.blocks].filter(([name]) => name !== column))
    await putManifest({ ...manifest, rev: manifest.rev + 1, blocks, leftOut: new Set([column]) })
  }

  /** Makes the words of these records anew, as after a change of searched fields. */
  async function rebuildWords(rows: readonly LogRow[]): Promise<void> {
    for (const row of rows) folded.set(row.id, row)
    const manifest = await readManifest(store, of, model)
    const puts: (Item & Key)[] = []
    const chunks = [...new Set(rows.map(({ id }) => chunkOf(id)))]
    const made = await foldWords(words as SearchedTable, chunks, puts)
    await store.putMany(of, puts)
    await putManifest({ ...manifest, rev: manifest.rev + 1, words: new Map([...manifest.words, ...made]) })
  }

  async function putManifest(manifest: Manifest): Promise<void> {
    const { item, parts } = manifestItems(of, model, manifest, { generation: newGeneration(), writeId: randomUUID() })
    await store.putMany(of, parts)
    await store.putMany(of, [item])
  }

  const leafKeys = (manifest: Manifest, chunk: number): Key[] =>
    (manifest.words.get(chunk)?.leaves ?? []).map(([, generation, number]) =>
      blockKey(of, model, chunk, '~', generation, number),
    )

  async function readLog(from: number) {
    const items = await readAll(store, of, { pk: columnLogPartition(of, model), from: columnLogSort(from) })
    return items.map(readLogItem)
  }

  async function foldRows(manifest: Manifest, rows: readonly LogRow[], isRepair = false) {
    for (const row of rows) {
      const before = folded.get(row.id)
      if (!before || stampOf(before) < stampOf(row)) folded.set(row.id, row)
    }
    const blocks = new Map([...manifest.blocks].map(([column, chunks]) => [column, new Map(chunks)]))
    const puts: (Item & Key)[] = []
    const removals: Key[] = []
    const byChunk = Map.groupBy(rows, ({ id }) => chunkOf(id))
    const fields = [...new Set([...folded.values()].flatMap(({ values }) => Array.from(values, ([column]) => column)))]
    for (const [chunk, changed] of byChunk) {
      for (const column of [stampColumn, ...fields, ...fields.map(longColumn)]) {
        const one = { column, chunk }
        const bytes = (await readBlocks(store, of, model, manifest, [one]))?.get(blockName(one))
        const vector = folding(bytes && decodeBlock(bytes), column, changed)
        const encoded = vector && encodeBlock(vector)
        if (!encoded || (!isRepair && bytes && Buffer.compare(encoded, bytes) === 0)) continue
        const place = manifest.blocks.get(column)?.get(chunk)
        if (place) removals.push(...blockKeys(of, model, one, place))
        const generation = newGeneration()
        const parts = blockItems(of, model, one, generation, encoded)
        puts.push(...parts)
        const chunks = blocks.get(column) ?? new Map()
        blocks.set(column, chunks.set(chunk, [generation, parts.length, encoded.length]))
      }
    }
    return { blocks, puts, removals, touched: [...byChunk.keys()] }
  }

  function folding(before: Vector | undefined, column: string, rows: readonly LogRow[]): Vector | undefined {
    let vector = before
    for (const { id } of rows) {
      const row = folded.get(id) as LogRow
      vector = setValue(vector, positionOf(id), column === stampColumn ? stampOf(row) : valueIn(row, column))
    }
    return vector
  }

  function foldWords(table: SearchedTable, chunks: readonly number[], puts: (Item & Key)[]) {
    const foldChunk = async (chunk: number) => {
      const rows = [...folded.values()].filter(({ id, isGone }) => chunkOf(id) === chunk && !isGone)
      const wordsByPosition = new Map(
        rows.map((row) => [positionOf(row.id), wordsOf(table, (name) => valueIn(row, name))]),
      )
      const generation = newGeneration()
      const leaves = (await buildLeaves(wordsByPosition)).map(({ first, bytes }, number): LeafPlace => {
        puts.push({ ...blockKey(of, model, chunk, '~', generation, number), b: bytes })
        return [first, generation, number]
      })
      return [chunk, { config: wordConfig(table), leaves }] as const
    }
    return Promise.all(chunks.map(foldChunk))
  }

  return { append, fold, repair, leaveOut, rebuildWords }
}

const newGeneration = (): string => randomUUID().slice(0, 8)
