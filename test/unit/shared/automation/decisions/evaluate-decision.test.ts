import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compileDecision } from '../../../../../shared/automation/decisions/definition/compile-decision.ts'
import { evaluateDecision } from '../../../../../shared/automation/decisions/evaluate/evaluate-decision.ts'
import { prepareCells } from '../../../../../shared/automation/decisions/evaluate/prepare-cells.ts'
import { openFeel } from '../../../../../shared/tables/formulas/service.ts'
import {
  dmnDocument,
  requirements,
  tableDecision,
  tableDocument,
  type TableSketch,
} from '../../../../make/builders/decision-document.ts'

const feel = await openFeel()

async function open(xml: string, now: () => number = () => 0) {
  const compiled = await compileDecision(xml, undefined)
  if ('problems' in compiled) throw new Error(compiled.problems.join(' '))
  const cells = prepareCells(feel)
  return (inputs: Readonly<Record<string, unknown>>) =>
    evaluateDecision(compiled.model, inputs, { feel, cells, now, called: 'The decision test' })
}
const answer = async (sketch: TableSketch, inputs: Readonly<Record<string, unknown>>) =>
  (await open(tableDocument(sketch)))(inputs).result

it.each<[string, string, unknown, boolean]>([
  ['string', '"a", "b"', 'b', true],
  ['string', 'not("a", "b")', 'c', true],
  ['string', 'not("a")', null, true],
  ['string', 'starts with(?, "a")', 'ab', true],
  ['string', 'null', null, true],
  ['number', ']1..5[', 1, false],
  ['number', '[1..5], 7', 7, true],
  ['number', '< 5', null, false],
  ['number', '? * 2 > 7 and ? < 9', 4, true],
  ['number', '0.3', 0.1 + 0.2, true],
  ['number', '12.5', '12.50', true],
  ['boolean', 'true', true, true],
  ['date', '[date("2026-01-01")..date("2026-12-31")]', '2026-06-01', true],
  ['date', '> date("2026-01-01")', '2025-06-01', false],
  ['time', '>= time("08:00:00")', '09:30:00', true],
  ['dateTime', '< date and time("2026-01-01T00:00:00Z")', '2025-12-31T23:59:59Z', true],
  ['dayTimeDuration', '> duration("PT4H")', 'P1D', true],
  ['yearMonthDuration', '< duration("P2Y")', 'P13M', true],
  ['Any', 'list contains(?, "a")', ['a', 'b'], true],
])('a %s passes %s: %j', async (type, cell, value, passes) => {
  const sketch = {
    hitPolicy: 'FIRST',
    inputs: [`v: ${type}`],
    outputs: [['x', '', 'false'] as const],
    rules: [[cell, 'true']],
  }
  expect(await answer(sketch, { v: value })).toBe(passes)
})

it('compares with other inputs, and answers what rules calculate', async () => {
  const sketch = { inputs: ['n: number'], outputs: ['x', 'y'], rules: [['> limit', 'n - limit', '"over"']] }
  expect(await answer(sketch, { n: 7, limit: 5 })).toEqual({ x: 2, y: 'over' })
})

it.each<[string, TableSketch, Readonly<Record<string, unknown>>, string]>([
  [
    'an input of another type',
    { inputs: ['n: number'], outputs: ['x'], rules: [] },
    { n: 'many' },
    'The decision test: the input "n" is "many", and must be a number.',
  ],
  [
    'an input that is not allowed',
    { inputs: [['s: string', '"a","b"']], outputs: ['x'], rules: [] },
    { s: 'c' },
    'The decision test: the input "s" is "c", and only "a","b" is allowed.',
  ],
  [
    'a result of another type',
    { inputs: ['n: number'], outputs: ['x: string'], rules: [['-', 'n']] },
    { n: 1 },
    'The decision test, rule 1 (decision_1): the output "x" is 1, and must be a string.',
  ],
  [
    'several rules under UNIQUE',
    {
      inputs: ['s: string'],
      outputs: ['x'],
      rules: [
        ['contains(?, "a")', '1'],
        ['contains(?, "b")', '2'],
      ],
    },
    { s: 'ab' },
    'The decision test: Rule 1 (decision_1) and rule 2 (decision_2) match, and the hit policy UNIQUE allows one.',
  ],
  [
    'several results under ANY',
    {
      hitPolicy: 'ANY',
      inputs: ['n: number'],
      outputs: ['x'],
      rules: [
        ['> 1', '1'],
        ['> 2', '2'],
      ],
    },
    { n: 3 },
    'The decision test: Rule 1 (decision_1) and rule 2 (decision_2) match with different results, and the hit policy ANY needs the same.',
  ],
])('names the rule or the column of %s', async (_, sketch, inputs, message) => {
  const evaluate = await open(tableDocument(sketch))
  expect(() => evaluate(inputs)).toThrow(message)
})

