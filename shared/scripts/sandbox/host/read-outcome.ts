import { awaitHint, type CheckedSource } from '../../source/check-source.ts'
import type { RunEnd } from '../messages.ts'
import type { ScriptError, ScriptOutcome, ScriptRun } from '../script-run.ts'
import { positionInScript } from '../worker/wrap-source.ts'
import { isPlainObject, NotPlain, parsePlainJson } from './plain-json.ts'
import type { FinishedRun } from './supervise-run.ts'

/** Turns a worker's report into an outcome; trusts nothing that came from the script. */
export function readOutcome(
  { source, variables, isExpression }: ScriptRun,
  { end, log, calls, ms }: FinishedRun,
): ScriptOutcome {
  const facts = { log, calls, ms, returned: end.returned }
  if (end.status !== 'ok') return { ...facts, status: end.status, error: readError(source, end) }
  if (isExpression) return { ...facts, status: 'ok', value: readValue(end.value) }
  try {
    return { ...facts, status: 'ok', data: readData(end.data, variables.data), value: readValue(end.value) }
  } catch (cause) {
    if (!(cause instanceof NotPlain)) throw cause
    return { ...facts, status: 'error', error: { message: `$data ${cause.message}` } }
  }
}

function readData(text: string | undefined, given: object | null | undefined): unknown {
  const data = text === undefined ? undefined : parsePlainJson(text)
  // Kinds of hooks without $data leave null.
  if (data === null && (given === null || given === undefined)) return null
  if (!isPlainObject(data)) throw new NotPlain('must stay an object')
  return data
}

function readValue(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return parsePlainJson(text)
  } catch {
    return undefined
  }
}

function readError(source: CheckedSource, { message, field, stack, isDeliberate }: RunEnd): ScriptError {
  return {
    message: message === undefined || message === '' ? 'The script failed' : withHint(message),
    ...positionInScript(source, stack ?? ''),
    ...(isDeliberate && { isDeliberate }),
    ...(field === undefined ? {} : { field }),
  }
}

/** `await (...)` is valid JavaScript outside of async functions: a call of something named await. */
const withHint = (message: string): string =>
  /^'?await'? is not defined$/.test(message) ? `${message}: ${awaitHint}` : message
