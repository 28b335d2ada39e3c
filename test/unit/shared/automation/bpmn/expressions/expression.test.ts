import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  conditionProblem,
  scriptProblem,
  textProblem,
} from '../../../../../../shared/automation/bpmn/expressions/expression-problems.ts'
import {
  expressionOf,
  parseExpression,
  splitList,
} from '../../../../../../shared/automation/bpmn/expressions/expression.ts'
import { runs } from '../../../../../make/depth.ts'

const scope = { record: { id: 7, hours: 4, status: 'new', none: null }, variables: { a: 1 } }
const evaluate = (source: string): unknown =>
  Function(...Object.keys(scope), `return (${source}\n)`)(...Object.values(scope))
const valueOf = (text: string): unknown => {
  const parsed = parseExpression(text)
  return parsed.kind === 'literal' ? parsed.text : evaluate(parsed.source)
}

describe('a text that may be an expression', () => {
  it.each<[string, unknown]>([
    ['done', 'done'],
    ['', ''],
    ['costs $5 {net}', 'costs $5 {net}'],
    ['${record.id}', 7],
    [' ${ record.id } ', 7],
    ['${record.none}', null],
    ['PT${record.hours}H', 'PT4H'],
    ['${record.id}${record.hours}', '74'],
    ['[${record.none}|${record.missing}]', '[|]'],
    ['${ {a: {b: 2}}.a.b }', 2],
    ['${"}" + record.id}!', '}7!'],
    ["${'it\\'s }'}", "it's }"],
    ['${`<${record.id + "}"}>`}', '<7}>'],
    ['${[1, 2].map((n) => { return n * 2 }).join()}', '2,4'],
    ['${record.id // the id\n}th', '7th'],
  ])('%j means %j', (text, value) => expect(valueOf(text)).toEqual(value))

  it.each(['${', '${}', 'a ${  } b', 'PT${record.hours', '${"}', '${`${}`'])('%j is refused', (text) => {
    expect(() => parseExpression(text)).toThrow(SyntaxError)
  })

  it('is a literal when it has no ${', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes('${'))
        expect(parseExpression(text)).toEqual({ kind: 'literal', text })
      }),
      { seed: 8, numRuns: runs(200) },
    )
  })

  it('keeps every string around expressions as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), fc.string({ unit: 'grapheme' }), (before, inside) => {
        fc.pre(!`${before}$`.includes('${') && !before.endsWith('$') && before.trim() !== '')
        expect(valueOf(`${before}\${${JSON.stringify(inside)}}`)).toBe(before + inside)
      }),
      { seed: 8, numRuns: runs(300) },
    )
  })
})

describe('a condition', () => {
  it.each([
    ['record.a > 1', 'record.a > 1'],
    ['${record.a > 1}', 'record.a > 1'],
    ['#{record.a > 1}', 'record.a > 1'],
    ['  ${ record.a }  ', 'record.a'],
    ['`${record.a}`', '`${record.a}`'],
    ['${a} && ${b}', '${a} && ${b}'],
  ])('%j is %j', (text, source) => expect(expressionOf(text)).toBe(source))
})

describe('a list', () => {
  it.each<[string, string[]]>([
    ['a, b ,c', ['a', 'b', 'c']],
    [' , a,', ['a']],
    ['', []],
    ['agent, ${[1, 2].join(",")}, x${record.id},y', ['agent', '${[1, 2].join(",")}', 'x${record.id}', 'y']],
  ])('%j has the items %j', (text, items) => expect(splitList(text)).toEqual(items))
})

describe('the checks when a template is saved', () => {
  it.each([
    'record.status === "open"',
    '${record.a > 1 && variables.ok}',
    '(() => 1)()',
    'record.a // why not',
    '/[}]/.test(record.a)',
    'user.roles.includes("agent")',
  ])('accepts %j as a condition', (text) => expect(conditionProblem(text)).toBeUndefined())

  it.each([
    undefined,
    '',
    '  ',
    '${}',
    'record.',
    '${record.a > }',
    'a; b',
    'a) ; (b',
    'a) + (b',
    'let a = 1',
    'return 1',
    '${a} && ${b}',
    'import("fs")',
    'x }',
    'a b',
    '"open',
  ])('refuses %j as a condition', (text) => expect(conditionProblem(text)).toEqual(expect.any(String)))

  it('finds a broken expression in a text', () => {
    expect(textProblem('PT${record.hours}H')).toBeUndefined()
    expect(textProblem('no expression; at all (')).toBeUndefined()
    expect(textProblem('PT${record.}H')).toEqual(expect.any(String))
    expect(textProblem('PT${record.hours')).toBe('a ${ is not closed by }')
  })

  it('finds a syntax error in a script, with its position', () => {
    expect(scriptProblem("const r = $api->find('clients', 'name', 'ACME')\nreturn r.id")).toBeUndefined()
    expect(scriptProblem('const a = 1\nconst a = 2')).toMatch(/line 2, column 7/)
  })
})
