import type { BpmnElement } from './bpmn-element.ts'
import type { Finding } from './compiled-process.ts'

/** A process or sub-process with everything that is directly in it. */
export interface Surroundings {
  readonly owner: BpmnElement
  readonly elements: readonly BpmnElement[]
}

/** The processes of a document to run: those marked executable, or all when none is. */
export function processesOf(moddleContext: unknown): BpmnElement[] {
  const { rootElement } = moddleContext as { rootElement?: BpmnElement }
  const processes = (rootElement?.rootElements ?? []).filter((element) => element.$type === 'bpmn:Process')
  const executable = processes.filter((process) => process.isExecutable === true)
  return executable.length > 0 ? executable : processes
}

/** The name of an element in messages. */
export function labelOf({ id, name }: BpmnElement): string {
  if (name === undefined || name === '') return `'${id ?? '?'}'`
  return id === undefined ? `'${name}'` : `'${name}' (${id})`
}

export const finding = (element: BpmnElement, what: string): Finding => ({
  elementId: element.id ?? null,
  code: 'unsupported',
  message: `${labelOf(element)} ${what}`,
})

export const flowsOf = ({ elements }: Surroundings): BpmnElement[] =>
  elements.filter((element) => element.$type === 'bpmn:SequenceFlow')

/** The text of an expression; '' when there is none. */
export const bodyOf = (expression: BpmnElement | undefined): string => (expression?.body ?? '').trim()
