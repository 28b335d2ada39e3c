import { AsyncLocalStorage } from 'node:async_hooks'
import { Logger } from '@aws-lambda-powertools/logger'

/** Fields of every log line of one invocation: request id, route, tenant, user. Never bodies, headers or tokens. */
export type LogScope = Record<string, string | number | undefined>

const scopes = new AsyncLocalStorage<LogScope>()
const logger = new Logger()

/**
 * Runs `run` with `scope` in each of its log lines. Several invocations share one process on one machine, so the scope
 * follows the call.
 */
export const inLogScope = <T>(scope: LogScope, run: () => T): T => scopes.run(scope, run)

/** Adds fields to the scope of the current invocation, for example the tenant after authentication. */
export function addToLogScope(fields: LogScope): void {
  const scope = scopes.getStore()
  if (scope) Object.assign(scope, fields)
}

/**
 * The id of the request that caused what runs now: the request itself, a message that it led to, a step of its job. It
 * travels in rows and messages; undefined for what a schedule began.
 */
export function causeOf(): string | undefined {
  const id = scopes.getStore()?.request_id
  return typeof id === 'string' ? id : undefined
}

/** The same as the member of a message or row; nothing when there is none. */
export function causeMember(): { readonly request_id?: string } {
  const id = causeOf()
  return id === undefined ? {} : { request_id: id }
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

/**
 * Runs work that may fail without failing the operation: an error is logged as `could not <what>`, and undefined is
 * answered.
 */
export async function mayFail<T>(what: string, run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run()
  } catch (cause) {
    log.error(`could not ${what}`, cause)
    return undefined
  }
}
