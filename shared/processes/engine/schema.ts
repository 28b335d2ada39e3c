/** What the runtime keeps of a process between its steps: JSON, small; opaque to everybody but the engine. */
export type EngineState = unknown

/** What may happen to a waiting process. One whose `executionId` waits no more is ignored. */
export type Command =
  /** A user, manual or receive task is done. */
  | {
      readonly kind: 'complete'
      readonly executionId: string
      readonly outcome?: string
      readonly variables?: Readonly<Record<string, unknown>>
    }
  /** A timer is due. */
  | { readonly kind: 'timer'; readonly executionId: string }
  /** A BPMN error is thrown into a waiting activity. */
  | { readonly kind: 'error'; readonly executionId: string; readonly code: string; readonly message: string }
  /** Work that failed is to be done again. */
  | { readonly kind: 'retry'; readonly executionId: string }

/** Which turn of a loop or of a multi-instance activity this is, from 0. */
export interface LoopPosition {
  readonly index: number
  readonly total?: number
  /** The element of the collection. */
  readonly item?: unknown
}

/** One thing that a process waits for. */
export type Wait =
  | { readonly kind: 'task'; readonly elementId: string; readonly executionId: string; readonly loop?: LoopPosition }
  /** `dueAt`: ISO 8601 in UTC, settled when the timer started. */
  | {
      readonly kind: 'timer'
      readonly elementId: string
      readonly executionId: string
      readonly dueAt: string
      readonly attachedTo?: string
    }
  /** Work that failed: an incident. Its token stays there, everything else goes on. */
  | {
      readonly kind: 'failed'
      readonly elementId: string
      readonly executionId: string
      readonly message: string
      readonly code?: string
    }

/** Something that really happened to an activity, gateway or event; what was passed over is not told. */
export interface ActivityEvent {
  readonly elementId: string
  /** `userTask`, `exclusiveGateway`, `boundaryEvent`, ... */
  readonly type: string
  readonly executionId: string
  readonly what: 'entered' | 'completed' | 'cancelled' | 'failed'
  /** ISO 8601 in UTC. */
  readonly at: string
}

/** Where a process stands after a step. */
export interface Advance {
  readonly status: 'running' | 'completed' | 'failed'
  /** Of no use when the step failed: the last good one holds on. */
  readonly state: EngineState
  /** Everything the process waits for now. */
  readonly waits: readonly Wait[]
  /** What happened in this step, in its order. */
  readonly events: readonly ActivityEvent[]
  /** The variables of the process as they stand. */
  readonly variables: Readonly<Record<string, unknown>>
  /** Commands whose `executionId` waits no more. */
  readonly ignored: readonly Command[]
  /** Why the engine could not go on: no flow out of a gateway holds, a condition throws, an error nobody catches. */
  readonly failure?: { readonly elementId?: string; readonly message: string }
}

/** Where an expression or a piece of work stands. */
export interface ElementScope {
  readonly elementId: string
  readonly executionId?: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly loop?: LoopPosition
}

export interface Work extends ElementScope {
  readonly executionId: string
  /** `serviceTask`, `scriptTask`, `sendTask`, `businessRuleTask`, ... */
  readonly type: string
}

/** What the engine needs of the world. */
export interface EngineHost {
  /** Milliseconds since the epoch. */
  now(): number
  /** The value of an expression, bare or as `${...}`: flow conditions, loops, timers. What it throws fails the step. */
  evaluate(expression: string, scope: ElementScope): Promise<unknown>
  /**
   * Does the work of a task. `stands` tells whether an execution is still there at this moment of the step. Throws BpmnError
   * for what a boundary event may catch; anything else leaves the work `failed`.
   */
  perform(
    work: Work,
    stands: (executionId: string) => boolean,
  ): Promise<{ readonly variables?: Readonly<Record<string, unknown>> } | undefined>
}

/** An error in the sense of BPMN: caught by a boundary event, or an error start event, of its code. */
export class BpmnError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'BpmnError'
    this.code = code
  }
}
