import { describe, expect, it } from 'vitest'
import { compileProcess } from '../../../../../../../shared/automation/bpmn/document/compile-process.ts'
import { bpmn, end, inARow, start } from '../../../../../../make/builders/processes/processes.ts'

const vendors = {
  camunda: 'http://camunda.org/schema/1.0/bpmn',
  zeebe: 'http://camunda.org/schema/zeebe/1.0',
  activiti: 'http://activiti.org/bpmn',
  flowable: 'http://flowable.org/bpmn',
  modeler: 'http://camunda.org/schema/modeler/1.0',
  bioc: 'http://bpmn.io/schema/bpmn/biocolor/1.0',
  color: 'http://www.omg.org/spec/BPMN/non-normative/color/1.0',
}
const document = (task: string): string =>
  bpmn(inARow(start, task, end)).replace(
    '<definitions ',
    `<definitions ${Object.entries(vendors)
      .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
      .join(' ')} `,
  )
async function warningsOf(task: string): Promise<string[]> {
  const compiled = await compileProcess(document(task))
  if ('findings' in compiled) throw new Error(JSON.stringify(compiled.findings))
  return compiled.warnings.map(({ message }) => message)
}

describe('what other engines understand', () => {
  it.each([
    [
      '<userTask id="t" camunda:assignee="ada"/>',
      'The user task "t" has camunda:assignee="ada", which names no user here: write ids or addresses of users as wf:assignee.',
    ],
    [
      '<serviceTask id="t" activiti:delegateExpression="a"/>',
      'The service task "t" has activiti:delegateExpression, which means nothing here; use wf:action or wf:script.',
    ],
    [
      '<userTask id="t" flowable:dueDate="tomorrow"/>',
      'The user task "t" has flowable:dueDate="tomorrow", which the service cannot evaluate; use wf:dueDate.',
    ],
    ['<userTask id="t" camunda:unknown="true"/>', 'The user task "t" has camunda:unknown, which means nothing here.'],
    ['<userTask id="t" asignee="x"/>', 'The user task "t" has asignee, which means nothing here; use wf:assignee.'],
    [
      '<userTask id="t"><extensionElements><zeebe:assignmentDefinition assignee="ada"/></extensionElements></userTask>',
      'The user task "t" has <zeebe:assignmentDefinition assignee="ada">, which names no user here: write ids or addresses of users as wf:assignee.',
    ],
  ])('is warned about in %s', async (task, message) => expect(await warningsOf(task)).toEqual([message]))

  it.each([
    '<userTask id="t" modeler:template="x" bioc:fill="red" color:border-color="red"/>',
    '<userTask id="t" wf:assignee="1" wf:complete_on_field_status="done"/>',
    '<userTask id="t" camunda:asyncBefore="true" camunda:assignee="7" wf:assignee="1"/>',
  ])('is not in %s', async (task) => expect(await warningsOf(task)).toEqual([]))

  it('neither refuses a document nor fills its answer when there is much of it', async () => {
    const attributes = Array.from({ length: 300 }, (_, n) => `camunda:a${n}="1"`).join(' ')
    expect(await warningsOf(`<userTask id="t" ${attributes}/>`)).toHaveLength(100)
  })
})
