import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { interpret } from '../../../../../../shared/automation/bpmn/expressions/interpret.ts'
import { createSandbox } from '../../../../../../shared/scripts/sandbox/sandbox.ts'
import { checkSource } from '../../../../../../shared/scripts/source/check-source.ts'
import { runs } from '../../../../../make/depth.ts'
import { processorMs } from '../../../../../make/processor-time.ts'

const sandbox = createSandbox()
afterAll(() => sandbox.close())

const names = {
  record: {
    at: '2026-03-01T10:00:00Z',
    day: '2024-02-29',
    zoned: '2026-03-01T23:30+05:30',
    noDay: '2026-02-30',
    ms: 1772359200000,
    amount: 1200,
    state: 'open',
    title: 'Ölwechsel',
    tags: ['a', 'b', null],
    empty: null,
    toString: 'own',
  },
  variables: {
    votes: [
      { ok: true, by: 3 },
      { ok: false, by: null },
    ],
    text: '12',
    deep: { a: { b: [1, 2] } },
    no: false,
  },
  loop: null,
}

/** The value of an expression in the sandbox; undefined with `fails` when it throws. */
async function inSandbox(source: string): Promise<{ value?: unknown; fails?: true }> {
  const outcome = await sandbox.run({
    tenant: 1,
    source: checkSource(
      `var ${Object.keys(names)
        .map((name) => `${name} = $data.${name}`)
        .join(', ')}; return (${source}\n)`,
    ),
    variables: { data: names },
    host: { call: async () => null },
    depth: 0,
  })
  return outcome.status === 'ok' ? { value: outcome.value } : { fails: true }
}

const leaf = fc.constantFrom(
  'record.amount',
  'record.state',
  'record.title',
  'record.tags',
  'record.empty',
  'record.nope',
  'record.toString',
  'record["state"]',
  'variables.votes',
  'variables.votes[0].ok',
  'variables.votes.length',
  'variables.text',
  'loop',
  'variables.deep.a.b',
  'variables.nope',
  'loop?.index',
  'variables.deep?.x?.y.z',
  'record.tags[1]',
  'undefined',
  '0',
  '-1',
  '2.5',
  '1e21',
  '0.1',
  '"open"',
  "'12'",
  '""',
  'true',
  'false',
  'null',
  'NaN',
  '[1, "a", null]',
  '{ a: 1 }',
  'record.at',
  'record.day',
  'record.zoned',
  'record.noDay',
  'record.ms',
  'new Date(record.at)',
  'new Date(record.day)',
  'new Date(record.zoned)',
)
const pattern = fc
  .array(
    fc
      .tuple(
        fc.constantFrom('a', 'e', '[a-z]', '[^x]', String.raw`\d`, String.raw`\w`, '.', '-', '[0-9T:]', '1', ' '),
        fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '*?'),
      )
      .map(([atom, repeated]) => atom + repeated),
    { minLength: 1, maxLength: 4 },
  )
  .chain((parts) =>
    fc
      .tuple(fc.constantFrom('', '^'), fc.constantFrom('', '$', '|open$', '|^a'), fc.constantFrom('', 'i'))
      .map(([from, to, flags]) => `/${from}${parts.join('')}${to}/${flags}`),
  )
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '===', '!==', '<', '<=', '>', '>=', '&&', '||'),
        tie('expression'),
      )
      .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
    fc.tuple(tie('expression'), tie('expression')).map(([left, right]) => `((${left}) ?? (${right}))`),
    fc.tuple(fc.constantFrom('!', '-', '+', 'typeof '), tie('expression')).map(([sign, of]) => `${sign}(${of})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([test, yes, no]) => `((${test}) ? ${yes} : ${no})`),
    tie('expression').map((of) => `\`is \${${of}}!\``),
    fc
      .tuple(tie('expression'), fc.constantFrom('length', 'state', '0', 'ok', 'includes', 'constructor', '__proto__'))
      .map(([of, member]) => `(${of})[${/^\d/.test(member) ? member : JSON.stringify(member)}]`),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('includes', 'startsWith', 'endsWith', 'indexOf', 'split', 'join', 'slice', 'charAt', 'trim'),
        fc.option(tie('expression')),
      )
      .map(([of, method, arg]) => `(${of}).${method}(${arg ?? ''})`),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('some', 'every', 'filter', 'map', 'find', 'findIndex'),
        fc.constantFrom(
          'v => v',
          'v => v.ok',
          '(v, i) => i > 0 && v',
          'v => v === "a"',
          'v => record.tags.includes(v)',
        ),
      )
      .map(([of, method, arrow]) => `(${of}).${method}(${arrow})`),
    fc
      .tuple(
        fc.constantFrom('Number', 'String', 'Boolean', 'Math.max', 'Math.round', 'Math.floor', 'parseInt', 'isNaN'),
        tie('expression'),
      )
      .map(([name, of]) => `${name}(${of})`),
    tie('expression').map((of) => `new Date(${of})`),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('getTime', 'toISOString', 'getUTCDay', 'getHours', 'getMonth', 'valueOf'),
      )
      .map(([of, method]) => `new Date(${of}).${method}()`),
    fc
      .tuple(fc.constantFrom('Object.keys', 'Object.values', 'Date.parse'), tie('expression'))
      .map(([name, of]) => `${name}(${of})`),
    fc.tuple(pattern, tie('expression')).map(([test, of]) => `${test}.test(${of})`),
    fc.array(tie('expression'), { maxLength: 3 }).map((items) => `[${items.join(', ')}].join("")`),
  ),
}))

