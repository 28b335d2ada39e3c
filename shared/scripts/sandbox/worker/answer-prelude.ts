import { createHash, randomUUID } from 'node:crypto'
import { maxLogCharacters, maxLogLines } from '../../../kernel/limits/scripts.ts'
import { argumentBytes, maxMethodCharacters, type RunOrder } from '../messages.ts'
import type { LogLevel } from '../script-run.ts'
import type { MainThread } from './main-thread.ts'

/** The state of a run. The first reason to end it is kept. */
export interface RunState {
  calls: number
  logLines: number
  logCharacters: number
  /** The limit that was reached. */
  stopped?: string
  /** The arguments of `$api.fail`. */
  failure?: { readonly message: string; readonly field?: string; readonly stack: string }
  /** The prelude's description of an exception. */
  thrown?: { readonly message: string; readonly stack: string; readonly name: string; readonly isDeliberate: boolean }
}

const randomWords = (): Uint32Array => crypto.getRandomValues(new Uint32Array(4))

const algorithms = ['md5', 'sha1', 'sha256', 'sha384', 'sha512']
const logLevels: readonly string[] = ['info', 'warn', 'error'] satisfies LogLevel[]

const refused = (message: string): string => JSON.stringify([false, { message }])

/**
 * The host of one run on the worker's side: answers what needs no service, and passes `$api` calls to the main thread.
 */
export function answerPrelude(state: RunState, { limits }: RunOrder, main: MainThread, isOver: () => boolean) {
  function call(method: string, args: string): string {
    if (isOver()) return refused(state.failure?.message ?? state.stopped ?? '')
    if (method.length > maxMethodCharacters) return refused('$api has no such method')
    if (++state.calls > limits.calls) {
      state.stopped = `The script made more than ${limits.calls} $api calls`
      return refused(state.stopped)
    }
    // There are never more characters than bytes; the main thread counts the bytes.
    if (args.length > argumentBytes) return refused(`The arguments of $api.${method} are larger than 256 KB`)
    const answer = main.call(method, args)
    if ('text' in answer) return answer.text
    state.stopped ??= answer.stop
    return refused(answer.stop)
  }

  function log(level: string, text: string): string | undefined {
    state.logLines++
    state.logCharacters += text.length
    const isFull = state.logLines >= maxLogLines || state.logCharacters > maxLogCharacters
    if (isFull) main.log('warn', JSON.stringify(`The log ends here: it is kept up to ${maxLogLines} lines and 64 KB`))
    else main.log(logLevels.includes(level) ? (level as LogLevel) : 'info', text)
    return isFull ? undefined : 'more'
  }

  function hash(algorithm: string, text: string): string {
    if (!algorithms.includes(algorithm)) return refused(`$api.hash knows ${algorithms.join(', ')}`)
    return JSON.stringify([
      true,
      createHash(algorithm)
        .update(JSON.parse(text) as string)
        .digest('hex'),
    ])
  }

  return (name: string, [first = '', second = '', third = '', fourth = '']: readonly string[]): string | undefined => {
    switch (name) {
      case 'call':
        return call(first, second)
      case 'log':
        return log(first, second)
      case 'fail':
        state.failure ??= {
          message: JSON.parse(first) as string,
          field: (JSON.parse(second) as string) || undefined,
          stack: third,
        }
        return undefined
      case 'thrown':
        state.thrown ??= {
          message: JSON.parse(first) as string,
          stack: second,
          name: third,
          isDeliberate: fourth !== '',
        }
        return undefined
      case 'seed':
        return JSON.stringify([...randomWords()])
      case 'uuid':
        return randomUUID()
      case 'hash':
        return hash(first, second)
      default:
        return undefined
    }
  }
}
