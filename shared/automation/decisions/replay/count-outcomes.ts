import { Fault } from '../../../kernel/failures/faults.ts'
import type { DecisionModel } from '../definition/model.ts'
import type { EvaluateModel } from '../evaluate/evaluate-version.ts'
import type { Outcomes } from '../schema.ts'

type FlatRecord = Readonly<Record<string, unknown>>

const maxExamples = 5
const maxFailures = 10
const maxResults = 20

/** What was counted so far. Jobs keep it between their steps, so its members are a stored format. */
export interface Counted {
  readonly rules: readonly { readonly id: string; readonly matched: number; readonly records: readonly number[] }[]
  readonly no_match: Outcomes['no_match']
  readonly failed: Outcomes['failed']
  readonly results: readonly (readonly [key: string, entry: { readonly result: unknown; readonly count: number }])[]
}

/** A job keeps its counts in a row: it tells so many different results apart, and cuts long ones. */
export interface ResultBounds {
  readonly maxDifferent: number
  readonly maxCharacters: number
}

/** Counts what a model answers, from what was counted before on. */
export function openCount(model: DecisionModel, evaluate: EvaluateModel, before?: Counted, bounds?: ResultBounds) {
  const last = model.decisions.at(-1)?.logic
  const rules = new Map(
    (last?.is === 'table' ? last.rules : []).map(({ id }, index) => {
      const { matched = 0, records = [] } = before?.rules[index] ?? {}
      return [id, { id, matched, records: [...records] }]
    }),
  )
  const noMatch = { count: 0, records: [] as number[], ...structuredClone(before?.no_match) }
  const failed = { count: 0, records: [] as { id: number; message: string }[], ...structuredClone(before?.failed) }
  const results = new Map<string, { result: unknown; count: number }>(before?.results)

  return {
    /** The result; a message when there is none. */
    add(id: number, given: FlatRecord): unknown {
      try {
        const answer = evaluate(model, given)
        for (const rule of answer.rules) count(rules.get(rule), id)
        if (answer.rules.length === 0 && last?.is === 'table') {
          noMatch.count += 1
          if (noMatch.records.length < maxExamples) noMatch.records.push(id)
        }
        const result = bounds ? cut(answer.result, bounds.maxCharacters) : answer.result
        const key = JSON.stringify(result)
        const known = results.get(key) ?? { result, count: 0 }
        if (known.count > 0 || results.size < (bounds?.maxDifferent ?? Infinity))
          results.set(key, { ...known, count: known.count + 1 })
        return answer.result
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        failed.count += 1
        if (failed.records.length < maxFailures) failed.records.push({ id, message: error.message })
        return { error: error.message }
      }
    },
    counted: (): Counted => ({ rules: [...rules.values()], no_match: noMatch, failed, results: [...results] }),
    outcomes: (): Outcomes => ({
      rules: [...rules.values()],
      no_match: noMatch,
      failed,
      results: [...results.values()].toSorted((a, b) => b.count - a.count).slice(0, maxResults),
    }),
  }

  function count(rule: { matched: number; records: number[] } | undefined, id: number): void {
    if (rule === undefined) return
    rule.matched += 1
    if (rule.records.length < maxExamples) rule.records.push(id)
  }
}

/** A value, or the beginning of its text when that is longer. */
export function cut(value: unknown, maxCharacters: number): unknown {
  const text = JSON.stringify(value) as string | undefined
  return text === undefined || text.length <= maxCharacters ? value : `${text.slice(0, maxCharacters).toWellFormed()}…`
}
