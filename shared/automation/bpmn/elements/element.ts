import type { LoopBehaviour, NodeBehaviour, TriggerBehaviour } from '../engine/tokens/engine-run.ts'
import type { BpmnElement } from '../shapes/bpmn-element.ts'
import type { Finding } from '../shapes/compiled-process.ts'
import type { Report } from '../shapes/findings.ts'
import type { FlowNode, Loop, Trigger } from '../shapes/graph.ts'
import type { Surroundings } from '../shapes/moddle-elements.ts'
import type { Links, Scope } from '../shapes/scopes.ts'

/** What each module of this folder declares of an element that templates may use. */
interface Element {
  /** As BPMN writes it: `userTask`, `timerEventDefinition`. */
  readonly type: string
  /** Its line in the list of supported elements (docs/guide/processes.md). */
  readonly line: string
  /** Attributes of the `wf:` namespace, which are compiled and not stored with the element. */
  readonly attributes?: WfAttributes
}

/** `name`: that of their type in the moddle descriptor. Elements of one family share one object. */
export interface WfAttributes {
  readonly name: string
  readonly names: readonly string[]
}

/** The elements of the `wf:` namespace that an element may hold. */
type WfElement = 'In' | 'Out' | 'CompleteOn' | 'Form' | 'SetFields' | 'CreateRecord' | 'Notify' | 'Script'

/** What a check of the definition gets: `report` takes what is wrong, in the author's words. */
export interface Check {
  readonly report: Report
  readonly elements: Elements
  /** What is wrong with a condition (JavaScript, bare or as `${...}`, or FEEL behind `=`); undefined: nothing. */
  readonly conditionProblem: (text: string | undefined) => string | undefined
  /** What such a text must be, for messages: `a JavaScript expression`. */
  readonly expressionKind: (text: unknown) => string
  /** What is wrong with the expressions in a text. */
  readonly textProblem: (text: string) => string | undefined
  /** Whether a text may name a process variable. */
  readonly isVariable: (name: string) => boolean
}

/** An activity, an event or a gateway: what a definition of it must be, and how tokens pass it. */
export interface NodeElement extends Element, NodeBehaviour {
  readonly kind: 'activity' | 'event' | 'gateway'
  /** It becomes a task (`CompiledProcess.tasks`) or work (`CompiledProcess.work`). */
  readonly reads?: 'task' | 'work' | 'script'
  readonly holds?: readonly WfElement[]
  /** The flows out of it may have conditions. */
  readonly mayChoose?: true
  /** It may follow an event-based gateway. */
  readonly isAwaitable?: true
  /** It is attached to an activity and reached with it. */
  readonly isAttached?: true
  /** Whether no flow needs to lead to it. */
  readonly isReachedWithoutFlow?: (node: BpmnElement) => boolean
  readonly checkPosition?: (node: BpmnElement, scope: Scope, check: Check) => void
  /** Checks which flows lead to it and leave it. */
  readonly checkFlows?: (node: BpmnElement, links: Links, check: Check) => void
  /** Checks that it is clear which way a token takes. */
  readonly checkChoice?: (node: BpmnElement, links: Links, check: Check) => void
  /** Of an event without any trigger. */
  readonly checkBare?: (node: BpmnElement, check: Check) => void
  /** Of an event: where it is. */
  readonly position?: (surroundings: Surroundings) => EventPosition
  /** What it asks for that the engine does not do. */
  readonly unsupported?: (node: BpmnElement, surroundings: Surroundings, elements: Elements) => readonly Finding[]
  /** Reads for the graph what other elements do not have. */
  readonly describe?: (node: BpmnElement) => Pick<FlowNode, 'activation' | 'adHoc'>
  /** Its expressions besides those of its loop, its events and its flows. */
  readonly expressions?: (node: BpmnElement) => readonly (BpmnElement | undefined)[]
}

/** Where an event is, which decides what triggers it may have. */
export interface EventPosition {
  readonly name: 'start' | 'handler' | 'boundary' | 'catch' | 'throw' | 'end'
  readonly needsTrigger: boolean
  /** What to use instead of a trigger that is not supported there. */
  readonly instead: string
}

/** What an event catches or throws (an event definition of BPMN). */
export interface TriggerElement extends Element, TriggerBehaviour {
  readonly on: Trigger['on']
  /** The root element that it refers to, and that is stored with the process. */
  readonly refersTo?: string
  readonly positions: readonly EventPosition['name'][]
  /** Why templates may not use it although the engine runs it, as what to use instead. */
  readonly instead?: string
  /** Reads it for the graph; undefined when it says too little. */
  readonly read: (definition: BpmnElement, event: BpmnElement) => Trigger | undefined
  readonly check?: (event: BpmnElement, definition: BpmnElement, check: Check) => void
  /** What is wrong with an event that throws it; undefined: nothing. */
  readonly throwProblem?: (event: BpmnElement, definition: BpmnElement, scope: Scope) => string | undefined
  readonly unsupported?: (
    event: BpmnElement,
    definition: BpmnElement,
    position: EventPosition,
    surroundings: Surroundings,
  ) => readonly Finding[]
}

/** A way in which an activity runs several times. */
export interface LoopElement extends Element, LoopBehaviour {
  readonly kind: Loop['kind']
  readonly read: (loop: BpmnElement) => Loop
  readonly check: (activity: BpmnElement, loop: BpmnElement, check: Check) => void
  readonly unsupported?: (activity: BpmnElement, loop: BpmnElement) => readonly Finding[]
}

/** All elements, by their types or elements of a document. */
export interface Elements {
  readonly node: (type: string) => NodeElement | undefined
  /** The element of a node, or the one that its type extends: a transaction is a sub-process, too. */
  readonly nodeOf: (element: BpmnElement) => NodeElement | undefined
  readonly trigger: (on: string | undefined) => TriggerElement | undefined
  readonly triggerOf: (definition: Pick<BpmnElement, '$type'> | undefined) => TriggerElement | undefined
  readonly loop: (kind: Loop['kind']) => LoopElement
  readonly loopOf: (type: string) => LoopElement | undefined
}
