import { describe, expect, it } from 'vitest'
import { compileProcess } from '../../../../../../shared/automation/bpmn/document/compile-process.ts'
import { translateUel } from '../../../../../../shared/automation/bpmn/document/vendors/translate-uel.ts'
import { triggersOf } from '../../../../../../shared/automation/bpmn/engine/graph-of.ts'
import { diagramsFromElsewhere } from '../../../../../make/builders/processes/diagrams-from-elsewhere.ts'

const compiled = async (name: string, style: string) => {
  const found = diagramsFromElsewhere.find((one) => one.name === name && one.style === style)
  const result = await compileProcess(found?.xml ?? '')
  if ('findings' in result) throw new Error(JSON.stringify(result.findings))
  return result
}
const taskOf = async (name: string, style: string) => (await compiled(name, style)).process.tasks.t

describe('diagrams in the style of other editors', () => {
  it('can be saved as active, but for those that say what they lack', async () => {
    const kept: Record<string, string[]> = {}
    for (const { name, style, xml } of diagramsFromElsewhere) {
      const result = await compileProcess(xml)
      const kind = `${style}: ${'findings' in result ? 'draft' : 'active'}`
      kept[kind] = [...(kept[kind] ?? []), name]
    }
    const counts = Object.fromEntries(Object.entries(kept).map(([kind, names]) => [kind, names.length]))
    expect(counts).toEqual({
      'camunda 7: active': 25,
      'zeebe: active': 18,
      'flowable: active': 17,
      'plain BPMN: active': 7,
      'plain BPMN: draft': 3,
    })
  })

  it.each(diagramsFromElsewhere)('$style: $name', async ({ xml, warns = [], lacks = [] }) => {
    const result = await compileProcess(xml)
    const findings = 'findings' in result ? result.findings.map(({ message }) => message) : []
    expect(findings).toEqual(lacks.map((part) => expect.stringContaining(part)))
    if ('findings' in result) return
    expect(result.warnings.map(({ message }) => message)).toEqual(warns.map((part) => expect.stringContaining(part)))
  })
})

