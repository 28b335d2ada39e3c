import type { SimpleTest } from '../../../tables/formulas/unary-tests.ts'
import type { DecisionTable, InputColumn, Rule, TestCell } from './model.ts'

/** Values that a cell lets pass; undefined: any. `unknown`: only FEEL can tell. */
type Region = readonly SimpleTest[] | undefined | 'unknown'

/** Comparisons of tests in one table. Beyond, nothing more is proved. */
const maxComparisons = 3_000_000
const maxReported = 10

class TooMany extends Error {}

interface Compared {
  /** Rules that match at the same time although the table is UNIQUE. */
  readonly problems: readonly string[]
  /** Rules that never match, or whose result is never used. */
  readonly warnings: readonly string[]
}

/** Finds what can be proved of the rules of a table without evaluating it. */
export function compareRules(table: DecisionTable): Compared {
  const { hitPolicy, inputs, rules } = table
  const problems: string[] = []
  const warnings: string[] = []
  const allowed = inputs.map(({ allowed: cell }) => regionOf(cell ?? null))
  const regions = rules.map(({ when }) => when.map(regionOf))
  const work = { left: maxComparisons }
  try {
    for (const [index, rule] of rules.entries()) {
      const column = inputs.findIndex((input, at) => isEmpty(regions[index]?.[at], allowed[at], input, work))
      if (column !== -1)
        warnings.push(
          `${called(rules, index)} never matches: the input ${inputs[column]?.label} is never ${rule.when[column]?.text}.`,
        )
    }
    for (let later = 0; later < rules.length; later++) {
      for (let earlier = 0; earlier < later; earlier++) {
        const [one, other] = [regions[earlier] ?? [], regions[later] ?? []]
        if (hitPolicy === 'UNIQUE' && problems.length < maxReported) {
          const example = overlap(one, other, { inputs, allowed, work })
          if (example !== undefined)
            problems.push(
              `Rules ${earlier + 1} and ${later + 1} overlap, and in a table with the hit policy UNIQUE one rule matches at most${example}. Change one of them, or the hit policy.`,
            )
        } else if (hitPolicy === 'FIRST' && coversAll(one, other, work)) {
          warnings.push(`${called(rules, later)} is never reached: rule ${earlier + 1} matches whenever it does.`)
          break
        }
      }
    }
  } catch (error) {
    if (!(error instanceof TooMany)) throw error
  }
  return { problems, warnings: warnings.slice(0, maxReported) }
}

const called = (rules: readonly Rule[], index: number): string => {
  const id = rules[index]?.id ?? ''
  return id === `rule-${index + 1}` ? `Rule ${index + 1}` : `Rule ${index + 1} (${id})`
}

const regionOf = (cell: TestCell | null): Region =>
  cell === null ? undefined : cell.isNegated || cell.tests === undefined ? 'unknown' : cell.tests

interface Columns {
  readonly inputs: readonly InputColumn[]
  readonly allowed: readonly Region[]
  readonly work: { left: number }
}

/** For example with which inputs both match; undefined when that cannot be proved. */
function overlap(
  one: readonly Region[],
  other: readonly Region[],
  { inputs, allowed, work }: Columns,
): string | undefined {
  const examples: string[] = []
  for (const [at, input] of inputs.entries()) {
    const common = intersection([one[at], other[at], allowed[at]], input, work)
    if (common === 'unknown' || common?.length === 0) return undefined
    if (common?.[0] !== undefined && !(one[at] === undefined && other[at] === undefined))
      examples.push(`${input.label} = ${JSON.stringify(sampleOf(common[0], input))}`)
  }
  return examples.length === 0 ? '' : ` (for example with ${examples.join(', ')})`
}

const isEmpty = (region: Region, allowed: Region, input: InputColumn, work: Columns['work']): boolean =>
  region !== undefined && intersection([region, allowed], input, work)?.length === 0

