import { own } from '../../../../kernel/collections/own-members.ts'
import { maxActivationsPerStep } from '../../../../kernel/limits/processes.ts'
import type {
  ActivityEvent,
  BegunCall,
  CompletedTask,
  EngineHost,
  EscapedError,
  TaskResult,
  Thrown,
} from '../../schema.ts'
import type { FlowNode, Flow, Graph, Loop, Trigger } from '../../shapes/graph.ts'
import type { Timing } from '../../shapes/timing.ts'

/** An active token. The tokens are stored between two steps, so their members are a stored format. */
export type Token = TokenPosition &
  (
    | { readonly is: 'task' }
    | { readonly is: 'work'; readonly failed?: { readonly message: string; readonly code?: string } }
    /** A call activity whose process runs as an instance of its own. */
    | { readonly is: 'call' }
    /** A running sub-process; the tokens in it have its id as `in`. */
    | {
        readonly is: 'scope'
        readonly ended?: CompletedTask
        /** Of an ad-hoc sub-process: what begins when nothing runs in it. */
        readonly queue?: readonly string[]
        /** Of an ad-hoc sub-process whose completion condition has held. */
        readonly isDone?: true
      }
    /**
     * Compensates what was completed, one after another. `left`: the ids of what is still to be compensated, the last one
     * first. Then it leaves its event, ends without a trace, or cancels the transaction that it is in.
     */
    | { readonly is: 'compensation'; readonly left: readonly string[]; readonly after: 'leave' | 'end' | 'cancel' }
    /** A loop or multi-instance activity; each iteration has its id as `loop`. */
    | {
        readonly is: 'loop'
        readonly total?: number
        readonly begun: number
        readonly done: number
        readonly items?: readonly unknown[]
        /** The task that was completed last in its passes. */
        readonly ended?: CompletedTask
        /** What its passes handed over, by their index. */
        readonly outputs?: Readonly<Record<string, unknown>>
      }
    /** A complex gateway that has continued and waits for the tokens of these flows, which end there. */
    | { readonly is: 'reset'; readonly flows: readonly string[] }
    /** An event-based gateway that waits; its events have its id as `gate`. */
    | { readonly is: 'gate' }
    /** A timer catch event. */
    | ({ readonly is: 'timer' } & Timing)
    /** A catch event or receive task that waits for an event other than a timer. */
    | ({ readonly is: 'event' } & (Subscription | Several))
    /** A boundary event of the activity `host`. */
    | ({ readonly is: 'watch'; readonly host: string } & (Awaited | Several))
    /** The start of an event sub-process. It does not keep its scope running. */
    | ({ readonly is: 'alarm' } & (Awaited | Several))
    /** One of several triggers of the event `of`. */
    | ({ readonly is: 'part'; readonly of: string; readonly trigger: number } & Awaited)
  )

/** What an event waits for besides a time. `key` undefined: the id of the record. */
export type Subscription =
  | { readonly on: 'message'; readonly name: string; readonly key?: string }
  | { readonly on: 'signal'; readonly name: string }
  /** `isMet`: it has held since the event last occurred. */
  | { readonly on: 'conditional'; readonly isMet?: true }

export type Awaited = Timing | Subscription

/** An event with several triggers, each of which is a `part`. `given`: what came with those that have occurred. */
interface Several {
  readonly on: 'several'
  readonly given?: Readonly<Record<string, unknown>>
}

export interface TokenPosition {
  /** The executionId. */
  readonly id: string
  /** The id of the element. */
  readonly at: string
  /** The id of the sub-process token around it; '' for the process itself. */
  readonly in: string
  readonly loop?: string
  readonly index?: number
  readonly gate?: string
  /** The compensation that it is part of. */
  readonly compensation?: string
  /** The task that was completed last on its way. */
  readonly task?: CompletedTask
}

/** A token that waits at a join for others; stored between two steps. */
export interface SuspendedToken {
  readonly flow: string
  readonly in: string
  readonly task?: CompletedTask
}

