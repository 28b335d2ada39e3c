import { createRequire } from 'node:module'
import { readEvents } from '../../../../shared/automation/bpmn/document/read-events.ts'
import { readGraph } from '../../../../shared/automation/bpmn/document/read-graph.ts'
import type { Check } from '../../../../shared/automation/bpmn/elements/element.ts'
import { elements } from '../../../../shared/automation/bpmn/elements/registry.ts'
import type { BpmnElement, ModdleContext } from '../../../../shared/automation/bpmn/shapes/bpmn-element.ts'
import type { CompiledProcess } from '../../../../shared/automation/bpmn/shapes/compiled-process.ts'
import type { EventTriggers, Trigger } from '../../../../shared/automation/bpmn/shapes/graph.ts'
import { type Scope, scopesOf } from '../../../../shared/automation/bpmn/shapes/scopes.ts'

interface Moddle {
  fromXML(xml: string): Promise<unknown>
}
// The package has no types.
const BpmnModdle = createRequire(import.meta.url)('bpmn-moddle') as new (packages: Record<string, unknown>) => Moddle

const attribute = (name: string) => ({ name, isAttr: true, type: 'String' })
const wf = {
  name: 'wf',
  uri: 'urn:entity-workflow:wf:1',
  prefix: 'wf',
  types: [
    {
      name: 'Collection',
      isAbstract: true,
      extends: ['bpmn:MultiInstanceLoopCharacteristics'],
      properties: ['collection', 'elementVariable', 'outputCollection', 'outputElement'].map(attribute),
    },
    {
      name: 'AdHoc',
      isAbstract: true,
      extends: ['bpmn:AdHocSubProcess'],
      properties: ['begin'].map(attribute),
    },
    {
      name: 'Correlation',
      isAbstract: true,
      extends: ['bpmn:Message', 'bpmn:CatchEvent', 'bpmn:ThrowEvent', 'bpmn:ReceiveTask', 'bpmn:SendTask'],
      properties: ['correlationKey'].map(attribute),
    },
  ],
}
const moddle = new BpmnModdle({ wf })

/** A BPMN document with one process, `P`. `roots`: further root elements. */
export const documentOf = (content: string, roots = ''): string =>
  `<?xml version="1.0"?><definitions id="D" xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:wf="urn:entity-workflow:wf:1" targetNamespace="x">${roots}<process id="P" isExecutable="true">${content}</process></definitions>`

/** Reads a document with moddle. */
export const readDocument = (xml: string): Promise<unknown> => moddle.fromXML(xml)

/** Compiles a process for the engine only, without the rest of its definition. */
export const compileOnly = async (
  content: string,
  roots = '',
  mappings: CompiledProcess['mappings'] = {},
  hasEvents = false,
): Promise<CompiledProcess> => compileDocument(documentOf(content, roots), mappings, hasEvents)

/** Compiles the process `P` of a document for the engine only. */
export async function compileDocument(
  xml: string,
  mappings: CompiledProcess['mappings'] = {},
  hasEvents = false,
): Promise<CompiledProcess> {
  const { rootElements = [] } = ((await readDocument(xml)) as ModdleContext).rootElement
  const process = rootElements.find(({ $type, id }) => $type === 'bpmn:Process' && id === 'P') as BpmnElement
  const check = { report: () => {}, elements, conditionProblem: () => undefined } as unknown as Check
  const { events, loopEvents } = readEvents(scopesOf(process) as readonly Scope[], {}, check)
  const graph = readGraph(
    process,
    hasEvents ? { events, loopEvents } : { events: withoutNames(events), loopEvents: {} },
  )
  return { v: 2, processId: 'P', name: null, graph, wf: {}, elements: {}, tasks: {}, work: {}, mappings }
}

/** Messages without names, which wait as tasks do, and no other events that somebody sends. */
const withoutNames = (events: Readonly<Record<string, EventTriggers>>): Record<string, EventTriggers> =>
  Object.fromEntries(
    Object.entries(events).map(([id, { triggers, ...more }]) => [
      id,
      {
        ...more,
        triggers: triggers.flatMap((trigger): Trigger[] =>
          trigger.on === 'message' ? [{ on: 'message' }] : inEveryEngine.has(trigger.on) ? [trigger] : [],
        ),
      },
    ]),
  )

const inEveryEngine: ReadonlySet<Trigger['on']> = new Set(['timer', 'error', 'link', 'terminate'])

/** Sequence flows from lines such as `g -> a if x > 1`; the flow's id is `g_a`, or what follows `as`. */
export function flows(...lines: readonly string[]): string {
  return lines
    .map((line) => {
      const [path = '', condition] = line.split(' if ')
      const [ends = '', name] = path.split(' as ')
      const stations = ends.split('->').map((end) => end.trim())
      return stations
        .slice(1)
        .map((target, i) => flow(stations[i] ?? '', target, condition, name?.trim()))
        .join('')
    })
    .join('')
}

function flow(source: string, target: string, condition: string | undefined, id = `${source}_${target}`): string {
  const escaped = condition?.trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const expression =
    escaped === undefined ? '' : `<conditionExpression xsi:type="tFormalExpression">${escaped}</conditionExpression>`
  return `<sequenceFlow id="${id}" sourceRef="${source}" targetRef="${target}">${expression}</sequenceFlow>`
}
