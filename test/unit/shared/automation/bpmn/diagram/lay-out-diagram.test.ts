import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestApproval } from '../../../../../../infra/local/demo/demo-process.ts'
import { drawDiagram } from '../../../../../../shared/automation/bpmn/diagram/draw-diagram.ts'
import { layOutDiagram } from '../../../../../../shared/automation/bpmn/diagram/lay-out-diagram.ts'
import { compileProcess } from '../../../../../../shared/automation/bpmn/document/compile-process.ts'
import { fullProcess } from '../../../../../make/builders/processes/process-templates.ts'
import { bpmn, end, inARow, start } from '../../../../../make/builders/processes/processes.ts'
import { runs } from '../../../../../make/depth.ts'

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

  const gateway = (id: string): string => `<exclusiveGateway id="${id}"/>`
  const flow = (id: string, from: string, to: string): string =>
    `<sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}"/>`
  const joined = (count: number): string => {
    const ids = Array.from({ length: count }, (_, n) => `g${n}`)
    const flows = ids.flatMap((from) => ids.filter((to) => to !== from).map((to) => flow(`${from}_${to}`, from, to)))
    return bpmn([...ids.map(gateway), ...flows].join(''))
  }

  it('of very many flows is a plain grid, and nobody waits for it', async () => {
    const xml = joined(90)
    let longest = 0
    let last = performance.now()
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 5)
    const cpu = process.cpuUsage()
    const laidOut = await layOutDiagram(xml)
    clearInterval(timer)
    expect(process.cpuUsage(cpu).user / 1000).toBeLessThan(15_000)
    expect(longest).toBeLessThan(15_000)
    expect(new Set(shapes(laidOut)).size).toBe(90 + 90 * 89)
    expect(await layOutDiagram(laidOut)).toBe(laidOut)
  })

  it('is laid out elsewhere, while others are answered', async () => {
    const tasks = Array.from({ length: 300 }, (_, n) => `<userTask id="t${n}"/>`)
    let turns = 0
    const timer = setInterval(() => (turns += 1), 2)
    const several = await Promise.all([1, 2].map(() => layOutDiagram(bpmn(inARow(start, ...tasks, end)))))
    clearInterval(timer)
    for (const laidOut of several) expect(new Set(shapes(laidOut)).size).toBe(302 + 301)
    expect(turns).toBeGreaterThan(20)
  })

  it('is drawn of any process, also one that the layout cannot place', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 25 }),
        fc.array(fc.tuple(fc.nat(24), fc.nat(24)), { maxLength: 60 }),
        async (count, pairs) => {
          const ids = Array.from({ length: count }, (_, n) => `n${n}`)
          const flows = pairs.map(([from, to], n) => flow(`f${n}`, `n${from % count}`, `n${to % count}`))
          const timers = ids.map(
            (id) => `<boundaryEvent id="b_${id}" attachedToRef="${id}"><timerEventDefinition/></boundaryEvent>`,
          )
          const laidOut = await layOutDiagram(
            bpmn([...ids.map((id) => `<userTask id="${id}"/>`), ...timers, ...flows].join('')),
          )
          const drawn = new Set(shapes(laidOut))
          for (const id of ids) expect(drawn).toContain(id)
          const marks = new Map([['n0', { is: 'done' as const, tokens: 0 }]])
          expect((await drawDiagram(laidOut, marks, 'a')).svg).toContain('data-element="n0"')
        },
      ),
      { numRuns: runs(200, 30) },
    )
  })

  it('of more than 2,000 elements is refused', async () => {
    const tasks = Array.from({ length: 2001 }, (_, n) => `<userTask id="t${n}"/>`)
    await expect(layOutDiagram(bpmn(inARow(start, ...tasks, end)))).rejects.toMatchObject({
      errors: { layout: [expect.stringContaining('draw its diagram in a modeler')] },
    })
  })
})
