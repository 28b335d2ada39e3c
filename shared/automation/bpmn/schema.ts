/** The state of a process between two steps: small, JSON, and opaque to everything but the engine. */
export type EngineState = unknown

/** What may happen to a waiting process. A command for an `executionId` that no longer waits is ignored. */
export type Command =
  /** A user, manual or receive task is done. */
  | {
      readonly kind: 'complete'
      readonly executionId: string
      readonly variables?: Readonly<Record<string, unknown>>
      readonly task?: CompletedTask
      readonly data?: TaskResult['data']
    }
  /** A timer is due. */
  | { readonly kind: 'timer'; readonly executionId: string }
  /** What an event waits for has occurred. `isMet: false`: the condition of one does not hold any more. */
  | {
      readonly kind: 'event'
      readonly executionId: string
      readonly variables?: Readonly<Record<string, unknown>>
      readonly isMet?: boolean
    }
  /** A BPMN error is thrown into a waiting activity. */
  | { readonly kind: 'error'; readonly executionId: string; readonly code: string; readonly message: string }
  /** What a call activity has called is completed. `variables`: those of the called process itself. */
  | {
      readonly kind: 'called'
      readonly executionId: string
      readonly variables: Readonly<Record<string, unknown>>
    }
  /** What a call activity has called was cancelled: the activity has failed. */
  | { readonly kind: 'fail'; readonly executionId: string; readonly message: string }
  /** What a call activity has called escalates. */
  | { readonly kind: 'escalation'; readonly executionId: string; readonly code?: string }
  /** An activity of a running ad-hoc sub-process, which is the execution, begins. */
  | { readonly kind: 'begin'; readonly executionId: string; readonly elementId: string }
  /** Failed work is retried. */
  | { readonly kind: 'retry'; readonly executionId: string }

/** One iteration of a loop or multi-instance activity; `index` counts from 0. */
export interface LoopPosition {
  readonly index: number
  readonly total?: number
  /** The element of the collection. */
  readonly item?: unknown
}

/** A task that was completed: `task` in conditions and scripts. Tokens carry it, so its members are a stored format. */
export interface CompletedTask {
  readonly id: number
  readonly element_id: string
  readonly name: string | null
  readonly outcome: string | null
  readonly completed_by: number | null
}

/** How a task was completed: `tasks.<element id>` in conditions and scripts. */
export interface TaskResult {
  readonly outcome: string | null
  readonly completed_by: number | null
  /** What was entered into its form. */
  readonly data: Readonly<Record<string, unknown>>
}

/** One thing that a process waits for. */
export type Wait =
  | {
      readonly kind: 'task'
      readonly elementId: string
      readonly executionId: string
      readonly loop?: LoopPosition
    }
  /** `dueAt`: ISO 8601 in UTC, fixed when the timer starts. `attachedTo`: the element of a boundary timer. */
  | {
      readonly kind: 'timer'
      readonly elementId: string
      readonly executionId: string
      readonly dueAt: string
      readonly attachedTo?: string
    }
  /** A message, a signal or a condition. `key` undefined: the id of the record. `isMet`: the condition held before. */
  | {
      readonly kind: 'event'
      readonly elementId: string
      readonly executionId: string
      readonly on: 'message' | 'signal' | 'conditional'
      readonly name?: string
      readonly key?: string
      readonly isMet?: true
      readonly attachedTo?: string
    }
  /** A process that was called. `isPass`: by one pass of a multi-instance activity. */
  | { readonly kind: 'call'; readonly elementId: string; readonly executionId: string; readonly isPass?: true }
  /** Work that failed, an incident: its token waits for a retry, other branches continue. */
  | {
      readonly kind: 'failed'
      readonly elementId: string
      readonly executionId: string
      readonly message: string
      readonly code?: string
    }

/** What happened to an activity, gateway or event. Elements that were never entered have no events. */
export interface ActivityEvent {
  readonly elementId: string
  /** `userTask`, `exclusiveGateway`, `boundaryEvent`, ... */
  readonly type: string
  readonly executionId: string
  readonly what: 'entered' | 'completed' | 'cancelled' | 'failed'
  /** ISO 8601 in UTC. */
  readonly at: string
}

