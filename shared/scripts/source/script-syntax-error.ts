import { getLineInfo } from 'acorn'
import { Invalid } from '../../kernel/faults.ts'

/** A script that is no script: `line` and `column` count from 1, `excerpt` is the author's line, cut around the place. */
export class ScriptSyntaxError extends Invalid {
  readonly line: number
  readonly column: number
  readonly excerpt: string

  constructor(message: string, place: SourcePosition) {
    super({ script: [`${message} (line ${place.line}, column ${place.column})`] }, message)
    Object.assign(this.data, place)
    this.line = place.line
    this.column = place.column
    this.excerpt = place.excerpt
  }

  /** The same with the message that the specification gives every validation error; `errors.script` says what is wrong. */
  asValidationError(): Invalid {
    const invalid = new Invalid(this.errors)
    Object.assign(invalid.data, { line: this.line, column: this.column })
    return invalid
  }
}

export interface SourcePosition {
  readonly line: number
  readonly column: number
  readonly excerpt: string
}

const excerptCharacters = 120
const lineEnd = /\r\n|[\n\r\u2028\u2029]/

/** Where the character at `offset` stands in the author's text. */
export function positionOf(script: string, offset: number): SourcePosition {
  const { line, column } = getLineInfo(script, offset)
  const text = script.split(lineEnd)[line - 1] ?? ''
  const from = Math.max(0, Math.min(column - excerptCharacters / 2, text.length - excerptCharacters))
  return { line, column: column + 1, excerpt: text.slice(from, from + excerptCharacters).toWellFormed() }
}
