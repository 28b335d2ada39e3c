import { describe, expect, it } from 'vitest'
import { drawDiagram } from '../../../../../../shared/automation/bpmn/diagram/draw-diagram.ts'
import { marksOf, wrapText } from '../../../../../../shared/automation/bpmn/diagram/glyphs.ts'
import { bpmn, end, inARow, start } from '../../../../../make/builders/processes/processes.ts'

const open = { id: 1, instance_id: 1, status: 'open', message: '', created_at: '', resolved_at: null } as const
const marks = marksOf({
  history: [{ element_id: 'start', status: 'completed' }] as never,
  tokens: [{ element_id: 'ask' }, { element_id: 'ask' }] as never,
  incidents: [{ ...open, element_id: 'send' }] as never,
})

describe('the picture of a process', () => {
  it('marks what is done, where tokens wait, and what failed, of a document without a diagram', async () => {
    const xml = bpmn(inARow(start, '<userTask id="ask" name="Ask"/>', '<manualTask id="send"/>', end))
    const { svg } = await drawDiagram(xml, marks, 'Asking')
    expect(svg).toMatch(/<g class="is-done" data-element="start">.*✓/)
    expect(svg).toMatch(/<g class="is-active" data-element="ask">.*<title>Ask: waits here<\/title>.*>2<\/text>/)
    expect(svg).toMatch(/<g class="is-failed" data-element="send">.*>!<\/text>/)
    expect(svg).toContain('prefers-color-scheme:dark')
  })

  it('has one theme when it is named, and that of the reader otherwise', async () => {
    const xml = bpmn(inARow(start, end))
    const [own, light, dark] = await Promise.all(
      ([undefined, 'light', 'dark'] as const).map((theme) => drawDiagram(xml, marks, 'Themed', theme)),
    )
    expect(own?.svg).toContain('prefers-color-scheme:dark')
    expect([light?.svg, dark?.svg].map((svg) => /--paper:(#\w+)/.exec(svg ?? '')?.[1])).toEqual(['#fff', '#0d1117'])
    expect(light?.svg).not.toContain('prefers-color-scheme')
    expect(new Set([own?.policy, light?.policy, dark?.policy]).size).toBe(3)
  })

  it('folds what a collapsed sub-process contains, and marks the sub-process for it', async () => {
    const inner = '<userTask id="ask" name="Ask"/><userTask id="visit" name="Visit"/>'
    const done = '<completionCondition>${variables.done}</completionCondition>'
    const xml = bpmn(inARow(start, `<adHocSubProcess id="care" name="Care">${inner}${done}</adHocSubProcess>`, end))
    const { svg } = await drawDiagram(xml, marks, 'Folded')
    expect(svg).not.toMatch(/data-element="(ask|visit)"/)
    expect(svg).toMatch(/<g class="is-active" data-element="care">/)
  })

  it('shows hostile names as text', async () => {
    const name = '&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&quot;x'
    const xml = bpmn(inARow(start, `<userTask id="ask" name="${name}"/>`, end))
    const { svg, policy } = await drawDiagram(xml, marks, '</title><script>alert(1)</script>\u0000')
    expect(svg).not.toMatch(/<script|onload="/)
    expect(svg).not.toContain('\u0000')
    expect(svg).toContain('&lt;script&gt;')
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; sandbox$/)
  })

  it('draws a diagram as its author placed it, but nothing outside of all bounds', async () => {
    const shape = (id: string, x: string) =>
      `<bpmndi:BPMNShape id="${id}_di" bpmnElement="${id}"><dc:Bounds x="${x}" y="80" width="100" height="60"/></bpmndi:BPMNShape>`
    const di = `<bpmndi:BPMNDiagram xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" id="d"><bpmndi:BPMNPlane id="p" bpmnElement="process">${shape('ask', '321')}${shape('send', '1e12')}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>`
    const xml = bpmn(inARow(start, '<userTask id="ask"/>', '<manualTask id="send"/>', end)).replace(
      /(<\/[\w:]*definitions>)/,
      `${di}$1`,
    )
    const { svg } = await drawDiagram(xml, marks, 'Placed')
    expect(svg).toContain('viewBox="301 60 140 130"')
    expect(svg).toContain('data-element="ask"')
    expect(svg).not.toContain('data-element="send"')
  })
})

it('a long name is broken at its words, and what does not fit ends with an ellipsis', () => {
  expect(wrapText('Approve the request of the client', { characters: 12, lines: 2 })).toEqual([
    'Approve the',
    'request of…',
  ])
  expect(wrapText('', { characters: 12, lines: 2 })).toEqual([])
  expect(wrapText('Donaudampfschiff', { characters: 8, lines: 3 })).toEqual(['Donaudam', 'pfschiff'])
})
