import { createHash } from 'node:crypto'
import { maxScriptCharacters } from '../../kernel/limits/scripts.ts'
import { type ReadScript, readScript } from './read-script.ts'
import { positionOf, ScriptSyntaxError } from './script-syntax-error.ts'

export { ScriptSyntaxError } from './script-syntax-error.ts'

/** A script whose syntax was checked; only `checkSource` makes one. */
export interface CheckedSource extends ReadScript {
  /** SHA-256 of the author's text. */
  readonly hash: string
}

export const awaitHint = 'calls of $api are synchronous and answer at once, so leave out await'
const cacheEntries = 500
const cacheCharacters = 4_000_000
/** Least recently used first: a Map keeps the order of insertion. */
const cache = new Map<string, CheckedSource>()
let cachedCharacters = 0

/**
 * Checks a script: JavaScript in sloppy mode with top-level `return` and arrow calls (`$api->find(...)`). Takes up to
 * some 50 ms for the largest script; recent scripts are cached.
 * @throws ScriptSyntaxError with line, column and the text of the line.
 */
export function checkSource(script: string): CheckedSource {
  const hash = createHash('sha256').update(script, 'utf16le').digest('hex')
  const known = cache.get(hash)
  if (known !== undefined) {
    cache.delete(hash)
    cache.set(hash, known)
    return known
  }
  return keep({ ...read(script), hash })
}

function read(script: string): ReadScript {
  if (script.length > maxScriptCharacters) {
    throw new ScriptSyntaxError(
      `The script is longer than ${maxScriptCharacters} characters`,
      positionOf(script, maxScriptCharacters),
    )
  }
  // acorn and QuickJS read NUL and lone surrogates differently, so their positions would differ.
  const odd = /\0|\p{Surrogate}/u.exec(script)
  if (odd !== null)
    throw new ScriptSyntaxError('The script holds a character that is no text', positionOf(script, odd.index))
  try {
    return readScript(script)
  } catch (cause) {
    if (cause instanceof SyntaxError && 'pos' in cause)
      throw new ScriptSyntaxError(
        explain(cause.message, script, Number(cause.pos)),
        positionOf(script, Number(cause.pos)),
      )
    throw cause
  }
}

function explain(message: string, script: string, position: number): string {
  // Outside of async functions `await` is a name, so the error is what follows it.
  if (/\bawait\s+$/.test(script.slice(0, position))) return `A script cannot await: ${awaitHint}`
  if (message.startsWith("'import' and 'export' may")) return 'A script cannot import or export'
  if (message.startsWith('Not enough stack space')) return 'The script is nested too deeply'
  return message.replace(/ \(\d+:\d+\)$/, '')
}

function keep(source: CheckedSource): CheckedSource {
  cache.set(source.hash, source)
  cachedCharacters += source.code.length
  for (const [hash, { code }] of cache) {
    if (cache.size <= cacheEntries && cachedCharacters <= cacheCharacters) break
    cache.delete(hash)
    cachedCharacters -= code.length
  }
  return source
}
