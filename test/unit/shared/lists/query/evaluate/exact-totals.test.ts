import { expect, it } from 'vitest'
import { formatDecimal } from '../../../../../../shared/kernel/text/decimal.ts'
import { chunkIds } from '../../../../../../shared/lists/columns/chunk.ts'
import type { KeySource } from '../../../../../../shared/lists/query/evaluate/keys/key-source.ts'
import { measuring } from '../../../../../../shared/lists/query/evaluate/measures.ts'
import { seeded } from '../../../../../make/builders/lists/query-records.ts'

const records = 100_000
const scale = 2

/** Numbers of up to 36 digits of both signs, with none for every eleventh record. */
function unscaledValues(): (bigint | undefined)[] {
  const random = seeded(7)
  return Array.from({ length: records }, (_, id) => {
    if (id % 11 === 0) return undefined
    const digits = Array.from({ length: 1 + random(4) }, () => String(random(1_000_000_000)).padStart(9, '0')).join('')
    return BigInt(digits) * (random(2) ? 1n : -1n)
  })
}

it('sums 100,000 decimals of each group exactly', async () => {
  const unscaled = unscaledValues()
  const texts = unscaled.map((one) => (one === undefined ? undefined : formatDecimal({ unscaled: one, scale })))
  const source: KeySource = {
    ready: () => undefined,
    read: () => {},
    isExact: false,
    scale,
    keyOf: Number,
    valuesOf: (ids) => Array.from(ids, (id) => texts[id]),
  }
  const taking = measuring(['sum', 'avg'], source)
  const groups = 3
  const totals = Array.from({ length: groups }, () => 0n)
  for (let chunk = 0; chunk * chunkIds < records; chunk += 1) {
    const first = chunk * chunkIds
    const positions = Uint16Array.from({ length: Math.min(chunkIds, records - first) }, (_, at) => at)
    const ofRecords = Uint32Array.from(positions, (position) => (first + position) % groups)
    await taking.add(chunk, positions, new Float64Array(positions.length), ofRecords, groups)
  }
  for (const [id, one] of unscaled.entries()) totals[id % groups]! += one ?? 0n
  expect(await taking.resultsOf('sum', [0, 1, 2])).toEqual(
    totals.map((total) => formatDecimal({ unscaled: total, scale })),
  )
  taking.release()
})
