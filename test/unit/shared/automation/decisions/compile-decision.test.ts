import { describe, expect, it } from 'vitest'
import { compileDecision } from '../../../../../shared/automation/decisions/definition/compile-decision.ts'
import {
  dmnDocument,
  requirements,
  tableDecision,
  tableDocument,
  type TableSketch,
} from '../../../../make/builders/decision-document.ts'
import { processorMs } from '../../../../make/processor-time.ts'

const problemsOf = async (xml: string, code?: string): Promise<readonly string[]> => {
  const compiled = await compileDecision(xml, code)
  return 'problems' in compiled ? compiled.problems : []
}
const warningsOf = async (sketch: TableSketch): Promise<readonly string[]> => {
  const compiled = await compileDecision(tableDocument(sketch), undefined)
  if ('problems' in compiled) throw new Error(compiled.problems.join(' '))
  return compiled.warnings
}
const table: TableSketch = { inputs: ['season: string'], outputs: ['dish: string'], rules: [['"Winter"', '"Stew"']] }
const literal = (id: string, text: string, requires: readonly string[] = []): string =>
  `<decision id="${id}" name="${id}">${requirements(requires)}<literalExpression><text>${text}</text></literalExpression></decision>`

describe('a decision that cannot be saved', () => {
  it.each<[string, Partial<TableSketch>, string]>([
    ['a hit policy that is unknown', { hitPolicy: 'FIRSTT' }, 'The hit policy FIRSTT is unknown. Did you mean FIRST?'],
    [
      'an aggregation of another hit policy',
      { hitPolicy: 'FIRST', aggregation: 'SUM' },
      'The aggregation SUM is one of COLLECT, not of FIRST.',
    ],
    [
      'an aggregation of texts',
      { hitPolicy: 'COLLECT', aggregation: 'SUM' },
      'COLLECT with SUM needs an output of the type number, not string.',
    ],
    [
      'priorities that are not said',
      { hitPolicy: 'PRIORITY' },
      'The hit policy PRIORITY needs the values of an output in the order of their priority (outputValues).',
    ],
    [
      'an input without a name',
      { inputs: [''], rules: [] },
      'The input 1 has no expression: write the name of what it tests.',
    ],
    [
      'a type that is unknown',
      { inputs: ['season: strin'] },
      'The input "season" has the unknown type strin. Did you mean string?',
    ],
    [
      'a cell that cannot be read',
      { rules: [['foo(', '"Stew"']] },
      'Rule 1, input "season": foo( cannot be read: something is missing at its end.',
    ],
    [
      'a cell of another type',
      { rules: [['5', '"Stew"']] },
      'Rule 1, input "season": 5 is a number, and the input is a string.',
    ],
    [
      'an output of another type',
      { rules: [['-', '7']] },
      'Rule 1, output "dish": 7 is a number, and the output is a string.',
    ],
    [
      'an output that is not allowed',
      { outputs: [['dish: string', '"Soup","Roast"']] },
      'Rule 1, output "dish": "Stew" is none of the allowed values "Soup","Roast".',
    ],
    [
      'a function without a bound',
      { rules: [['matches(?, "a")', '"Stew"']] },
      'Rule 1, input "season": matches(?, "a") cannot be read: the function matches() is not available: a regular expression could run for very long.',
    ],
    [
      'tests that are joined',
      { inputs: ['n: number'], rules: [['>3 and <5', '"a"']] },
      'Rule 1, input "n": >3 and <5 cannot be read: >3 and <5 joins tests: separate alternatives with commas, write a range such as [3..5], or use ? for the value, as in ? > 3 and ? < 5.',
    ],
    ['entries that are missing', { rules: [['-']] }, 'Rule 1 has 0 output entries, and the table 1 outputs.'],
    [
      'several outputs without names',
      { outputs: ['', ''], rules: [] },
      'The output 1 has no name, which the table needs when it has several outputs.',
    ],
  ])('has %s', async (_, sketch, message) => {
    expect(await problemsOf(tableDocument({ ...table, ...sketch }))).toContain(message)
  })

  it.each<[string, TableSketch['rules']]>([
    [
      'ranges',
      [
        ['<= 5', '1'],
        ['[5..9]', '2'],
      ],
    ],
    [
      'lists',
      [
        ['1, 2, 3', '1'],
        ['3, 4', '2'],
      ],
    ],
    [
      'ranges between two whole numbers',
      [
        ['(5..6)', '1'],
        ['[5.2..5.8]', '2'],
      ],
    ],
    [
      'any value',
      [
        ['-', '1'],
        ['> 100', '2'],
      ],
    ],
  ])('has rules that overlap under UNIQUE by %s', async (_, rules) => {
    const problems = await problemsOf(tableDocument({ inputs: ['n: number'], outputs: ['x'], rules }))
    expect(problems[0]).toMatch(/^Rules 1 and 2 overlap, .*for example with "n" = \d+/)
  })

  it('may have neighbouring ranges, whole numbers between which nothing lies, and what only FEEL can tell', async () => {
    for (const [type, rules] of [
      [
        'number',
        [
          ['< 5', '1'],
          ['[5..9)', '2'],
          ['>= 9', '3'],
        ],
      ],
      [
        'integer',
        [
          ['<= 5', '1'],
          ['(5..6)', '2'],
          ['> 5', '3'],
        ],
      ],
      [
        'integer',
        [
          ['2.5', '1'],
          ['2.5', '2'],
        ],
      ],
      [
        'string',
        [
          ['contains(?, "a")', '1'],
          ['contains(?, "b")', '2'],
        ],
      ],
    ] as const)
      expect(await problemsOf(tableDocument({ inputs: [`n: ${type}`], outputs: ['x'], rules }))).toEqual([])
  })

  it.each<[string, string, string]>(
    [
      [
        'no XML',
        'nonsense',
        'The document is no DMN: <definitions> needs the namespace of DMN 1.1 to 1.5, such as https://www.omg.org/spec/DMN/20191111/MODEL/.',
      ],
      [
        'a document type',
        `<!DOCTYPE x>${dmnDocument([])}`,
        'A document type or entity declaration is not allowed (line 1, column 1).',
      ],
      ['no decision', dmnDocument([]), 'The document has no decision.'],
      [
        'a boxed context',
        dmnDocument(['<decision id="d" name="d"><context/></decision>']),
        'A boxed context is not supported: write a decision table or a literal expression.',
      ],
      [
        'an unknown element',
        dmnDocument(['<decison id="d"/>']),
        '<decison> is no element of DMN that is supported here (line 2).',
      ],
      [
        'an id twice',
        dmnDocument([literal('a', '1'), literal('a', '2')]),
        'Two elements have the id a (line 2); ids are unique in a document.',
      ],
      [
        'a circle',
        dmnDocument([literal('a', 'b', ['b']), literal('b', 'a', ['a'])]),
        'Decisions require each other in a circle: a, b.',
      ],
      [
        'a decision that is not required',
        dmnDocument([literal('top', 'a + b', ['a']), literal('a', '1'), literal('b', '2', ['top'])]),
        'Decisions require each other in a circle',
      ],
      [
        'several that may be asked',
        dmnDocument([literal('a', '1'), literal('b', '2')]),
        'Which decision is asked? No other needs a (a), b (b): make the id of one of them the code.',
      ],
      [
        'a requirement of nothing',
        dmnDocument([literal('a', '1', ['b'])]),
        'a requires #b, which is not in the document.',
      ],
      [
        'a business knowledge model',
        dmnDocument([
          '<decision id="a" name="a"><knowledgeRequirement><requiredKnowledge href="#k"/></knowledgeRequirement><literalExpression><text>k(1)</text></literalExpression></decision>',
        ]),
        'a requires a business knowledge model, which is not supported: make it a decision, or write its expression where it is used.',
      ],
      [
        'another language',
        dmnDocument([
          '<decision id="a" name="a"><literalExpression expressionLanguage="juel"><text>x</text></literalExpression></decision>',
        ]),
        'The expression of a: the language juel is not supported; expressions are written in FEEL.',
      ],
    ].filter(([name]) => name !== 'a decision that is not required') as [string, string, string][],
  )('has %s', async (_, xml, message) => {
    expect(await problemsOf(xml)).toContain(message)
  })

  it('uses a decision that it does not require', async () => {
    const xml = dmnDocument([literal('a', 'b + 1', ['c']), literal('b', '1'), literal('c', 'b', ['b'])])
    expect(await problemsOf(xml)).toEqual([
      'a: It uses b without requiring that decision: draw an information requirement from it.',
    ])
  })
})