function intersection(
  regions: readonly Region[],
  input: InputColumn,
  work: Columns['work'],
): readonly SimpleTest[] | undefined | 'unknown' {
  if (regions.includes('unknown')) return 'unknown'
  let common: readonly SimpleTest[] | undefined
  for (const region of regions as readonly (readonly SimpleTest[] | undefined)[]) {
    if (region === undefined) continue
    const before = common
    common =
      before === undefined
        ? region.filter((test) => hasValue(test, input))
        : (before.flatMap((a) => {
            spend(work, region.length)
            return region.map((b) => meet(a, b)).filter((test) => test !== undefined && hasValue(test, input))
          }) as readonly SimpleTest[])
  }
  return common
}

function spend(work: Columns['work'], count: number): void {
  work.left -= count
  if (work.left < 0) throw new TooMany()
}

type Range = Extract<SimpleTest, { is: 'range' }>

function meet(a: SimpleTest, b: SimpleTest): SimpleTest | undefined {
  if (a.is === 'value') return isIn(a.value, b) ? a : undefined
  if (b.is === 'value') return isIn(b.value, a) ? b : undefined
  const from = tighter(a.from, b.from, (x, y) => x > y)
  const to = tighter(a.to, b.to, (x, y) => x < y)
  return { is: 'range', ...(from && { from }), ...(to && { to }) }
}

function isIn(value: unknown, test: SimpleTest): boolean {
  if (test.is === 'value') return value === test.value
  if (typeof value !== 'number') return false
  const { from, to } = test
  return (
    (from === undefined || value > from.at || (value === from.at && !from.isOpen)) &&
    (to === undefined || value < to.at || (value === to.at && !to.isOpen))
  )
}

function tighter(a: Range['from'], b: Range['from'], isTighter: (x: number, y: number) => boolean): Range['from'] {
  if (a === undefined || b === undefined) return a ?? b
  if (a.at === b.at) return a.isOpen ? a : b
  return isTighter(a.at, b.at) ? a : b
}

/** Whether some value of the column passes. */
function hasValue(test: SimpleTest, { isWhole }: InputColumn): boolean {
  if (test.is === 'value') return !isWhole || typeof test.value !== 'number' || Number.isInteger(test.value)
  const { from, to } = test
  if (from === undefined || to === undefined) return true
  if (isWhole) return firstWhole(from) <= lastWhole(to)
  return from.at < to.at || (from.at === to.at && !from.isOpen && !to.isOpen)
}

const firstWhole = ({ at, isOpen }: NonNullable<Range['from']>): number =>
  isOpen && Number.isInteger(at) ? at + 1 : Math.ceil(at)
const lastWhole = ({ at, isOpen }: NonNullable<Range['from']>): number =>
  isOpen && Number.isInteger(at) ? at - 1 : Math.floor(at)

/** A value that passes. */
function sampleOf(test: SimpleTest, { isWhole }: InputColumn): unknown {
  if (test.is === 'value') return test.value
  const { from, to } = test
  if (from === undefined) return to === undefined ? 0 : isWhole || to.isOpen ? lastWhole(to) - (isWhole ? 0 : 1) : to.at
  if (!from.isOpen && !isWhole) return from.at
  if (isWhole || to === undefined) return firstWhole(from)
  return (from.at + to.at) / 2
}

/** Whether every value that passes `inner` passes `outer`, as far as that can be proved. */
function covers(outer: Region, inner: Region, work: Columns['work']): boolean {
  if (outer === undefined) return true
  if (outer === 'unknown' || inner === 'unknown' || inner === undefined) return false
  spend(work, outer.length * inner.length)
  return inner.every((test) => outer.some((one) => contains(one, test)))
}

const coversAll = (outer: readonly Region[], inner: readonly Region[], work: Columns['work']): boolean => {
  spend(work, 1)
  return outer.every((region, at) => covers(region, inner[at], work))
}

function contains(outer: SimpleTest, inner: SimpleTest): boolean {
  if (inner.is === 'value') return isIn(inner.value, outer)
  if (outer.is === 'value') return false
  const starts =
    outer.from === undefined ||
    (inner.from !== undefined &&
      (inner.from.at > outer.from.at || (inner.from.at === outer.from.at && (inner.from.isOpen || !outer.from.isOpen))))
  const ends =
    outer.to === undefined ||
    (inner.to !== undefined &&
      (inner.to.at < outer.to.at || (inner.to.at === outer.to.at && (inner.to.isOpen || !outer.to.isOpen))))
  return starts && ends
}
