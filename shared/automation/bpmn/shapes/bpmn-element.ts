/** An element as moddle reads it, with attributes and children as properties. Declares those that we read. */
export interface BpmnElement {
  readonly $type: string
  readonly $parent?: BpmnElement
  /** Attributes that are in no descriptor. */
  readonly $attrs: Readonly<Record<string, string>>
  /** The properties it may have; undefined for elements of unknown namespaces. */
  readonly $descriptor?: {
    readonly properties?: readonly {
      readonly name: string
      readonly type: string
      readonly isAttr?: boolean
      readonly isReference?: boolean
      readonly isMany?: boolean
    }[]
  }
  $instanceOf?(type: string): boolean
  /** Makes elements as the reader does. */
  readonly $model?: { create(type: string, properties: object): BpmnElement }
  /** Sets a property as the reader does: references are not enumerable. */
  set?(property: string, value: unknown): void
  id?: string
  name?: string
  rootElements?: BpmnElement[]
  flowElements?: BpmnElement[]
  participants?: BpmnElement[]
  messageFlows?: BpmnElement[]
  eventDefinitions?: BpmnElement[]
  eventDefinitionRef?: BpmnElement[]
  resources?: BpmnElement[]
  extensionElements?: BpmnElement
  values?: BpmnElement[]
  sourceRef?: BpmnElement
  targetRef?: BpmnElement
  attachedToRef?: BpmnElement
  default?: BpmnElement
  loopCharacteristics?: BpmnElement
  conditionExpression?: BpmnElement
  loopCardinality?: BpmnElement
  loopCondition?: BpmnElement
  completionCondition?: BpmnElement
  timeDuration?: BpmnElement
  timeDate?: BpmnElement
  timeCycle?: BpmnElement
  /** Text between the tags. */
  body?: string
  language?: string
  isExecutable?: boolean
  triggeredByEvent?: boolean
  [property: string]: unknown
}

export interface ModdleReference {
  readonly element: BpmnElement
  readonly property: string
  readonly id: string
}

export interface ModdleWarning {
  readonly message: string
  readonly element?: BpmnElement
  readonly property?: string
}

/** What moddle's `fromXML` resolves to. */
export interface ModdleContext {
  readonly rootElement: BpmnElement
  readonly elementsById: Readonly<Record<string, BpmnElement>>
  references: readonly ModdleReference[]
  readonly warnings: readonly ModdleWarning[]
}

export const isA = (element: BpmnElement | undefined, ...types: string[]): boolean =>
  element !== undefined && types.some((type) => element.$instanceOf?.(`bpmn:${type}`) === true)

/** `userTask` for `bpmn:UserTask`. */
export const typeOf = ({ $type }: Pick<BpmnElement, '$type'>): string => {
  const local = $type.slice($type.indexOf(':') + 1)
  return local.charAt(0).toLowerCase() + local.slice(1)
}

/** The name of an element in messages: `the user task "Approve"`, `the wf:notify of the user task "Approve"`. */
export function describe(element: BpmnElement): string {
  if (element.$type.startsWith('wf:')) {
    const host = hostOf(element)
    return host === undefined ? `a wf:${typeOf(element)}` : `the wf:${typeOf(element)} of ${describe(host)}`
  }
  const kind = typeOf(element)
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace('ad hoc', 'ad-hoc')
    .replace('event based', 'event-based')
    .replace('sub process', 'sub-process')
  const name = element.name ?? element.id
  return name === undefined ? `${/^[aeio]/.test(kind) ? 'an' : 'a'} ${kind}` : `the ${kind} "${name.slice(0, 80)}"`
}

/** The BPMN element that a `wf:` element belongs to; undefined when reading ended before they were joined. */
function hostOf(element: BpmnElement): BpmnElement | undefined {
  let host = element.$parent
  while (host !== undefined && (host.$type.startsWith('wf:') || host.$type === 'bpmn:ExtensionElements'))
    host = host.$parent
  return host
}

export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The id of the element, or of the nearest element around it that has an id and is visible in a diagram. */
export function visibleId(element: BpmnElement): string | null {
  for (let at: BpmnElement | undefined = element; at !== undefined; at = at.$parent) {
    if (at.id !== undefined && isA(at, 'FlowElement', 'RootElement', 'Participant') && !isA(at, 'EventDefinition'))
      return at.id
  }
  return null
}

/** The element directly in the definitions that holds this one, or is it. */
export function rootOf(element: BpmnElement): BpmnElement {
  let root = element
  while (root.$parent !== undefined && !isA(root.$parent, 'Definitions')) root = root.$parent
  return root
}
