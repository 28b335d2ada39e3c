/**
 * The scope of a running function. All functions share one process, so `process.env` and the SDK options depend on
 * whose code is running. AsyncLocalStorage carries that from the import of a bundle to its last await.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import type { FairTurns } from '../turns/fair-turns.ts'
import type { TurnTaker } from '../turns/tenants.ts'

export interface Scope extends TurnTaker {
  readonly functionName: string
  readonly environment: Record<string, string>
  /** The invocation's `awsRequestId`; empty while the bundle is imported. */
  readonly requestId: string
  /** Id of the HTTP request that this invocation answers. */
  readonly httpRequestId?: string
  /** How often each function was invoked in the chain of messages that leads to this invocation, itself included. */
  readonly lineage?: Readonly<Record<string, number>>
  /** Set when the invocation was ended from outside (timeout, crash). Its calls reach no provider any more. */
  halted: boolean
  /** Ends the invocation as if its process had died. */
  halt(error: Error): void
  clientOptions(service: string): Record<string, unknown>
  /** The time, in ms since the epoch: real time, plus what the cloud's was moved ahead. */
  now(): number
  readonly turns: FairTurns
}

const scopes = new AsyncLocalStorage<Scope | undefined>()

export const currentScope = (): Scope | undefined => scopes.getStore()
export const runInScope = <T>(scope: Scope, action: () => T): T => scopes.run(scope, action)
/** For work that a function's call triggers but that is not part of the function. */
export const runOutsideScope = <T>(action: () => T): T => scopes.run(undefined, action)

/** Where bundles look for the host of their process: `ProcessHost` in the kernel of the service. */
const published = Symbol.for('process-host')
let installed = false

/**
 * Replaces `process.env` by a proxy that shows each function its own environment, and publishes
 * `globalThis[Symbol.for('process-host')]` for the SDK clients and the clocks in the bundles, and for long computations, which
 * give way.
 */
export function installScope(): void {
  if (installed) return
  installed = true
  process.env = scopedEnvironment(process.env)
  syncBuiltinESMExports()
  Object.defineProperty(globalThis, published, {
    configurable: true,
    value: {
      clientOptions: (service: string) => currentScope()?.clientOptions(service) ?? {},
      now: () => currentScope()?.now() ?? Date.now(),
      giveWay: () => {
        const scope = currentScope()
        return scope ? scope.turns.giveWay(scope) : setImmediate()
      },
    },
  })
}

function scopedEnvironment(real: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const currentEnvironment = (): NodeJS.ProcessEnv => scopes.getStore()?.environment ?? real
  return new Proxy<NodeJS.ProcessEnv>(Object.create(null), {
    get: (_, name) => Reflect.get(currentEnvironment(), name),
    has: (_, name) => Reflect.has(currentEnvironment(), name),
    ownKeys: () => Reflect.ownKeys(currentEnvironment()),
    deleteProperty: (_, name) => Reflect.deleteProperty(currentEnvironment(), name),
    set(_, name, value) {
      currentEnvironment()[String(name)] = String(value)
      return true
    },
    defineProperty: (_, name, { value }) => {
      currentEnvironment()[String(name)] = String(value)
      return true
    },
    getOwnPropertyDescriptor(_, name) {
      const found = Reflect.getOwnPropertyDescriptor(currentEnvironment(), name)
      return found && { ...found, configurable: true }
    },
  })
}
