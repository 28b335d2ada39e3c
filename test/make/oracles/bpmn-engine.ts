import { EventEmitter } from 'node:events'
import { Engine } from 'bpmn-engine'
import { documentOf } from '../builders/processes/engine-documents.ts'

export type Variables = Readonly<Record<string, unknown>>

/** A process that any engine can run, with the work of its service tasks and the answers of its user tasks. */
export interface Scenario {
  /** The content of the process. */
  readonly process: string
  /** Further root elements of its document. */
  readonly roots?: string
  /** What the process starts with. */
  readonly variables?: Variables
  /** What the work of an element sets; it may throw an error with a `code`. */
  readonly work?: Readonly<Record<string, (variables: Variables) => Variables>>
  /** What completing a task sets. */
  readonly answers?: Readonly<Record<string, Variables>>
}

/** The result of a step. Events: `>a` is entered, `a` is completed. Waits: `a[1]` is iteration 1 of `a`. */
export interface Step {
  readonly status: 'running' | 'completed' | 'failed'
  readonly events: readonly string[]
  readonly waits: readonly string[]
}

export interface Player {
  readonly first: Step
  /** Completes a wait; where several have this name, the first of them. */
  complete(wait: string): Promise<Step>
}

/** The value of a condition: JavaScript that sees the variables by their names. */
export const evaluate = (expression: string, variables: Variables): unknown =>
  new Function(...Object.keys(variables), `return (${expression})`)(...Object.values(variables))

/** An activity as bpmn-engine reports it. */
interface Activity {
  readonly id: string
  readonly type: string
  readonly executionId: string
  readonly content: Instance & {
    /** The scopes it is in: the innermost, and in `path` the outer ones. */
    readonly parent: Instance & { readonly path?: readonly Instance[] }
    readonly attachedTo?: string
    readonly isMultiInstance?: boolean
    readonly index?: number
  }
  signal(): void
}
interface Instance {
  readonly executionId: string
}
interface Element {
  readonly id: string
  readonly type: string
  readonly behaviour: { Service?: unknown; readonly conditionExpression?: { readonly body: string } }
}
type Next = (error?: unknown, result?: unknown) => void

/**
 * bpmn-engine discards the flows that it does not take, and its joins count discarded flows as tokens: a choice inside
 * a parallel branch would join too early, but a join needs a token on each flow (BPMN 2.0.2, 13.4.1). So nothing is
 * discarded. Each flow registers its script when it is made.
 */
function discardNothing(element: object): undefined {
  if ('discard' in element) element.discard = () => {}
}

const waiting = /:(?:UserTask|ManualTask|ReceiveTask|MessageEventDefinition)$/

/** Plays a scenario on bpmn-engine. */
export async function playOnBpmnEngine({ process, roots, work, answers, ...rest }: Scenario): Promise<Player> {
  let variables = { ...rest.variables }
  let events: string[] = []
  let isFailed = false
  let waits: Activity[] = []

  const perform = ({ id }: Element, next: Next): void => {
    try {
      variables = { ...variables, ...work?.[id]?.(variables) }
    } catch (error) {
      next(error)
      return
    }
    next()
  }
  const script = (element: Element) => ({
    execute: (_scope: unknown, next: Next) =>
      element.type === 'bpmn:SequenceFlow'
        ? next(null, Boolean(evaluate(element.behaviour.conditionExpression?.body ?? '', variables)))
        : perform(element, next),
  })
  const listener = new EventEmitter()
  const engine = new Engine({
    source: documentOf(process, roots),
    listener,
    scripts: { register: discardNothing, getScript: (_language, element) => script(element as unknown as Element) },
    extensions: {
      service(activity) {
        const element = activity as unknown as Element
        element.behaviour.Service = function Service() {
          return { execute: (_message: unknown, next: Next) => perform(element, next) }
        }
        return undefined as never
      },
    },
  })
  engine.on('error', () => (isFailed = true))
  const on = (what: string, handle: (activity: Activity) => void) => listener.on(`activity.${what}`, handle)
  // bpmn-engine enters a boundary event together with its activity, and not when the event occurs.
  const isBorder = ({ content }: Activity): boolean => content.attachedTo !== undefined
  on('enter', (activity) => {
    if (!isBorder(activity)) events.push(`>${activity.id}`)
  })
  on('end', (activity) => events.push(...(isBorder(activity) ? [`>${activity.id}`] : []), activity.id))
  // The end of an error end event.
  on('throw', ({ id }) => events.push(id))
  on('wait', (activity) => {
    if (waiting.test(activity.type)) waits.push(activity)
  })
  on('leave', ({ executionId }) => {
    waits = waits.filter(
      ({ content: { parent, ...own } }) =>
        ![own, parent, ...(parent.path ?? [])].some((instance) => instance.executionId === executionId),
    )
  })

  const execution = await engine.execute()
  const step = (): Step => {
    const status = isFailed ? 'failed' : execution.state === 'running' ? 'running' : 'completed'
    const reported = events
    events = []
    return { status, events: reported, waits: status === 'running' ? waits.map(nameOf).sort() : [] }
  }
  return {
    first: step(),
    async complete(wait) {
      const activity = waits.find((each) => nameOf(each) === wait)
      if (activity === undefined) throw new Error(`Nothing waits at '${wait}'.`)
      waits = waits.filter((each) => each !== activity)
      variables = { ...variables, ...answers?.[activity.id] }
      activity.signal()
      return step()
    },
  }
}

const nameOf = ({ id, content }: Activity): string => (content.isMultiInstance ? `${id}[${content.index}]` : id)
