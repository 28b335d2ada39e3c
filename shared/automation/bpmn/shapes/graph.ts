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
  /** `code` undefined: any error. `any`: it has no code of its own, and catches every error that nothing beside it names. */
  | { readonly on: 'error'; readonly code?: string; readonly any?: true }
  | { readonly on: 'link'; readonly name: string }
  /** Without a name it waits as a task does. */
  | { readonly on: 'message'; readonly name?: string; readonly key?: string }
  | { readonly on: 'signal'; readonly name: string }
  /** `code` undefined: any escalation. */
  | { readonly on: 'escalation'; readonly code?: string }
  | { readonly on: 'conditional'; readonly condition: string }
  | { readonly on: 'terminate' }
  /**
   * `handler`, of a boundary event: what compensates its activity. Of a throw event, `activity`: what it compensates, by
   * default all that its scope has completed; `isDetached`: it does not wait for that.
   */
  | { readonly on: 'compensation'; readonly handler?: string; readonly activity?: string; readonly isDetached?: true }
  /** Of a transaction. */
  | { readonly on: 'cancel' }

/** What an event, or a task that sends or receives a message, waits for or throws. */
export interface EventTriggers {
  readonly triggers: readonly Trigger[]
  /** It waits for all of them. */
  readonly isParallel?: true
}

export type Loop =
  | {
      readonly kind: 'multi'
      readonly isSequential: boolean
      readonly cardinality?: string
      readonly collection?: string
      readonly itemVariable?: string
      readonly until?: string
      /** The variable that collects a value of every pass. */
      readonly output?: { readonly variable: string; readonly value: string }
    }
  | {
      readonly kind: 'standard'
      readonly isTestedBefore: boolean
      readonly maximum?: number
      readonly condition?: string
    }

/** A variable that gets the value of a text with expressions. */
export interface MappedVariable {
  readonly target: string
  readonly value: string
}

/** What an activity is given as variables of its own, and what it hands over when it is completed. */
export interface VariableMapping {
  readonly in: readonly MappedVariable[]
  readonly out: readonly MappedVariable[]
}

/** What a multi-instance activity throws when one of its passes is completed: each, the first, or if a condition holds. */
export interface LoopEvent {
  readonly when: 'each' | 'first' | 'met'
  readonly condition?: string
  readonly triggers: readonly Trigger[]
}

/** How an ad-hoc sub-process runs. */
export interface AdHoc {
  readonly isSequential: boolean
  /** Nothing begins by itself. It lasts until its condition holds. */
  readonly isOnRequest: boolean
  readonly until?: string
  /** What still runs when its condition holds is not cancelled. */
  readonly lastsUntilEnd: boolean
}

/** What a call activity calls, for the same record. */
export interface CallDefinition {
  /** It is a task that the document defines for all of its processes: done as a task of people, or by the service. */
  readonly global?: 'task' | 'work'
  /** The code of a template; undefined: `expression` answers it. */
  readonly code?: string
  readonly expression?: string
  /** The version of the template when this process was saved; undefined: the one when it is called. */
  readonly pinned?: PinnedVersion | 'unknown'
  /** It is given all variables that the activity sees. */
  readonly passesAll?: true
  /** It hands over all of its variables. */
  readonly returnsAll?: true
}

export interface PinnedVersion {
  readonly templateId: number
  readonly version: number
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
  /** How many tokens an activity needs to start; undefined: one. */
  readonly startQuantity?: number
  /** How many tokens it sends along each flow; undefined: one. */
  readonly completionQuantity?: number
  /** The first of its triggers. */
  readonly trigger?: Trigger
  readonly triggers: readonly Trigger[]
  /** It waits for all of its triggers. */
  readonly isParallel: boolean
  readonly loop?: Loop
  readonly mapping?: VariableMapping
  /** What it throws while it runs several times. */
  readonly loopEvents?: readonly LoopEvent[]
  /** When a complex gateway continues. */
  readonly activation?: string
  readonly adHoc?: AdHoc
  readonly call?: CallDefinition
  /** Its boundary events. */
  readonly boundary: FlowNode[]
  readonly attachedTo?: FlowNode
  /** Of a boundary event, or of the start of an event sub-process. */
  readonly isInterrupting: boolean
  readonly isEventSubProcess: boolean
  /** It runs only to compensate another activity. */
  readonly isForCompensation: boolean
  /** A receive task or event-based gateway that starts the process when its message or event comes. */
  readonly isInstantiating: boolean
}

/** The nodes and flows of a process by id. */
export interface Graph {
  readonly processId: string
  readonly nodes: ReadonlyMap<string, FlowNode>
  readonly flows: ReadonlyMap<string, Flow>
}

/** A node as it is stored with a template: the nodes that belong to it by their ids, and without what others hold of it. */
export type StoredNode = Omit<
  FlowNode,
  'incoming' | 'outgoing' | 'boundary' | 'attachedTo' | 'trigger' | 'mapping' | 'call'
> & { readonly attachedTo?: string }

export interface StoredFlow {
  readonly id: string
  readonly source: string
  readonly target: string
  readonly condition?: string
  readonly isDefault?: true
}

/** A graph as it is stored with a template: JSON, in the order in which it is drawn. */
export interface StoredGraph {
  readonly nodes: readonly StoredNode[]
  readonly flows: readonly StoredFlow[]
}
