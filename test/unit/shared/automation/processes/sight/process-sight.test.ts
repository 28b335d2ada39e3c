import { describe, expect, it } from 'vitest'
import { compileProcess } from '../../../../../../shared/automation/bpmn/document/compile-process.ts'
import { formerReads, mayBeAnything } from '../../../../../../shared/automation/bpmn/shapes/reads.ts'
import { type Sight, sightOf } from '../../../../../../shared/automation/processes/sight/process-sight.ts'
import { bpmn, end, inARow, scriptTask, start } from '../../../../../make/builders/processes/processes.ts'

/** Somebody whose role reads the title of deeds alone. */
const reader: any = {
  isAdministrator: false,
  permissions: ['deeds.read'],
  grants: [{ permissions: ['deeds.read'], rules: [], fields: { deeds: { read: ['title'] } } }],
}
const everything: any = { ...reader, grants: [{ permissions: ['deeds.read'], rules: [], fields: {} }] }

async function compiled(elements: readonly string[], attributes = '') {
  const made = await compileProcess(bpmn(inARow(start, ...elements, end), attributes))
  if (!('process' in made)) throw new Error(JSON.stringify(made.findings))
  return made.process
}
const sightOn = async (elements: readonly string[], attributes = '', viewer = reader): Promise<Sight> =>
  sightOf(viewer, { model: 'deeds' }, await compiled(elements, attributes))
const hides = (sight: Sight, ...names: string[]) => names.filter((name) => sight.hidesVariable(name))

const tell = (name: string, value: string): string => scriptTask(`set_${name}`, `variables.${name} = ${value}`)
const ask = (name: string, more = '', form = ''): string =>
  `<userTask id="ask" name="${name}" ${more}><extensionElements><wf:form><wf:formField name="why" type="text"/>${form}</wf:form></extensionElements></userTask>`

describe('a reader whom field rules limit', () => {
  it('sees the variables that no hidden field went into, also by way of others', async () => {
    const sight = await sightOn([
      tell('plain', 'record.title + record.id'),
      tell('told', 'record.secret'),
      tell('derived', 'variables.told + 1'),
      tell('further', 'derived.length'),
      tell('any', '$api.find("deeds", 1)'),
    ])
    expect(hides(sight, 'plain', 'told', 'derived', 'further', 'any', 'fromOutside')).toEqual([
      'told',
      'derived',
      'further',
      'any',
    ])
  })

  it('sees names, times, people and presets of a task by themselves', async () => {
    const form = '<wf:formField name="sec" type="text" default="${record.secret}"/>'
    const sight = await sightOn([
      ask('Check ${record.title}', 'wf:dueDate="${record.secret}" wf:assignee="${record.owner}"', form),
    ])
    const what = ['name', 'due_at', 'priority', 'assignee', 'candidates', 'form.why', 'form.sec', 'data']
    expect(what.filter((one) => sight.hides('ask', one))).toEqual(['due_at', 'assignee', 'form.sec', 'data'])
    expect((await sightOn([ask('Check ${record.secret}')])).hides('ask', 'name')).toBe(true)
  })

  it('does not see what was entered into a form that a hidden field is bound to', async () => {
    const sight = await sightOn([
      ask('Ask', '', '<wf:formField name="sec" type="text" bind="record.secret"/>'),
      tell('entered', 'tasks.ask.sec'),
      tell('named', 'task.name'),
    ])
    expect(hides(sight, 'why', 'entered', 'named')).toEqual(['entered'])
  })

  it('does not see messages of what may fail by a hidden field', async () => {
    const sight = await sightOn([tell('told', 'record.secret'), tell('plain', 'record.title')])
    expect([sight.hides('set_told', 'message'), sight.hides('set_plain', 'message')]).toEqual([true, false])
    // Nobody can tell what failed in a step as a whole, and where.
    expect([sight.hidesUnknown, sight.hides('nowhere', 'message')]).toEqual([true, true])
  })

  it('sees what the template marks as shown', async () => {
    const steps = [tell('told', 'record.secret'), tell('kept', 'record.secret')]
    expect(hides(await sightOn(steps, 'wf:shown="told"'), 'told', 'kept')).toEqual(['kept'])
    expect(hides(await sightOn(steps, 'wf:shown="true"'), 'told', 'kept')).toEqual([])
    const [told = '', kept = ''] = steps
    const marked = told.replace('<scriptTask', '<scriptTask wf:shown="true"')
    const sight = await sightOn([marked, kept, tell('from', 'variables.kept')])
    expect([hides(sight, 'told', 'kept', 'from'), sight.hides('set_told', 'message')]).toEqual([
      ['kept', 'from'],
      false,
    ])
  })

  it('sees nothing of a version that was saved before this was kept', async () => {
    const { reads: _, ...process } = await compiled([tell('plain', 'record.title')])
    const sight = sightOf(reader, { model: 'deeds' }, process as never)
    expect([sight.hidesVariable('plain'), sight.hides('set_plain', 'message')]).toEqual([true, true])
  })

  it('does not see what an instance brought along from a version that it left, or from a script that started it', async () => {
    const process = await compiled([tell('plain', 'record.title')])
    const former = await compiled([tell('plain', 'record.secret')])
    const left = formerReads(former.reads, Object.keys(former.elements), { set_plain: 'set_plain' })
    expect(sightOf(reader, { model: 'deeds', reads: left }, process).hidesVariable('plain')).toBe(true)
    const unknown = formerReads(undefined, ['set_plain'], { set_plain: 'set_plain' })
    const sight = sightOf(reader, { model: 'deeds', reads: unknown }, process)
    expect([sight.hidesVariable('plain'), sight.hides('set_plain', 'message')]).toEqual([true, true])
    const given = sightOf(reader, { model: 'deeds', reads: mayBeAnything({ given: 1 }) }, process)
    expect(hides(given, 'given', 'plain')).toEqual(['given'])
  })

  it('sees the inputs of a decision once its step has noted that no hidden field went into them', async () => {
    const decide = '<businessRuleTask id="rule" wf:decision="level" wf:resultVariable="answer"/>'
    const process = await compiled([decide])
    const after = (...reads: string[]) =>
      sightOf(reader, { model: 'deeds', reads: { variables: {}, texts: { rule: { decided: reads } } } }, process)
    const seen = [
      after('record.title'),
      after('record.secret'),
      after('variables.unknown'),
      sightOf(reader, { model: 'deeds' }, process),
    ]
    expect(seen.map((sight) => [sight.hidesVariable('answer'), sight.hides('rule', 'decided')])).toEqual([
      [false, false],
      [true, true],
      [false, false],
      [true, true],
    ])
  })
})

it('hides nothing from whom no field rule limits', async () => {
  const sight = await sightOn([tell('told', 'record.secret')], '', everything)
  expect([sight.hidesVariable('told'), sight.hides('nowhere', 'message'), sight.hidesUnknown]).toEqual([
    false,
    false,
    false,
  ])
})