/** A pending move of the current step; the step ends when none is left. */
export type Move =
  | { readonly do: 'arrive'; readonly flow: Flow; readonly in: string; readonly task?: CompletedTask }
  | {
      readonly do: 'enter'
      readonly node: FlowNode
      readonly in: string
      readonly gate?: string
      readonly task?: CompletedTask
    }
  /** Lets a border event of the token `for`, or the start of an event sub-process in it, begin to wait. '': in the process. */
  | { readonly do: 'arm'; readonly event: string; readonly for: string }
  /** Enters the last element of `path`, through the sub-processes before it: those that do not run yet are opened. */
  | { readonly do: 'into'; readonly path: readonly string[]; readonly in: string; readonly task?: CompletedTask }
  | { readonly do: 'iterate'; readonly id: string; readonly index: number }
  | { readonly do: 'finish'; readonly id: string }
  /** Performs work that failed once more. */
  | { readonly do: 'perform'; readonly id: string }
  | { readonly do: 'raise'; readonly error: RaisedError; readonly in: string; readonly id?: string }
  /** Continues a compensation. */
  | { readonly do: 'compensate'; readonly id: string }

/** A completed activity that may be compensated, with its variables as they were then. Its members are a stored format. */
export interface CompletedActivity {
  readonly id: string
  readonly at: string
  readonly in: string
  readonly task?: CompletedTask
  readonly variables?: Readonly<Record<string, unknown>>
  readonly tasks?: Readonly<Record<string, TaskResult>>
}

export interface RaisedError {
  readonly code: string
  readonly message: string
  readonly elementId: string
}

export type LoopBody = Token & { is: 'loop' }

/** How tokens pass the nodes of one type. */
export interface NodeBehaviour {
  /** A process or sub-process starts here. */
  readonly isStart?: true
  /** Where it joins: a token comes by a flow. False: it is suspended until the others come. */
  readonly arrive?: (run: EngineRun, node: FlowNode, token: SuspendedToken) => Promise<boolean> | boolean
  /** Whether suspended tokens join although others are missing. Asked when no move is left. */
  readonly mayJoin?: (run: EngineRun, node: FlowNode, scope: string) => Promise<boolean> | boolean
  /** Where tokens that come too late end: whether none is awaited any more, and it begins again. Asked as `mayJoin` is. */
  readonly reset?: (run: EngineRun, node: FlowNode, token: Token & { is: 'reset' }) => Promise<boolean>
  /** Enters it, or one iteration of it: passes, performs work, or leaves a token that waits. */
  readonly enter?: (run: EngineRun, node: FlowNode, position: TokenPosition) => Promise<void> | void
  /** Does failed work of it again; without it, the host performs it. */
  readonly perform?: (run: EngineRun, id: string) => Promise<unknown>
  /** The flows by which a token leaves; without it, those that have no condition or whose condition holds. */
  readonly chooseFlows?: (
    node: FlowNode,
    holds: (flow: Flow) => Promise<boolean>,
  ) => Promise<readonly Flow[]> | readonly Flow[]
}

/** What events with one kind of trigger do. */
export interface TriggerBehaviour {
  /** What a catching event waits for; undefined: for nothing, such as an error, or as a task does. */
  readonly await?: (
    run: EngineRun,
    node: FlowNode,
    trigger: Trigger,
    around: TokenPosition | undefined,
  ) => Promise<Awaited | undefined> | Awaited | undefined
  /** A throw or end event throws it. `gone`: the token does not continue. */
  readonly throw?: (
    run: EngineRun,
    node: FlowNode,
    trigger: Trigger,
    position: TokenPosition,
  ) => Promise<'gone' | undefined>
  /** A token ends with it; without it, it just ends. */
  readonly end?: (run: EngineRun, node: FlowNode, position: TokenPosition) => void
  /** It leads from throw to catch event, so no flow does. */
  readonly isJump?: true
  readonly leadsTo?: (run: EngineRun, node: FlowNode) => FlowNode | undefined
}