describe('words of other engines', () => {
  it('say what a call activity calls, and with what', async () => {
    const callOf = async (style: string) => {
      const { process } = await compiled('a call', style)
      return [process.calls?.t, process.mappings?.t]
    }
    expect(await callOf('zeebe')).toEqual([
      { code: 'other', pinned: 'unknown', passesAll: true },
      { in: [{ target: 'limit', value: '=amount' }], out: [{ target: 'result', value: '=verdict' }] },
    ])
    expect(await callOf('camunda 7')).toEqual([
      { expression: 'which', returnsAll: true },
      {
        in: [
          { target: 'limit', value: 'variables.amount' },
          { target: 'more', value: 'amount + 1' },
        ],
        out: [],
      },
    ])
    expect(await callOf('flowable')).toEqual([{ code: 'other', passesAll: true }, undefined])
  })

  it('say with what a process begins, and when', async () => {
    const start = async (name: string, style: string) => (await compiled(name, style)).process
    expect((await start('conditions out of a start', 'camunda 7')).startVariables).toEqual({
      initiators: ['starter'],
      values: {},
    })
    expect((await start('who has started it', 'flowable')).startVariables?.initiators).toEqual(['initiator'])
    expect((await start('data with a value', 'flowable')).startVariables).toEqual({
      initiators: [],
      values: { limit: 3 },
    })
    expect((await start('a start in FEEL', 'zeebe')).starts).toEqual([
      { elementId: 's', triggers: [{ on: 'timer', kind: 'timeDate', value: '2036-01-01T00:00:00Z' }] },
    ])
    expect((await start('a start by a condition', 'camunda 7')).isTriggered).toBeUndefined()
  })

  it('say the names of messages and signals', async () => {
    const triggers = async (name: string, style: string) =>
      (await compiled(name, style)).process.graph.nodes.flatMap((node) => node.triggers)
    expect(await triggers('names in FEEL', 'zeebe')).toMatchObject([{ name: 'paid' }, { name: '="paid-" + no' }])
    expect(await triggers('signals by expression', 'flowable')).toMatchObject([{ name: 'paid' }, { name: 'u' }])
  })

  it('leave out what never runs', async () => {
    const { elements } = (await compiled('a task that no flow leads to', 'camunda 7')).process
    expect(Object.keys(elements)).toEqual(['s', 't', 'e'])
  })

  it('say the key of a message', async () => {
    const { process } = await compiled('a subscription', 'zeebe')
    expect(triggersOf(process, 't')).toEqual([{ on: 'message', name: 'paid', key: '=order.id' }])
  })

  it('say who does a task', async () => {
    expect(await taskOf('people', 'camunda 7')).toMatchObject({
      assignee: 'ada@example.org',
      candidateRoles: ['agent'],
      priority: '50',
    })
    expect(await taskOf('people', 'zeebe')).toMatchObject({
      assignee: '${=approver}',
      candidateRoles: ['agent'],
      priority: '70',
      dueDate: '2026-12-01T09:00:00Z',
      formKey: 'approval',
    })
    expect(await taskOf('people', 'flowable')).toMatchObject({
      candidateUsers: ['ada@example.org', '${owner}'],
      candidateRoles: ['agent'],
      dueDate: 'P1D',
      formKey: 'f',
    })
    expect(await taskOf('roles of BPMN', 'flowable')).toMatchObject({
      assignee: 'ada@example.org',
      candidateUsers: ['7'],
      candidateRoles: ['agent', 'admin'],
    })
    expect(await taskOf('a resource', 'plain BPMN')).toMatchObject({ candidateRoles: ['agent'] })
    expect((await taskOf('an assignee of its own user list', 'camunda 7'))?.assignee).toBeUndefined()
  })

  it('say what a form asks', async () => {
    expect((await taskOf('form fields', 'camunda 7'))?.form).toEqual([
      { name: 'amount', label: 'Amount', type: 'integer', isRequired: true, isReadonly: false, default: '1' },
      { name: 'kind', type: 'value_list', isRequired: false, isReadonly: false, options: ['a'] },
    ])
    expect((await taskOf('form properties', 'flowable'))?.form).toMatchObject([
      { name: 'days', label: 'Days', type: 'integer', isRequired: true },
    ])
  })

  it('map variables', async () => {
    expect((await compiled('input and output', 'camunda 7')).process.mappings).toEqual({
      t: { in: [{ target: 'sum', value: 'amount + 1' }], out: [{ target: 'answer', value: '"yes"' }] },
    })
    expect((await compiled('input and output', 'zeebe')).process.mappings).toEqual({
      t: { in: [{ target: 'sum', value: '=order.sum' }], out: [{ target: 'decided', value: '=answer' }] },
    })
    expect((await compiled('a script', 'zeebe')).process.mappings).toEqual({
      t: { in: [], out: [{ target: 'twice', value: '=amount * 2' }] },
    })
    expect((await compiled('an event gateway with one flow', 'camunda 7')).process.mappings).toEqual({
      t: { in: [], out: [{ target: 'seen', value: '"yes"' }] },
    })
  })

  it.each([
    ['a collection', 'camunda 7', { collection: '${variables.people}', itemVariable: 'one' }],
    ['a collection', 'zeebe', { collection: '${=items}', itemVariable: 'item', output: { variable: 'results' } }],
    ['a list as the collection', 'zeebe', { collection: '${([{"a":1}])}', itemVariable: 'item' }],
    ['a collection by reference', 'flowable', { collection: '${variables.people}', itemVariable: 'one' }],
  ])('say for what to repeat: %s of %s', async (name, style, loop) => {
    const { nodes } = (await compiled(name, style)).process.graph
    expect(nodes.find(({ id }) => id === 't')?.loop).toMatchObject(loop)
  })

  it('are conditions', async () => {
    const sourceOf = async (name: string, style: string) => (await compiled(name, style)).conditions[0]?.source
    expect(await sourceOf('a condition in words of UEL', 'camunda 7')).toBe(
      'amount > 100 && !(reason == null || reason === "" || reason.length === 0)',
    )
    expect(await sourceOf('a condition in FEEL', 'zeebe')).toBe('=amount > 100 and not(approved)')
    expect(await sourceOf('a method in a condition', 'flowable')).toBe("(kind == ('a')) || list.length > 2")
    expect(await sourceOf('a condition of a bean', 'camunda 7')).toBe('checker.isRight(execution)')
  })
})

it('are variables that scripts use by their names, and an execution', async () => {
  const { work } = (await compiled('a script in JavaScript', 'camunda 7')).process
  expect(work.t).toMatchObject({ kind: 'script', resultVariable: 'r' })
  const run = (script: string, variables: object) => new Function('variables', script)(variables)
  const { script } = work.t as { script: string }
  const variables = { b: 2 }
  expect([run(script, variables), variables]).toEqual([3, { a: 1, b: 2 }])
})

describe('the unified expression language', () => {
  it.each([
    ['a.b eq "x" or c ne 3', 'a.b == "x" || c != 3'],
    ['a div 2 mod 3', 'a / 2 % 3'],
    ["execution.getVariable('a') > 1", 'variables.a > 1'],
    ["execution.hasVariable('a')", '(variables.a != null)'],
    ["name.startsWith('A') ? list[0].x : 'b'", "name.startsWith('A') ? list[0].x : 'b'"],
    ['list.isEmpty()', '(list.length == 0)'],
    ['!(a and b)', '!(a && b)'],
    [
      'var eq 1 and empty new.old',
      'variables.var == 1 && (variables.new.old == null || variables.new.old === "" || variables.new.old.length === 0)',
    ],
  ])('%s is %s', (uel, javaScript) => expect(translateUel(uel)).toBe(javaScript))

  it.each([
    'bean.method(a)',
    'now()',
    'a === b',
    'a[0](1)',
    'empty f(a)',
    'a; b',
    "execution.getVariable('a b')",
    'a.b.c(',
  ])('%s is left alone', (uel) => expect(translateUel(uel)).toBeUndefined())
})
