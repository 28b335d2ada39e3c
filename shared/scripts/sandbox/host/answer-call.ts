import { Fault, Invalid } from '../../../kernel/failures/faults.ts'
import { maxCallAnswerCharacters } from '../../../kernel/limits/scripts.ts'
import { log } from '../../../kernel/runtime/log.ts'
import { argumentBytes, maxMethodCharacters } from '../messages.ts'
import type { ScriptHost } from '../script-run.ts'
import { NotPlain, parsePlainJson } from './plain-json.ts'

const methodName = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)?$/

/** Checks a call, passes it to the host of the run and answers the JSON of `[true, value?]` or `[false, refusal]`. */
export async function answerCall(host: ScriptHost, method: string, argsText: string): Promise<string> {
  if (method.length > maxMethodCharacters || !methodName.test(method)) return refused('$api has no such method')
  const args = readArguments(method, argsText)
  if (typeof args === 'string') return refused(args)
  try {
    const value = await host.call(method, args)
    const text = value === undefined ? '[true]' : JSON.stringify([true, value])
    return text.length > maxCallAnswerCharacters ? refused(`The answer of $api.${method} is larger than 4 MB`) : text
  } catch (cause) {
    return explain(method, cause)
  }
}

function readArguments(method: string, text: string): unknown[] | string {
  if (Buffer.byteLength(text) > argumentBytes) return `The arguments of $api.${method} are larger than 256 KB`
  try {
    const args = parsePlainJson(text)
    return Array.isArray(args) ? args : `The arguments of $api.${method} are no list`
  } catch (cause) {
    if (cause instanceof NotPlain) return `An argument of $api.${method} ${cause.message}`
    throw cause
  }
}

const refused = (message: string, more: { code?: string; errors?: unknown } = {}): string =>
  JSON.stringify([false, { message, ...more }])

function explain(method: string, cause: unknown): string {
  if (cause instanceof Invalid) return refused(describeInvalid(cause), { code: cause.kind, errors: cause.errors })
  if (cause instanceof Fault) return refused(cause.message, { code: cause.kind })
  log.error('an $api call failed', cause, { method })
  return refused(`$api.${method} failed: the service could not answer it`)
}

/** Adds the fields and their messages to "Validation error". */
function describeInvalid({ message, errors }: Invalid): string {
  const named = Object.entries(errors).map(([field, messages]) => `${field}: ${messages.join(' ')}`)
  return named.length === 0 ? message : `${message} (${named.join('; ')})`.slice(0, 2000)
}
