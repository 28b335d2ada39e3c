import { describe, expect, it } from 'vitest'
import { requestApproval } from '../../../../../../../infra/local/demo/demo-process.ts'
import { compileProcess } from '../../../../../../../shared/automation/processes/definition/compile-process.ts'
import { layOutDiagram } from '../../../../../../../shared/automation/processes/definition/layout/lay-out-diagram.ts'
import { fullProcess } from '../../../../../../make/builders/processes/process-templates.ts'
import { bpmn, end, inARow, start } from '../../../../../../make/builders/processes/processes.ts'

const shapes = (xml: string) =>
  [...xml.matchAll(/<bpmndi:BPMN(?:Shape|Edge) [^>]*bpmnElement="([^"]+)"/g)].map(([, id]) => id)

describe('a diagram', () => {
  it('has a shape for every element and an edge for every flow', async () => {
    const laidOut = await layOutDiagram(fullProcess)
    const drawn = new Set(shapes(laidOut))
    const ids = [
      ...fullProcess.matchAll(/<(?:\w+:)?(?:\w+Task|\w+Event|\w+Gateway|subProcess|sequenceFlow) id="([^"]+)"/g),
    ]
    expect(ids.length).toBeGreaterThan(5)
    for (const [, id] of ids) expect(drawn).toContain(id)
  })

  it('changes nothing of the process', async () => {
    const laidOut = await layOutDiagram(fullProcess)
    expect(laidOut.replace(/<bpmndi:BPMNDiagram[\s\S]*BPMNDiagram>\n/, '')).toBe(fullProcess)
    expect(await compileProcess(laidOut)).toEqual(await compileProcess(fullProcess))
  })

  it('is left as it is when the document has one', async () => {
    expect(shapes(requestApproval)).toContain('approve')
    expect(await layOutDiagram(requestApproval)).toBe(requestApproval)
  })

  it('has ids that the process has not', async () => {
    const laidOut = await layOutDiagram(bpmn(inARow(start, '<userTask id="wait"/>', '<userTask id="wait_di"/>', end)))
    const ids = [...laidOut.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids).toHaveLength(new Set(ids).size)
  })

  it('is found at the end of a document that ends with a comment', async () => {
    const commented = `${bpmn(inARow(start, end))}\n<!-- </definitions> was above -->\n`
    expect(shapes(await layOutDiagram(commented))).toContain('start')
  })

  it('of more than 2,000 elements is refused', async () => {
    const tasks = Array.from({ length: 2001 }, (_, n) => `<userTask id="t${n}"/>`)
    await expect(layOutDiagram(bpmn(inARow(start, ...tasks, end)))).rejects.toMatchObject({
      errors: { layout: [expect.stringContaining('draw its diagram in a modeler')] },
    })
  })
})
