import { describe, expect, it } from 'vitest'
import {
  formerTable,
  publicTable,
  type RenamedTables,
  storedTable,
  storedTableInScript,
  withoutTable,
  withPublicNames,
  withTableName,
} from '../../../../shared/kernel/table-names.ts'

const nowMs = Date.parse('2026-03-01T00:00:00Z')
const days = (count: number): number => nowMs + count * 24 * 3_600_000
const rename = (names: RenamedTables | undefined, stored: string, was: string, name: string, at = nowMs) =>
  withTableName(names, { stored, name, was, nowMs: at })
const of = (renamedTables: RenamedTables | undefined) => ({ renamedTables })

describe('names of tables', () => {
  it('are the stored ones while nothing was renamed', () => {
    expect([storedTable({}, 'cats'), publicTable({}, 'cats'), formerTable({}, 'cats', nowMs)]).toEqual([
      'cats',
      'cats',
      undefined,
    ])
  })

  it('lead to the table that has them, and back', () => {
    const names = of(rename(undefined, 'cats', 'cats', 'dogs'))
    expect([storedTable(names, 'dogs'), publicTable(names, 'cats')]).toEqual(['cats', 'dogs'])
    expect([storedTable(names, 'birds'), publicTable(names, 'birds')]).toEqual(['birds', 'birds'])
  })

  it('never lead to the table that is only stored under them', () => {
    let names = rename(undefined, 'cats', 'cats', 'dogs')
    expect(storedTable(of(names), 'cats')).toBe('cats~2')
    expect(storedTable(of(names), 'cats~2')).toBe('cats~2')
    expect(publicTable(of(names), 'cats~2')).toBe('cats')
    names = withTableName(names, { stored: 'cats~2', name: 'cats', nowMs })
    names = rename(names, 'cats~2', 'cats', 'birds')
    expect([storedTable(of(names), 'birds'), storedTable(of(names), 'cats')]).toEqual(['cats~2', 'cats~3'])
  })

  it('lead to their former table for 30 days, unless another table has them', () => {
    const names = rename(undefined, 'cats', 'cats', 'dogs')
    expect(formerTable(of(names), 'cats', days(29))).toEqual({ table: 'cats', until: '2026-03-31T00:00:00.000Z' })
    expect(formerTable(of(names), 'cats', days(30))).toBeUndefined()
    expect(storedTableInScript(of(names), 'cats', days(29))).toBe('cats')
    expect(storedTableInScript(of(names), 'cats', days(31))).toBe('cats~2')
    const taken = withTableName(names, { stored: 'cats~2', name: 'cats', nowMs: days(1) })
    expect(formerTable(of(taken), 'cats', days(2))).toBeUndefined()
    expect(storedTableInScript(of(taken), 'cats', days(2))).toBe('cats~2')
  })

  it('lead to the latest name through several, and back to the first', () => {
    let names = rename(undefined, 'cats', 'cats', 'dogs')
    names = rename(names, 'cats', 'dogs', 'birds')
    for (const former of ['cats', 'dogs']) expect(formerTable(of(names), former, nowMs)?.table).toBe('cats')
    names = rename(names, 'cats', 'birds', 'cats')
    expect(storedTable(of(names), 'cats')).toBe('cats')
    expect(names?.names).toEqual({})
    expect(Object.keys(names?.former ?? {}).toSorted()).toEqual(['birds', 'dogs'])
  })

  it('are forgotten with the table, and when their time is over', () => {
    const names = rename(undefined, 'cats', 'cats', 'dogs') as RenamedTables
    expect(withoutTable(names, 'cats', nowMs)).toBeUndefined()
    const back = rename(names, 'cats', 'dogs', 'cats') as RenamedTables
    expect(rename(back, 'birds', 'birds', 'finches', days(40))?.former).toEqual({
      birds: { table: 'birds', until: expect.stringMatching(/^2026-05-10/) },
    })
  })

  it('keep the 200 latest former names', () => {
    let names: RenamedTables | undefined
    for (let number = 0; number < 205; number += 1)
      names = rename(names, 'cats', `n${number}`, `n${number + 1}`, nowMs + number * 1000)
    expect(Object.keys(names?.former ?? {})).toHaveLength(200)
    expect(formerTable(of(names), 'n204', nowMs)?.table).toBe('cats')
    expect(formerTable(of(names), 'n0', nowMs)).toBeUndefined()
  })

  it('stand in messages where these speak of tables', () => {
    const names = of(rename(undefined, 'requests', 'requests', 'tickets'))
    for (const [stored, shown] of [
      ['There is no table requests.', 'There is no table tickets.'],
      ['There is no field a in requests. Did you mean b?', 'There is no field a in tickets. Did you mean b?'],
      ['You need the permission requests.update.', 'You need the permission tickets.update.'],
      ['tables.requests.table_fields.0', 'tables.tickets.table_fields.0'],
      ['Too many requests. Try again in 5 seconds.', 'Too many requests. Try again in 5 seconds.'],
      ['The requests field is required.', 'The requests field is required.'],
      ['There is no table requests~2.', 'There is no table requests.'],
    ] as const)
      expect(withPublicNames(names, stored)).toBe(shown)
  })
})
