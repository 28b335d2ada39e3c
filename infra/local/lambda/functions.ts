import { createInFlight } from '../runtime/in-flight.ts'
import type { Random } from '../runtime/timing/randomness.ts'
import type { Timeline } from '../runtime/timing/timeline.ts'
/** The functions of a cloud: find, invoke and stop them. */
import type { FaultPoint } from '../sdk/faults/fault-point.ts'
import type { Meter } from '../sdk/meter/meter.ts'
import { TemplateError } from '../template/resolve-template.ts'
import type { FairTurns } from '../turns/fair-turns.ts'
import type { FunctionDefinition, RunningInvocations } from './function-instance.ts'
import { isEndlessLoop } from './lineage.ts'
import { defineFunction } from './local-function.ts'
import type { LocalFunction } from './local-function.ts'

export interface Functions {
  readonly names: readonly string[]
  /** Number of invocations and imports in flight. */
  readonly running: number
  /** By ARN or exact name; throws when there is no such function. */
  get(nameOrArn: string): LocalFunction
  /**
   * By name or logical id, ignoring case and punctuation, or by an unambiguous prefix (CDK ends logical ids with a
   * hash).
   */
  find(wanted: string): LocalFunction
  /**
   * Invokes a function for an event source or schedule, through the fault point. Logs and rethrows failures, among them that
   * of a chain of messages which Lambda ends.
   */
  deliver(functionName: string, event: object): Promise<unknown>
  logFailure(functionName: string, requestId: string, error: unknown): void
  /** Imports the bundles that were not imported yet. Logs those that fail. */
  warm(): Promise<void>
  /** Ends every invocation as if its process had died; nothing is logged from then on. */
  halt(): void
}

export interface FunctionsOptions {
  readonly clientOptions: (service: string) => Record<string, unknown>
  readonly codeOf: (codeDirectory: string) => Promise<string>
  readonly faults: FaultPoint
  readonly turns: FairTurns
  readonly meter: Meter
  readonly timeline: Timeline
  /** Of each function. */
  readonly instances?: number
  readonly coldStartMs?: number
  /** As in AWS; without it, a chain of messages may be as long as it likes. */
  readonly endsLoops?: boolean
  readonly randomFor?: (purpose: string) => Random
  readonly log: (entry: object) => void
}

class RecursiveInvocation extends Error {
  override readonly name = 'RecursiveInvocation'
}

export function openFunctions(
  definitions: readonly (FunctionDefinition & { readonly id: string })[],
  { codeOf, faults, log, randomFor, endsLoops = false, ...options }: FunctionsOptions,
): Functions {
  const running: RunningInvocations = { count: 0, invocations: createInFlight() }
  const functions = definitions.map((definition) => ({
    id: definition.id,
    local: defineFunction(definition, {
      ...options,
      running,
      codeOf,
      random: randomFor?.(`function ${definition.name}`),
    }),
  }))
  const byName = new Map(functions.map(({ local }) => [local.definition.name, local]))
  let halted = false

  function get(nameOrArn: string): LocalFunction {
    const local = byName.get(nameOrArn.slice(nameOrArn.lastIndexOf(':') + 1))
    if (!local) throw new TemplateError(`The template has no function ${nameOrArn}.`)
    return local
  }

  function find(wanted: string): LocalFunction {
    const candidates = [
      (name: string) => name === normalized(wanted),
      (name: string) => name.startsWith(`${normalized(wanted)}function`),
      (name: string) => name.startsWith(normalized(wanted)),
    ].map((matches) =>
      functions.filter(({ id, local }) => matches(normalized(id)) || matches(normalized(local.definition.name))),
    )
    const best = candidates.find(({ length }) => length > 0) ?? []
    if (best.length === 1) return best[0]!.local
    const all = functions.map(({ id }) => id).join(', ')
    throw new Error(`${best.length === 0 ? 'No' : 'More than one'} function is called ${wanted}. There are: ${all}.`)
  }

  function logFailure(functionName: string, requestId: string, error: unknown): void {
    if (halted) return
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
    log({
      level: 'ERROR',
      time: new Date(options.timeline.now()).toISOString(),
      function: functionName,
      request_id: requestId,
      error: name,
      message,
      stack,
    })
  }

  return {
    names: [...byName.keys()],
    get running() {
      return running.count
    },
    get,
    find,
    async deliver(functionName, event) {
      const target = get(functionName)
      try {
        if (endsLoops && !target.definition.mayLoop && isEndlessLoop(functionName, event))
          throw new RecursiveInvocation(`${functionName} was invoked 16 times in one chain of messages: Lambda ends it`)
        if (!faults.active) return await target.invoke(event)
        const call = { service: 'lambda', operation: 'Invoke', functionName, input: event }
        return await faults.run(call, (given) => target.invoke(structuredClone(given)))
      } catch (error) {
        logFailure(functionName, '', error)
        throw error
      }
    },
    logFailure,
    async warm() {
      for (const { local } of functions)
        await local.warm().catch((error) => logFailure(local.definition.name, '', error))
    },
    halt() {
      halted = true
      for (const invocation of running.invocations.all()) invocation.halt(new Error('The local cloud is stopped.'))
    },
  }
}

const normalized = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')
