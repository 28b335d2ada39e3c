import { describe, expect, it } from 'vitest'
import {
  answerChanges,
  type Change,
  listChanges,
  noChanges,
} from '../../../../../shared/operations/configuration/apply/list-changes.ts'

const created = (n: number): Change => ({ path: `tables.t${n}`, isNew: true, lines: [] })
const changed = (n: number, lines: number): Change => ({
  path: `tables.t${n}`,
  isNew: false,
  lines: Array.from({ length: lines }, (_, line) => `label: ${n} → ${line}`),
})
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

describe('the changes of a configuration', () => {
  it('are listed whole, without a note, while they fit', () => {
    const given = [created(1), changed(2, 2), { path: 'tables.t3', isNew: false, lines: [] }]
    expect(answerChanges(listChanges(noChanges, given, 10_000))).toEqual({
      created: ['tables.t1'],
      changed: ['tables.t2'],
      unchanged: 1,
      differences: { 'tables.t2': ['label: 2 → 0', 'label: 2 → 1'] },
    })
  })

  it('stay within their bytes, and the note says exactly what is left out', () => {
    const given = [...numbers(300).map((n) => changed(n, 20)), ...numbers(1000).map(created)]
    const answer = answerChanges(listChanges(noChanges, given, 10_000))
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(20_000)
    const lines = Object.values(answer.differences).flat().length
    expect(answer.note).toBe(
      `Too many to list, so left out: ${1000 - answer.created.length} created, ${6000 - lines} lines of differences.`,
    )
    expect([answer.changed.length, lines]).toEqual([300, expect.any(Number)])
    expect(lines).toBeGreaterThan(0)
  })

  it('are the same whether they come at once or piece by piece', () => {
    const given = [...numbers(50).map((n) => changed(n, 5)), ...numbers(50).map(created)]
    const pieces = given.reduce((list, one) => listChanges(list, [one], 3000), noChanges)
    expect(pieces).toEqual(listChanges(noChanges, given, 3000))
  })
})