describe('the interpreter of expressions', () => {
  it('answers what the sandbox answers, or leaves it to the sandbox', async () => {
    let interpreted = 0
    await fc.assert(
      fc.asyncProperty(expression, async (source) => {
        const here = interpret(source).evaluate(names)
        if (here === undefined) return
        interpreted += 1
        expect({ value: here.value }).toEqual({ value: (await inSandbox(source)).value })
        expect(await inSandbox(source)).not.toHaveProperty('fails')
      }),
      { numRuns: runs(600, 200) },
    )
    expect(interpreted).toBeGreaterThan(runs(100, 30))
  })

  it.each([
    ['record.amount > 1000 && record.state == "open"', true],
    ["record.state.startsWith('op') ? 'yes' : 'no'", 'yes'],
    ['variables.votes.filter(v => v.ok).length / variables.votes.length >= 0.5', true],
    ['variables.votes.reduce((sum, v) => sum + (v.by ?? 1), 0)', 4],
    ["record.tags.includes('b')", true],
    ['`${record.amount} EUR`', '1200 EUR'],
    ['Math.max(1, 3, record.amount)', 1200],
    ['{ sum: record.amount + 1, none: undefined }', { sum: 1201 }],
    ['0 / 0', null],
    ['-0', 0],
    ['loop?.index', undefined],
    ['new Date(record.at).getTime()', 1_772_359_200_000],
    ['new Date(record.at) > new Date(record.day)', true],
    ['(new Date(record.at) - new Date(record.day)) / 86400000 > 300', true],
    ['+new Date(record.zoned)', 1_772_388_000_000],
    ['new Date(record.at)', '2026-03-01T10:00:00.000Z'],
    ['new Date(null).getTime() + Date.parse(record.day)', 1_709_164_800_000],
    ['new Date() > new Date(record.day) && Date.now() > Date.parse(record.day)', true],
    [String.raw`/^\d{4}-\d\d/.test(record.at)`, true],
    [String.raw`/^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i.test("Someone@example.com")`, true],
    ['/open|closed/.test(record.state)', true],
    ['Object.keys(variables.deep.a).length', 1],
    ['Object.values(variables.deep)', [{ b: [1, 2] }]],
  ])('evaluates %s', async (source, value) => {
    const here = interpret(source.startsWith('{') ? `(${source})` : source).evaluate(names)
    expect(here).toEqual({ value })
    expect((await inSandbox(source.startsWith('{') ? `(${source})` : source)).value).toEqual(value)
  })

  it.each([
    'record.constructor',
    'record.__proto__',
    'record.tags.constructor',
    "''.constructor",
    "record['const' + 'ructor']",
    "record.state.constructor.constructor('return 1')()",
    '$api.get("users", 1)',
    'record.amount = 5',
    'new Date(2026, 1, 1)',
    'new Date(record.noDay)',
    'new Date("1 May 2026").getTime()',
    'new Date("2026-03-01T10:00:00").getTime()',
    'new Date(record.at) + 1',
    'new Date(record.at).ms',
    'new Date(record.at).toLocaleDateString()',
    'new Date(record.at) == new Date(record.at)',
    '`${new Date(record.at)}`',
    '/(a+)+$/.test(record.state)',
    '/a/g.test(record.state)',
    String.raw`/(.)\1/.test(record.state)`,
    '/a(?=b)/.test(record.state)',
    '/a/.test(record.title)',
    '/a/.exec(record.state)',
    'Object.keys(record.tags)',
    'Object.entries(record)',
    'globalThis',
    '(() => 1)()',
    'variables.votes.filter(function (v) { return v })',
    'nobody.knows',
    'record.empty.trim()',
    'variables.votes === variables.votes',
    'record + 1',
    'record.state.repeat(1000)',
    'Math.random()',
    '`${"x".constructor}`',
    'record.amount, 1',
  ])('leaves %s to the sandbox', (source) => {
    expect(interpret(source).evaluate(names)).toBeUndefined()
  })

  it('stops early where lists make lists', async () => {
    const list = Array.from({ length: 1000 }, (_, index) => index)
    const nested = 'variables.list.map(a => variables.list.map(b => variables.list.map(c => a + b + c)))'
    let value: unknown
    const ms = await processorMs(() => (value = interpret(nested).evaluate({ variables: { list } })))
    expect(value).toBeUndefined()
    expect(ms).toBeLessThan(10_000)
  })

  it('leaves patterns that could take long to the sandbox', () => {
    const text = 'a'.repeat(2_000)
    const test = (regex: string) => interpret(`${regex}.test(variables.text)`).evaluate({ variables: { text } })
    expect(test('/a*b/')).toBeUndefined()
    expect(test('/^a*a*b/')).toBeUndefined()
    expect(test('/^a*b/')).toEqual({ value: false })
    expect(test(`/^${'a?'.repeat(20)}b/`)).toBeUndefined()
  })

  it('says which names it takes from outside', () => {
    const { freeNames } = interpret('approved && variables.list.some(one => one.amount > limit) && { key: other }.key')
    expect([...freeNames].toSorted()).toEqual(['approved', 'limit', 'other', 'variables'])
  })
})