/** How an activity runs several times. */
export interface LoopBehaviour {
  /** How often, and for which items, as far as it is known before. */
  open?(
    run: EngineRun,
    node: FlowNode,
    loop: Loop,
    position: TokenPosition,
  ): Promise<{ total: number; items?: unknown[] }>
  begin(run: EngineRun, body: LoopBody, loop: Loop): Promise<void> | void
  /** An iteration is completed and counted: begins the next one, waits for others, or ends the activity. */
  next(run: EngineRun, body: LoopBody, loop: Loop, pass: Token): Promise<void>
}

/** The behaviour of each element, by its type. */
interface Behaviours {
  readonly node: (type: string) => NodeBehaviour | undefined
  readonly trigger: (on: Trigger['on'] | undefined) => TriggerBehaviour | undefined
  readonly loop: (kind: Loop['kind']) => LoopBehaviour
}

/** The variables and completed tasks of a process, a sub-process, a pass of a multi-instance activity or a task. */
export interface VariableScope {
  readonly variables: Record<string, unknown>
  readonly tasks: Record<string, TaskResult>
}

/** The state of one engine step while it runs. */
export interface EngineRun {
  readonly graph: Graph
  readonly elements: Behaviours
  readonly host: EngineHost
  readonly tokens: Map<string, Token>
  suspended: SuspendedToken[]
  moves: Move[]
  /** In the order of their completion. */
  completed: CompletedActivity[]
  /** The variables of the process ('') and of everything in it that has some, by the ids of their tokens. */
  readonly scopes: Map<string, VariableScope>
  /** Of an instance that was stored before tokens had their tasks. */
  readonly task?: CompletedTask
  /** How often each element was activated over all steps; its next executionId is made from it. */
  readonly activationCounts: Record<string, number>
  readonly events: ActivityEvent[]
  readonly thrown: Thrown[]
  readonly calls: BegunCall[]
  readonly escalated: { readonly code?: string }[]
  /** The error that ended the process, which its caller catches. */
  escaped?: EscapedError
  /** Conditions of events may hold now that did not before: one began to wait, or variables or the record were changed. */
  areConditionsStale?: boolean
  /** How often each element was activated by the current command. */
  readonly activationsInStep: Map<string, number>
}

/** The engine cannot continue; nothing of the step is kept. */
export class StepFailure extends Error {
  readonly elementId: string | undefined

  constructor(elementId: string | undefined, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StepFailure'
    this.elementId = elementId
  }
}

/** The element with this id. @throws StepFailure when the state belongs to another process. */
export function nodeAt(run: EngineRun, elementId: string): FlowNode {
  const node = run.graph.nodes.get(elementId)
  if (node === undefined) throw new StepFailure(elementId, `There is no element '${elementId}' in this process.`)
  return node
}

/** The next executionId of an element. Ids count up per element, so a repeated step yields the same ids. */
export function nextId(run: EngineRun, node: FlowNode): string {
  const count = (own(run.activationCounts, node.id) ?? 0) + 1
  run.activationCounts[node.id] = count
  return `${node.id}#${count}`
}

/**
 * Counts an activation. @throws StepFailure when there are so many that the process must be looping without waiting.
 */
export function countActivation(run: EngineRun, node: FlowNode): void {
  run.activationsInStep.set(node.id, (run.activationsInStep.get(node.id) ?? 0) + 1)
  const total = run.activationsInStep.values().reduce((sum, count) => sum + count, 0)
  if (total <= maxActivationsPerStep) return
  const [elementId, count] = [...run.activationsInStep].reduce((most, each) => (each[1] > most[1] ? each : most))
  throw new StepFailure(
    elementId,
    `${nodeAt(run, elementId).label} was reached ${count} times without the process waiting for anything, and one step begins ${maxActivationsPerStep} activities at most. Break the loop, or let the process wait in between.`,
  )
}

/** Records what happened to an activation, for the history of the instance. */
export function recordEvent(run: EngineRun, elementId: string, executionId: string, what: ActivityEvent['what']): void {
  run.events.push({
    elementId,
    type: nodeAt(run, elementId).type,
    executionId,
    what,
    at: new Date(run.host.now()).toISOString(),
  })
}