it('asks what a decision requires, by names with spaces and signs', async () => {
  const xml = dmnDocument([
    '<inputData id="i" name="Loan-Amount in total"><variable name="Loan-Amount in total" typeRef="number"/></inputData>',
    tableDecision({
      id: 'risk',
      inputs: ['Loan-Amount in total'],
      outputs: ['r'],
      rules: [
        ['> 100', '"high"'],
        ['<= 100', '"low"'],
      ],
    }),
    `<decision id="final" name="final">${requirements(['risk'])}<literalExpression><text>if risk = "high" then "Loan-Amount in total" else "ok"</text></literalExpression></decision>`,
  ])
  const evaluate = await open(xml)
  expect(evaluate({ 'Loan-Amount in total': 500 })).toEqual({
    result: 'Loan-Amount in total',
    rules: [],
    required: [{ id: 'risk', result: 'high', rules: ['risk_1'] }],
  })
  expect(evaluate({ 'Loan-Amount in total': 5 }).result).toBe('ok')
})

it('stops after its time, and says at which rule', async () => {
  let at = 0
  const evaluate = await open(
    tableDocument({
      inputs: ['n: number'],
      outputs: ['x'],
      rules: [
        ['1', '1'],
        ['2', '2'],
        ['3', '3'],
      ],
    }),
    () => (at += 900),
  )
  expect(() => evaluate({ n: 3 })).toThrow('The decision test was stopped at rule 3 (decision_3) after 2000 ms.')
})

// A naive reading of the hit policies, over tables of numbers.

interface NaiveRule {
  readonly from: number
  readonly to: number
  readonly value: number
}
const priorities = [3, 1, 2, 0]

const oracle: Readonly<Record<string, (values: readonly number[]) => unknown>> = {
  UNIQUE: (values) => (values.length > 1 ? 'refused' : (values[0] ?? null)),
  FIRST: (values) => values[0] ?? null,
  ANY: (values) => (new Set(values).size > 1 ? 'refused' : (values[0] ?? null)),
  PRIORITY: (values) => priorities.find((one) => values.includes(one)) ?? null,
  'RULE ORDER': (values) => values,
  'OUTPUT ORDER': (values) => priorities.flatMap((one) => values.filter((value) => value === one)),
  COLLECT: (values) => values,
  'COLLECT SUM': (values) => (values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0)),
  'COLLECT MIN': (values) => (values.length === 0 ? null : Math.min(...values)),
  'COLLECT MAX': (values) => (values.length === 0 ? null : Math.max(...values)),
  'COLLECT COUNT': (values) => values.length,
}

/** The same test for FEEL: its bounds are expressions, so it is neither simple nor compared at the save. */
const cellOf = ({ from, to }: NaiveRule, isSimple: boolean): string =>
  isSimple ? `[${from}..${to}]` : `? >= ${from} + 0 and ? <= ${to}`

it.each(Object.keys(oracle))('%s answers what a naive reading of it does', async (name) => {
  const [hitPolicy, aggregation] = name.startsWith('COLLECT') ? name.split(' ') : [name]
  const rule = fc
    .tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 3 }), fc.constantFrom(...priorities))
    .map(([from, length, value]): NaiveRule => ({ from, to: from + length, value }))
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { maxLength: 5 }), fc.boolean(), async (rules, isSimple) => {
      const xml = tableDocument({
        ...(hitPolicy !== undefined && { hitPolicy }),
        ...(aggregation !== undefined && { aggregation }),
        inputs: ['n: number'],
        outputs: [['x: number', priorities.join(', ')]],
        rules: rules.map((one) => [cellOf(one, isSimple && hitPolicy !== 'UNIQUE'), String(one.value)]),
      })
      const evaluate = await open(xml)
      for (let n = 0; n < 10; n++) {
        const values = rules.filter(({ from, to }) => n >= from && n <= to).map(({ value }) => value)
        let found: unknown
        try {
          found = evaluate({ n }).result
        } catch {
          found = 'refused'
        }
        expect(found).toEqual(oracle[name]?.(values))
      }
    }),
    { numRuns: 15, seed: 42 },
  )
})
