import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { compileProcess } from '../../../../../shared/processes/definition/compile-process.ts'
import { fullProcess, requestProcess } from '../../../../make/builders/processes/process-templates.ts'

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

/** Changes one place of a document: an attribute, its name, a tag, some characters. */
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

it('answers whatever is done to a document: a process, or what is wrong in a sentence', async () => {
  const steps = fc.array(fc.record({ mutilation, at: fc.nat() }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(requestProcess(), fullProcess), steps, async (document, changes) => {
      const xml = changes.reduce((text, { mutilation: { what, put }, at }) => {
        const places = [...text.matchAll(what)]
        const place = places[at % Math.max(1, places.length)]
        return place === undefined ? text : text.slice(0, place.index) + put + text.slice(place.index + place[0].length)
      }, document)
      const compiled = await compileProcess(xml)
      // A process is JSON; what is wrong is never nothing, and in whole sentences.
      const told = 'process' in compiled ? [] : compiled.findings.map(({ message }) => message)
      expect('process' in compiled ? JSON.parse(JSON.stringify(compiled.process)) : { v: 1 }).toMatchObject({ v: 1 })
      expect(told.length > 0 || 'process' in compiled).toBe(true)
      expect(told.filter((message) => !/^[A-Z'].*\.$/s.test(message))).toEqual([])
    }),
    { seed: 8, numRuns: 300 },
  )
})

it('takes both documents as they are', async () => {
  for (const xml of [requestProcess(), fullProcess]) expect(await compileProcess(xml)).toHaveProperty('process')
})
