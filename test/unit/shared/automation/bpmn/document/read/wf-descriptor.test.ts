import BpmnModdle from 'bpmn-moddle'
import { describe, expect, it } from 'vitest'
import { compileProcess } from '../../../../../../../shared/automation/bpmn/document/compile-process.ts'
import { wfDescriptor } from '../../../../../../../shared/automation/bpmn/document/read/wf-descriptor.ts'
import { fullProcess, requestProcess } from '../../../../../../make/builders/processes/process-templates.ts'

describe('the descriptor', () => {
  it.each([
    ['every word of ours', fullProcess],
    ['a usual template', requestProcess()],
  ])('lets a modeler read and write %s', async (_, xml) => {
    // What the API answers is JSON.
    const moddle = new BpmnModdle({ wf: JSON.parse(JSON.stringify(wfDescriptor)) })
    const { rootElement, warnings } = await moddle.fromXML(xml)
    expect(warnings.map(({ property }) => property)).toEqual(xml === fullProcess ? ['wf:complete_on_field_status'] : [])
    const written = (await moddle.toXML(rootElement, { format: true })).xml
    expect(await compileProcess(written)).toEqual(await compileProcess(xml))
    expect(await compileProcess(written)).toHaveProperty('process')
    for (const word of xml.match(/wf:\w+/g) ?? []) expect(written).toContain(word)
  })

  it('has the defaults of attributes that a document may omit', async () => {
    const moddle = new BpmnModdle({ wf: wfDescriptor }) as unknown as { create(type: string): Record<string, unknown> }
    expect(moddle.create('wf:CompleteOn').match).toBe('all')
    expect(moddle.create('wf:FieldCondition').op).toBe('eq')
    expect(moddle.create('wf:FormField').type).toBe('text')
  })
})
