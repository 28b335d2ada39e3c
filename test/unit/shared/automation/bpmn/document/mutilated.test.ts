import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { compileProcess } from '../../../../../../shared/automation/bpmn/document/compile-process.ts'
import { fullProcess, requestProcess } from '../../../../../make/builders/processes/process-templates.ts'
import { runs } from '../../../../../make/depth.ts'

const words = [
  '',
  ' ',
  'x',
  'p',
  'approve',
  'to_open',
  '__proto__',
  '${',
  '${}',
  '${record.',
  '-1',
  'true',
  'a,b',
  '!a,b',
  'PT',
  'R/PT1H',
  '%',
  'bpmn:tFoo',
]
const tags = [
  'bpmn:task',
  'bpmn:subProcess',
  'bpmn:boundaryEvent',
  'bpmn:endEvent',
  'bpmn:exclusiveGateway',
  'bpmn:sequenceFlow',
  'bpmn:process',
  'bpmn:activity',
  'wf:notify',
  'wf:set',
  'x:y',
  'bpmndi:BPMNShape',
  'bpmn:loopCharacteristics',
]

/** Changes one position of a document: an attribute, its name, a tag, some characters. */
const mutilation = fc.oneof(
  fc.record({ what: fc.constant(/"[^"]*"/g), put: fc.constantFrom(...words).map((word) => `"${word}"`) }),
  fc.record({ what: fc.constant(/\s[\w:]+="[^"]*"/g), put: fc.constant('') }),
  fc.record({
    what: fc.constant(/[\w:]+(?==")/g),
    put: fc.constantFrom(
      'id',
      'name',
      'default',
      'flowElements',
      'eventDefinitions',
      'attachedToRef',
      'wf:x',
      'isExecutable',
    ),
  }),
  fc.record({ what: fc.constant(/(?<=<)[\w:]+/g), put: fc.constantFrom(...tags) }),
  fc.record({
    what: fc.constant(/<[^>]*\/>/g),
    put: fc.constantFrom('', 'text', ...tags.map((tag) => `<${tag} id="new" />`)),
  }),
  fc.record({ what: fc.constant(/>[^<]+</g), put: fc.constantFrom(...words).map((word) => `>${word}<`) }),
  fc.record({ what: fc.constant(/./g), put: fc.constantFrom('', '<', '>', '&', '"', '\u0000') }),
)

it('answers a process, or findings in whole sentences, for any mutated document', async () => {
  const steps = fc.array(fc.record({ mutilation, at: fc.nat() }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(requestProcess(), fullProcess), steps, async (document, changes) => {
      const xml = changes.reduce((text, { mutilation: { what, put }, at }) => {
        const matches = [...text.matchAll(what)]
        const match = matches[at % Math.max(1, matches.length)]
        return match === undefined ? text : text.slice(0, match.index) + put + text.slice(match.index + match[0].length)
      }, document)
      const compiled = await compileProcess(xml)
      const messages = 'process' in compiled ? [] : compiled.findings.map(({ message }) => message)
      expect('process' in compiled ? JSON.parse(JSON.stringify(compiled.process)) : { v: 2 }).toMatchObject({ v: 2 })
      expect(messages.length > 0 || 'process' in compiled).toBe(true)
      expect(messages.filter((message) => !/^[A-Z'].*\.$/s.test(message))).toEqual([])
    }),
    { seed: 8, numRuns: runs(300) },
  )
})

it('compiles both documents unchanged', async () => {
  for (const xml of [requestProcess(), fullProcess]) expect(await compileProcess(xml)).toHaveProperty('process')
})
