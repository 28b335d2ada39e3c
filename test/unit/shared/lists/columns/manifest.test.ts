import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blockItems, readBlocks } from '../../../../../shared/lists/columns/blocks.ts'
import {
  type BlockPlace,
  emptyManifest,
  type Manifest,
  manifestItems,
  readManifest,
} from '../../../../../shared/lists/columns/manifest.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const tenant = { id: 7 }
const model = 'requests'
let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single.close())

const generation = () => randomBytes(4).toString('hex')
const manifest: Manifest = {
  rev: 3,
  folded: 12,
  n: 400,
  size: 9000,
  checked: '2026-11-20T08:00:00.000Z',
  live: 390,
  blocks: new Map([
    [
      '#v',
      new Map<number, BlockPlace>([
        [0, ['aaaaaaaa', 1, 90]],
        [7, ['bbbbbbbb', 1, 80]],
      ]),
    ],
    ['constructor', new Map([[7, ['bbbbbbbb', 3, 1_000_000]]])],
  ]),
  words: new Map([[0, { config: 'title:3', leaves: [['abc', 'aaaaaaaa', 0] as const] }]]),
  leftOut: new Set(['note+']),
}
/** A table of so many fields and chunks, each block of a fold of its own, with 40 leaves of words a chunk. */
const largeManifest = (fields: number, chunks: number): Manifest => ({
  ...manifest,
  blocks: new Map(
    Array.from({ length: fields }, (_, field) => [
      `field_number_${field}`,
      new Map(
        Array.from({ length: chunks }, (_unused, chunk) => [
          chunk,
          [generation(), 1, Math.floor(Math.random() * 40_000)] as const,
        ]),
      ),
    ]),
  ),
  words: new Map(
    Array.from({ length: chunks }, (_, chunk) => [
      chunk,
      {
        config: 'title:3 note:1',
        leaves: Array.from({ length: 40 }, (_unused, leaf) => [generation(), generation(), leaf] as const),
      },
    ]),
  ),
})

async function write(one: Manifest, by: string, inlineBytes?: number) {
  const { item, parts } = manifestItems(tenant, model, one, { generation: by, writeId: 'w', inlineBytes })
  await single.store.putMany(tenant, parts)
  await single.store.write(tenant, { put: item })
  return { item, parts }
}

describe('the manifest of a table', () => {
  it('is empty before the first fold', async () => {
    expect(await readManifest(single.store, tenant, 'clients')).toEqual(emptyManifest)
  })

  it('is read as it was written', async () => {
    await write(manifest, 'cccccccc')
    expect(await readManifest(single.store, tenant, model)).toEqual(manifest)
  })

  it('fits into one item with 200 fields of a million records', async () => {
    const large = largeManifest(200, 61)
    const { item, parts } = await write(large, 'cccccccc')
    expect(parts).toEqual([])
    expect((item.m as Uint8Array).length).toBeLessThan(250 * 1024)
    expect(await readManifest(single.store, tenant, model)).toEqual(large)
  })

  it('is in parts when it does not fit into one item', async () => {
    const large = largeManifest(200, 400)
    const { parts } = await write(large, 'dddddddd')
    expect(parts.length).toBeGreaterThan(1)
    const stored = { generation: 'dddddddd', parts: parts.length }
    expect(await readManifest(single.store, tenant, model)).toEqual({ ...large, stored })
  })

  it('is read again when a switch removed its parts meanwhile', async () => {
    const { parts } = await write(manifest, 'eeeeeeee', 10)
    let reads = 0
    const store = single.storeThrough(async (operation, call) => {
      if (operation === 'BatchGetItem' && reads++ === 0) {
        await write({ ...manifest, rev: 4 }, 'ffffffff', 10)
        await single.store.writeMany(tenant, [], parts)
      }
      return call()
    })
    expect(await readManifest(store, tenant, model)).toMatchObject({ ...manifest, rev: 4 })
    expect(reads).toBe(2)
  })

  it('is an error when a part of the current one is missing', async () => {
    const { parts } = await write(manifest, 'eeeeeeee', 10)
    await single.store.writeMany(tenant, [], parts)
    await expect(readManifest(single.store, tenant, model)).rejects.toThrow('a part of the column manifest of requests')
  })
})

describe('blocks', () => {
  const bytes = { small: randomBytes(100), large: randomBytes(1_000_000) }
  const withBlocks: Manifest = {
    ...emptyManifest,
    blocks: new Map([
      ['#v', new Map([[0, ['aaaaaaaa', 1, 100] as const]])],
      [
        'note',
        new Map([
          [0, ['aaaaaaaa', 3, 1_000_000] as const],
          [1, ['aaaaaaaa', 1, 100] as const],
        ]),
      ],
    ]),
  }
  const wanted = ['#v', 'note', 'other'].flatMap((column) => [0, 1].map((chunk) => ({ column, chunk })))
  beforeAll(() =>
    single.store.putMany(tenant, [
      ...blockItems(tenant, model, { column: '#v', chunk: 0 }, 'aaaaaaaa', bytes.small),
      ...blockItems(tenant, model, { column: 'note', chunk: 0 }, 'aaaaaaaa', bytes.large),
    ]),
  )

  it('are undefined together when one of them was replaced', async () => {
    expect(await readBlocks(single.store, tenant, model, withBlocks, wanted)).toBeUndefined()
  })

  it('are read in as many parts as they have, and those that do not exist are left out', async () => {
    await single.store.putMany(tenant, blockItems(tenant, model, { column: 'note', chunk: 1 }, 'aaaaaaaa', bytes.small))
    const blocks = await readBlocks(single.store, tenant, model, withBlocks, wanted)
    expect([...(blocks as Map<string, Uint8Array>).keys()]).toEqual(['#v#0', 'note#0', 'note#1'])
    expect(Buffer.compare(blocks!.get('note#0')!, bytes.large)).toBe(0)
    expect(Buffer.compare(blocks!.get('note#1')!, bytes.small)).toBe(0)
  })

  it('are read strongly consistent only when an eventually consistent read did not find them', async () => {
    let reads = 0
    const late = {
      ...single.store,
      getMany: async (...[scope, keys, attributes, options]: Parameters<typeof single.store.getMany>) => {
        reads += 1
        return options?.consistent === false && reads === 1
          ? keys.map(() => undefined)
          : single.store.getMany(scope, keys, attributes, options)
      },
    }
    const read = () => readBlocks(late, tenant, model, withBlocks, [{ column: '#v', chunk: 0 }])
    expect((await read())?.size).toBe(1)
    expect(reads).toBe(2)
    expect((await read())?.size).toBe(1)
    expect(reads).toBe(3)
  })
})
