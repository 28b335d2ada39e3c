import { getLineInfo } from 'acorn'
import { Invalid } from '../../kernel/failures/faults.ts'

/**
 * A syntax error in a script. `line` and `column` count from 1; `excerpt` is the author's line, cut around the
 * position.
 */
export class ScriptSyntaxError extends Invalid {
  readonly line: number
  readonly column: number
  readonly excerpt: string

  constructor(message: string, { line, column, excerpt }: SourcePosition) {
    super(
      { script: [`${message} (line ${line}, column ${column})`] },
      { code: 'invalid_script', message, details: { line, column } },
    )
    this.line = line
    this.column = column
    this.excerpt = excerpt
  }

  /**
   * The same error with the message that the specification gives all validation errors; `errors.script` says what is
   * wrong.
   */
  asValidationError(): Invalid {
    const { code, details, errors } = this
    return new Invalid(errors, { code, details })
  }
}

export interface SourcePosition {
  readonly line: number
  readonly column: number
  readonly excerpt: string
}

const excerptCharacters = 120
const lineEnd = /\r\n|[\n\r\u2028\u2029]/

/** The position of an offset in the author's text. */
export function positionOf(script: string, offset: number): SourcePosition {
  const { line, column } = getLineInfo(script, offset)
  const text = script.split(lineEnd)[line - 1] ?? ''
  const from = Math.max(0, Math.min(column - excerptCharacters / 2, text.length - excerptCharacters))
  return { line, column: column + 1, excerpt: text.slice(from, from + excerptCharacters).toWellFormed() }
}
