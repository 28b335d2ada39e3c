export interface Flow {
  readonly id: string
  readonly source: FlowNode
  readonly target: FlowNode
  readonly condition?: string
  readonly isDefault: boolean
}

export type TimerKind = 'timeDuration' | 'timeDate' | 'timeCycle'

/** What an event catches or throws. */
export type Trigger =
  | { readonly on: 'timer'; readonly kind: TimerKind; readonly value: string }
  /** `code` undefined: any error. */
  | { readonly on: 'error'; readonly code?: string }
  | { readonly on: 'link'; readonly name: string }
  | { readonly on: 'message' }
  | { readonly on: 'terminate' }

export type Loop =
  | {
      readonly kind: 'multi'
      readonly isSequential: boolean
      readonly cardinality?: string
      readonly collection?: string
      readonly itemVariable?: string
      readonly until?: string
    }
  | {
      readonly kind: 'standard'
      readonly isTestedBefore: boolean
      readonly maximum?: number
      readonly condition?: string
    }

/** An activity, a gateway or an event of the diagram. */
export interface FlowNode {
  readonly id: string
  /** `userTask`, `exclusiveGateway`, ... */
  readonly type: string
  /** Its name in messages. */
  readonly label: string
  /** The process or sub-process it belongs to. */
  readonly parentId: string
  readonly incoming: Flow[]
  readonly outgoing: Flow[]
  readonly trigger?: Trigger
  readonly loop?: Loop
  /** Its boundary events. */
  readonly boundary: FlowNode[]
  readonly attachedTo?: FlowNode
  /** Of a boundary event, or of the start of an event sub-process. */
  readonly isInterrupting: boolean
  readonly isEventSubProcess: boolean
}

/** The nodes and flows of a process by id. */
export interface Graph {
  readonly processId: string
  readonly nodes: ReadonlyMap<string, FlowNode>
  readonly flows: ReadonlyMap<string, Flow>
}

/** An element as the engine's form of a document describes it. */
export interface Described {
  readonly type: string
  readonly behaviour?: Readonly<Record<string, unknown>>
}
export interface DescribedActivity extends Described {
  readonly id: string
  readonly name?: string
  readonly parent: { readonly id: string }
}
