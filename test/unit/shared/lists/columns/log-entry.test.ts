import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  emptyLog,
  logItem,
  type LogRow,
  packedRow,
  packRows,
  readLogItem,
  stampOf,
} from '../../../../../shared/lists/columns/log-entry.ts'
import { goneRow, rowOfRecord } from '../../../../../shared/lists/columns/row-of-record.ts'
import type { Value } from '../../../../../shared/lists/columns/scalar.ts'

const tenant = { id: 7 }
const living = (id: number, version: number, values: Record<string, Value>): LogRow => ({
  id,
  version,
  isGone: false,
  values: new Map(Object.entries(values)),
})
const itemsOf = (rows: readonly LogRow[]) => {
  let head = emptyLog
  return packRows(rows).map((packed) => {
    const item = logItem(tenant, 'requests', head, packed, 'w')
    head = readLogItem(item)
    return item
  })
}
const noise = (bytes: number): string => randomBytes(bytes).toString('base64url')

/** So many characters, drawn from these. */
const chosen = (from: string, length: number): string =>
  [...randomBytes(length * 2)]
    .flatMap((byte) => (byte < Math.floor(256 / from.length) * from.length ? [from[byte % from.length]] : []))
    .slice(0, length)
    .join('')

/** The rows of an entry, with maps as the rows that were packed have them. */
const rowsOf = (item: Parameters<typeof readLogItem>[0]) =>
  readLogItem(item).rows.map((row) => ({ ...row, values: new Map(row.values) }))

describe('an entry of the log', () => {
  it('answers the rows that it was made of, with missing values left out', () => {
    const rows = [
      living(1, 3, { title: 'Printer', files: ['a', 'b'], price: 1.5, urgent: false }),
      goneRow(2, 4),
      living(3, 1, { title: '', constructor: 'x' }),
    ]
    const [item, ...more] = itemsOf(rows)
    expect(more).toEqual([])
    expect(readLogItem(item!)).toMatchObject({ seq: 1, n: 3 })
    expect(rowsOf(item!)).toEqual(rows)
    expect(typeof item!.rows).toBe('string')
  })

  it('of a large row names its own columns only, so that others in its batch cannot make it too large', () => {
    // What a tenant can do: fields that were retired, with names that do not compress, and a text that does not either.
    const names = Array.from({ length: 3200 }, () => `c${chosen('abcdefghijklmnopqrstuvwxyz0123456789_', 62)}`)
    const many = names.map((name, n) => living(n + 1, 1, { [name]: 'x' }))
    const printable = Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n))
      .join('')
      .replace(/["\\]/g, '')
    const large = living(5000, 1, { text: chosen(printable, 350_000) })
    const items = itemsOf([...many, large])
    for (const item of items) expect(Buffer.byteLength(item.rows as string | Uint8Array)).toBeLessThan(399 * 1024)
    expect(items.flatMap(rowsOf)).toEqual([...many, large])
    expect(readLogItem(items.at(-1)!).n).toBe(3201)
  })

  it('is compressed when it is long', () => {
    const rows = Array.from({ length: 100 }, (_, id) => living(id, 1, { title: `Printer ${id}`, status: 'open' }))
    const [item] = itemsOf(rows)
    expect((item!.rows as Uint8Array).length).toBeLessThan(1500)
    expect(rowsOf(item!)).toEqual(rows)
  })

  it('is split when it is large, and counts rows and bytes on', () => {
    const rows = Array.from({ length: 10 }, (_, id) => living(id, 1, { note: noise(75_000) }))
    const entries = itemsOf(rows).map(readLogItem)
    expect(entries.map(({ seq, n }) => [seq, n])).toEqual(entries.map((_, index) => [index + 1, entries[index]!.n]))
    expect(entries.at(-1)!.n).toBe(10)
    expect(entries.at(-1)!.size).toBeGreaterThan(740_000)
    expect(itemsOf(rows).flatMap(rowsOf)).toEqual(rows)
    for (const item of itemsOf(rows)) expect((item.rows as Uint8Array).length).toBeLessThan(250 * 1024)
  })

  it.each([
    ['base64 that does not compress further', () => noise(268_000)],
    ['random characters outside the basic plane', () => randomText(350 * 1024, 0x10000, 0x10ffff, 4)],
    ['random characters of three bytes', () => randomText(350 * 1024, 0x800, 0xd7ff, 3)],
    ['random control characters, which JSON escapes', () => randomText(350 * 1024, 14, 31, 6)],
  ])('fits into an item with the largest record there may be: %s', (_, text) => {
    const data = JSON.stringify({ note: text() })
    expect(Buffer.byteLength(data)).toBeGreaterThan(348 * 1024)
    expect(Buffer.byteLength(data)).toBeLessThanOrEqual(350 * 1024)
    const row = rowOfRecord({
      sk: '000000000001',
      version: 1,
      created_by: 1,
      updated_by: 1,
      created_at: '2026-11-20T08:00:00.000Z',
      updated_at: '2026-11-20T08:00:00.000Z',
      data,
    })
    const [item] = itemsOf([row])
    expect((item!.rows as Uint8Array).length).toBeLessThan(352 * 1024)
    expect(rowsOf(item!)).toEqual([row])
  })
})

/** Random text whose JSON takes almost so many bytes. */
function randomText(bytes: number, from: number, to: number, bytesEach: number): string {
  const count = Math.floor((bytes - 200) / bytesEach)
  return Array.from({ length: count }, () => String.fromCodePoint(from + Math.floor(Math.random() * (to - from)))).join(
    '',
  )
}

describe('the row of a record', () => {
  const item = {
    sk: '000000000042',
    version: 5,
    created_by: 1,
    updated_by: 2,
    created_at: '2026-11-20T08:00:00.000Z',
    updated_at: '2026-11-20T09:00:00.000Z',
    data: '{"title":"Printer","note":null,"place":{"lat":1,"lng":2},"files":["a","b"]}',
  }

  it('has the standard columns and every value of the record', () => {
    const { values, ...row } = rowOfRecord(item)
    expect(row).toEqual({ id: 42, version: 5, isGone: false })
    expect(Object.fromEntries(values)).toEqual({
      created_by: 1,
      updated_by: 2,
      created_at: '2026-11-20T08:00:00.000Z',
      updated_at: '2026-11-20T09:00:00.000Z',
      title: 'Printer',
      place: expect.stringMatching(/^[0-9a-f]{16},[0-9a-f]{16}$/),
      files: ['a', 'b'],
    })
  })

  it('is gone for a record that is being deleted', () => {
    expect(rowOfRecord({ ...item, deleted_at: '2026-11-20T10:00:00.000Z' })).toEqual(goneRow(42, 5))
  })

  it('has a greater stamp the newer its state is', () => {
    const states = [goneRow(1, 2), living(1, 3, {}), goneRow(1, 3), living(1, 4, {})]
    expect(states.map(stampOf)).toEqual([5, 6, 7, 8])
  })
})

it('a packed row has the values of the row, whatever columns other rows have', () => {
  const rows = [
    living(1, 3, { title: 'Printer', files: ['a', 'b'], price: 1.5 }),
    living(2, 1, { price: 2, title: 'Lamp' }),
    living(3, 1, { title: 'Door', price: 3 }),
    goneRow(4, 4),
  ]
  const packed = rows.map(packedRow)
  expect(packed.map((row) => ({ ...row, values: new Map(row.values) }))).toEqual(rows)
  expect(packed.map(({ values }) => values.get('price'))).toEqual([1.5, 2, 3, undefined])
  expect(packed[0]?.values.get('unknown')).toBeUndefined()
})