/** A message or signal that a process sends. `key` undefined: the id of the record. */
export interface Thrown {
  readonly on: 'message' | 'signal'
  readonly name: string
  readonly key?: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly elementId: string
  readonly executionId: string
  /** The events of the process itself that a signal has reached already. */
  readonly reached?: readonly string[]
}

/** The version of a template that a call activity calls. */
export interface CalledProcess {
  readonly templateId: number
  readonly version: number
  readonly code: string
}

/** A call that has begun. `variables`: what the called process starts with. */
export interface BegunCall extends CalledProcess {
  readonly elementId: string
  readonly executionId: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** An error that a process does not catch itself. */
export interface EscapedError {
  readonly code: string
  readonly message: string
}

/** The result of a step. */
export interface Advance {
  readonly status: 'running' | 'completed' | 'failed'
  /** When the step failed, the state before it. */
  readonly state: EngineState
  /** Everything the process waits for now. */
  readonly waits: readonly Wait[]
  /** What happened in this step, in order. */
  readonly events: readonly ActivityEvent[]
  /** The messages and signals that it sent, in order. */
  readonly thrown: readonly Thrown[]
  /** The processes that it called; those that it does not wait for any more are not to start. */
  readonly calls: readonly BegunCall[]
  /** The escalations that nothing in it caught, by their code, for its caller. */
  readonly escalated: readonly { readonly code?: string }[]
  /** Of a completed process: the error that ended it, which its caller catches. */
  readonly escaped?: EscapedError
  /** The variables of the process itself after the step. */
  readonly variables: Readonly<Record<string, unknown>>
  /** The step was stopped in time: an advance without commands continues it. */
  readonly isUnfinished?: true
  /** Commands whose `executionId` no longer waited. */
  readonly ignored: readonly Command[]
  /** Why the step failed: no flow of a gateway holds, a condition throws, an error is not caught. */
  readonly failure?: { readonly elementId?: string; readonly message: string }
}

/** A running ad-hoc sub-process, and what may begin in it. */
export interface OpenAdHoc {
  readonly elementId: string
  readonly executionId: string
  readonly activities: readonly string[]
}

/** What an expression or a piece of work sees of the process. */
export interface ElementScope {
  readonly elementId: string
  readonly executionId?: string
  /** Those of the process and of every scope around the element. */
  readonly variables: Readonly<Record<string, unknown>>
  readonly loop?: LoopPosition
  /** The task that was just completed on the way to the element. */
  readonly task: CompletedTask | null
  readonly tasks: Readonly<Record<string, TaskResult>>
}

export interface Work extends ElementScope {
  readonly executionId: string
  /** `serviceTask`, `scriptTask`, `sendTask`, `businessRuleTask`, ... */
  readonly type: string
}

/** What the engine calls outside of itself. */
export interface EngineHost {
  /** Milliseconds since the epoch. */
  now(): number
  /** The time zone of cron schedules; UTC without it. */
  timeZone?(): Promise<string>
  /** Whether the step has taken so long that the next one is to continue it. */
  isOverdue?(): boolean
  /** Evaluates an expression of a flow, loop or timer, bare or as `${...}`. An exception fails the step. */
  evaluate(expression: string, scope: ElementScope): Promise<unknown>
  /**
   * Performs the work of a task. `isActive` says whether an execution still exists at this point of the step.
   * @throws BpmnError for what a boundary event may catch; any other error leaves the work `failed`.
   */
  perform(
    work: Work,
    isActive: (executionId: string) => boolean,
  ): Promise<{ readonly variables?: Readonly<Record<string, unknown>> } | undefined>
  /** Finds what a call activity calls with these variables. An error leaves the activity `failed`. */
  call?(work: Work, variables: Readonly<Record<string, unknown>>): Promise<CalledProcess>
  /** Whether a caller of the process catches an error that nothing in it does. */
  isCaughtByCaller?(code: string): Promise<boolean>
}

/** A BPMN error. Boundary events and error start events with its code, or with none, catch it. */
export class BpmnError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'BpmnError'
    this.code = code
  }
}