describe('a decision with doubts', () => {
  it('has rules that are never reached, or never match', async () => {
    expect(
      await warningsOf({
        hitPolicy: 'FIRST',
        inputs: ['n: number'],
        outputs: ['x'],
        rules: [
          ['< 10', '1'],
          ['[2..5]', '2'],
        ],
      }),
    ).toEqual(['Rule 2 (decision_2) is never reached: rule 1 matches whenever it does.'])
    expect(await warningsOf({ inputs: [['s: string', '"a","b"']], outputs: ['x'], rules: [['"c"', '1']] })).toEqual([
      'Rule 1 (decision_1) never matches: the input "s" is never "c".',
    ])
  })

  it('has decisions that nobody asks', async () => {
    const compiled = await compileDecision(dmnDocument([literal('a', '1'), literal('b', '2')]), 'b')
    expect(compiled).toMatchObject({ warnings: ['The decision a is not needed by b, and is never evaluated.'] })
  })
})

it.each([
  'http://www.omg.org/spec/DMN/20151101/dmn.xsd',
  'http://www.omg.org/spec/DMN/20180521/MODEL/',
  'https://www.omg.org/spec/DMN/20191111/MODEL/',
  'https://www.omg.org/spec/DMN/20211108/MODEL/',
  'https://www.omg.org/spec/DMN/20230324/MODEL/',
])('reads %s', async (namespace) => {
  const compiled = await compileDecision(dmnDocument([tableDecision(table)], namespace), undefined)
  expect(compiled).toMatchObject({ model: { inputs: [{ name: 'season' }] }, warnings: [] })
})

it('stops reading a document of nonsense early', async () => {
  let problems: unknown
  const ms = await processorMs(async () => (problems = await problemsOf(dmnDocument(['<nonsense/>\n'.repeat(30_000)]))))
  expect(problems).toHaveLength(50)
  expect(ms).toBeLessThan(20_000)
})
