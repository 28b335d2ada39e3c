import type { Finding } from '../../definition/compiled-process.ts'

/** An element as moddle reads it; references to other elements are resolved. */
export interface Element {
  readonly $type: string
  readonly id?: string
  readonly name?: string
  readonly flowElements?: readonly Element[]
  readonly sourceRef?: Element
  readonly targetRef?: Element
  readonly default?: Element
  readonly attachedToRef?: Element
  readonly conditionExpression?: { readonly body?: string; readonly language?: string; readonly resource?: string }
  readonly eventDefinitions?: readonly Definition[]
  readonly eventDefinitionRef?: readonly unknown[]
  readonly loopCharacteristics?: { readonly $type: string } & Readonly<Record<string, unknown>>
  readonly triggeredByEvent?: boolean
  readonly isForCompensation?: boolean
  readonly instantiate?: boolean
  readonly isExecutable?: boolean
  readonly isInterrupting?: boolean
  readonly cancelActivity?: boolean
  readonly parallelMultiple?: boolean
  readonly eventGatewayType?: string
  readonly startQuantity?: number
  readonly completionQuantity?: number
}

export interface Definition {
  readonly $type: string
  readonly name?: string
  readonly timeDuration?: { readonly body?: string }
  readonly timeDate?: { readonly body?: string }
  readonly timeCycle?: { readonly body?: string }
}

/** A process or sub-process with its direct children. */
export interface Scope {
  readonly owner: Element
  readonly elements: readonly Element[]
}

/** The processes of a document to run: those marked executable, or all when none is. */
export function processesOf(moddleContext: unknown): Element[] {
  const { rootElement } = moddleContext as { rootElement?: { rootElements?: readonly Element[] } }
  const processes = (rootElement?.rootElements ?? []).filter((element) => element.$type === 'bpmn:Process')
  const executable = processes.filter((process) => process.isExecutable === true)
  return executable.length > 0 ? executable : processes
}

/** The name of an element in messages. */
export function labelOf({ id, name }: Element): string {
  if (name === undefined || name === '') return `'${id ?? '?'}'`
  return id === undefined ? `'${name}'` : `'${name}' (${id})`
}

export const finding = (element: Element, what: string): Finding => ({
  elementId: element.id ?? null,
  message: `${labelOf(element)} ${what}`,
})

export const flowsOf = ({ elements }: Scope): Element[] =>
  elements.filter((element) => element.$type === 'bpmn:SequenceFlow')
