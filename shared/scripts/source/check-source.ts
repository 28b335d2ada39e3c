import { createHash } from 'node:crypto'
import { type ReadScript, readScript } from './read-script.ts'
import { positionOf, ScriptSyntaxError } from './script-syntax-error.ts'

export { ScriptSyntaxError } from './script-syntax-error.ts'

/** A script that was read and found to be well-formed; only `checkSource` makes one. */
export interface CheckedSource extends ReadScript {
  /** SHA-256 of the author's text. */
  readonly hash: string
}

const maxCharacters = 65_536
const cacheEntries = 500
const cacheCharacters = 4_000_000
/** Least recently used first, as a Map keeps the order of insertion. */
const cache = new Map<string, CheckedSource>()
let cachedCharacters = 0

/**
 * Reads a script as its author wrote it: JavaScript in sloppy mode, top-level `return`, arrow calls (`$api->find(...)`).
 * Reading costs up to some 50 ms for the largest script, and nothing when the text was seen lately.
 * @throws ScriptSyntaxError naming line, column and the line's text.
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
  if (script.length > maxCharacters) {
    throw new ScriptSyntaxError(
      `The script is longer than ${maxCharacters} characters`,
      positionOf(script, maxCharacters),
    )
  }
  // Lines are counted by acorn and by the engine; a NUL or half a surrogate pair is read by one of them only.
  const odd = /\0|\p{Surrogate}/u.exec(script)
  if (odd !== null)
    throw new ScriptSyntaxError('The script holds a character that is no text', positionOf(script, odd.index))
  try {
    return readScript(script)
  } catch (cause) {
    if (cause instanceof SyntaxError && 'pos' in cause)
      throw new ScriptSyntaxError(explain(cause.message), positionOf(script, Number(cause.pos)))
    throw cause
  }
}

function explain(message: string): string {
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
