import { describe, expect, it } from 'vitest'
import { columnTest } from '../../../../../../shared/lists/columns/predicate.ts'
import type { Value } from '../../../../../../shared/lists/columns/scalar.ts'
import { vectorOf } from '../../../../../../shared/lists/columns/vector/vector-of.ts'
import type { Vector } from '../../../../../../shared/lists/columns/vector/vector.ts'
import { all, narrowed } from './vector-values.ts'

describe('texts that are tested again and again', () => {
  const tests = [
    ...(['contains', 'starts', 'ends', 'same'] as const).flatMap((op) =>
      [true, false].flatMap((folded) => ['p', 'Printer 7', '', '9'].map((text) => ({ op, text, folded }) as const)),
    ),
    { op: 'present' } as const,
  ]
  const isSame = (vector: Vector, values: readonly Value[], step: number): void => {
    const given = Uint8Array.from(values, (_, i) => (i % step === 0 ? 1 : 0))
    for (const predicate of tests) {
      const own = given.slice()
      vector.narrow(own, columnTest(predicate))
      expect(Buffer.compare(own, Uint8Array.from(narrowed(values, given, predicate)))).toBe(0)
    }
  }

  it('are narrowed by what they are now, with few and with many changes in between', () => {
    const values = all(6_000, (i) => (i % 50 === 0 ? null : `Printer ${i}`)) as Value[]
    let vector = vectorOf(values)!
    const put = (position: number, value: Value): void => {
      values[position] = value
      vector = vector.set(position, value)
    }
    for (const [round, changes] of [0, 3, 300, 0, 5].entries()) {
      for (let n = 0; n < changes; n += 1) put((n * 37 + round) % 5_000, n % 3 === 0 ? null : `printer ${n} 9`)
      for (const step of [1, 3, 101]) isSame(vector, values, step)
    }
  })

  it('keep the answers to the latest tests, in little memory', () => {
    const vector = vectorOf(all(4_096, (i) => `Printer ${i}`))!
    const mask = new Uint8Array(4_096).fill(1)
    const before = vector.bytes
    for (let n = 0; n < 200; n += 0.5)
      vector.narrow(mask.slice(), columnTest({ op: 'contains', text: `${Math.floor(n)}`, folded: false }))
    expect(vector.bytes - before).toBeGreaterThan(512)
    expect(vector.bytes - before).toBeLessThan(32 * 1_024)
    const long = vector.bytes
    for (const text of ['x'.repeat(1_000), 'x'.repeat(1_000), 'asked for once'])
      vector.narrow(mask, columnTest({ op: 'contains', text, folded: false }))
    expect(vector.bytes).toBe(long)
  })
})
