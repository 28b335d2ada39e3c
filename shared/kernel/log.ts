import { AsyncLocalStorage } from 'node:async_hooks'
import { Logger } from '@aws-lambda-powertools/logger'

/** What every line of one invocation carries: request id, route, tenant, user. Never bodies, headers or tokens. */
export type LogScope = Record<string, string | number | undefined>

const scopes = new AsyncLocalStorage<LogScope>()
const logger = new Logger()

/** Runs an invocation whose log lines carry `scope`; on one machine several run at once, so the scope follows the call. */
export const inLogScope = <T>(scope: LogScope, run: () => T): T => scopes.run(scope, run)

/** Adds to the scope of the current invocation, for example the tenant once it is known. */
export function addToLogScope(fields: LogScope): void {
  const scope = scopes.getStore()
  if (scope) Object.assign(scope, fields)
}

type Details = Record<string, unknown>

export const log = {
  debug: (message: string, details: Details = {}) => logger.debug(message, { ...scopes.getStore(), ...details }),
  info: (message: string, details: Details = {}) => logger.info(message, { ...scopes.getStore(), ...details }),
  warn: (message: string, details: Details = {}) => logger.warn(message, { ...scopes.getStore(), ...details }),
  error: (message: string, cause: unknown, details: Details = {}) =>
    logger.error(message, {
      ...scopes.getStore(),
      ...details,
      error: cause instanceof Error ? cause : new Error(String(cause)),
    }),
}

/** Runs what the operation can do without: a failure is logged under `what` and goes no further. */
export async function mayFail<T>(what: string, run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run()
  } catch (cause) {
    log.error(`could not ${what}`, cause)
    return undefined
  }
}
