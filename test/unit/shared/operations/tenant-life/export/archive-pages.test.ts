import { expect, it, vi } from 'vitest'
import { archivePages, type Counts } from '../../../../../../shared/operations/tenant-life/export/archive-pages.ts'

function pagesInMemory() {
  const written: { name: string; text: string }[] = []
  const counts: Counts = {}
  const add = async (name: string, content: unknown) => {
    written.push({ name, text: String(content) })
    return { name, sizeBytes: String(content).length, sha256: '' }
  }
  return { written, counts, pages: archivePages({ add }, counts) }
}

it('packed rows are unpacked one after the other, when they are written', async () => {
  const { written, counts, pages } = pagesInMemory()
  let open = 0
  const json = vi.fn<() => Promise<string>>(async () => {
    open += 1
    expect(open).toBe(1)
    await Promise.resolve()
    open -= 1
    return '{"a":1}'
  })
  await pages.add({ file: 'messages', rows: [{ json }, { b: 2 }, { json }] })
  expect(written).toEqual([])
  await pages.flush()
  expect(written).toEqual([{ name: 'messages-0001.ndjson', text: '{"a":1}\n{"b":2}\n{"a":1}\n' }])
  expect(counts).toEqual({ messages: { rows: 3, files: 1 } })
})

it('what waits of many files stays small: the longest is written first, and no row is lost', async () => {
  const { written, counts, pages } = pagesInMemory()
  const text = 'x'.repeat(1_000_000)
  let most = 0
  for (let round = 0; round < 3; round += 1)
    for (let file = 0; file < 30; file += 1) {
      await pages.add({ file: `history/t${file}`, rows: [{ text }] })
      const waiting = (round * 30 + file + 1) * text.length - written.reduce((sum, one) => sum + one.text.length, 0)
      most = Math.max(most, waiting)
    }
  await pages.flush()
  expect(most).toBeLessThan(18_000_000)
  expect(Object.values(counts).map(({ rows }) => rows)).toEqual(Array(30).fill(3))
  expect(written.map(({ text: lines }) => lines.split('\n').length - 1).reduce((a, b) => a + b)).toBe(90)
})
