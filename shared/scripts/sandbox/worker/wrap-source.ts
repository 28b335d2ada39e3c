import type { CheckedSource } from '../../source/check-source.ts'

/** The file name of the script in stack traces. */
export const sourceName = 'script'

/**
 * Wraps a script as the body of a function, from line 2 on. `__end` is called when no `return` ended the script.
 * QuickJS records positions of expressions only and would report the statement before a `return` or an `if`; so an
 * expression without effect is put before those.
 */
export const wrapSource = ({ code, statements }: CheckedSource): string =>
  `(function(__end){return function(){\n${mark(code, statements)}\n;__end()}})`

const marker = '0;'

function mark(code: string, statements: readonly number[]): string {
  let marked = ''
  let from = 0
  for (const at of statements) {
    marked += code.slice(from, at) + marker
    from = at
  }
  return marked + code.slice(from)
}

export interface ScriptPosition {
  readonly line: number
  readonly column: number
}

const frame = new RegExp(String.raw`\(${sourceName}:(\d+):(\d+)\)$`, 'gm')

/**
 * The innermost position of a stack trace in the author's text; line and column count from 1. A script can forge a
 * stack trace, but only with positions in its own text.
 */
export function positionInScript({ code, statements }: CheckedSource, stack: string): ScriptPosition | undefined {
  const lines = code.split('\n')
  for (const [, engineLine, engineColumn] of stack.matchAll(frame)) {
    const line = Number(engineLine) - 1
    const text = lines[line - 1]
    if (text === undefined) continue
    const lineStart = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
    return {
      line,
      column: columnOf(
        text,
        Number(engineColumn) - 1,
        statements.map((at) => at - lineStart).filter((at) => at >= 0 && at <= text.length),
      ),
    }
  }
  return undefined
}

/** Converts a column: the engine counts bytes and our markers, editors count UTF-16 units. */
function columnOf(text: string, bytes: number, markers: readonly number[]): number {
  const marked = Buffer.from(mark(text, markers)).subarray(0, bytes).toString().length
  const before = markers.filter((at, index) => at + (index + 1) * marker.length <= marked).length
  return Math.min(marked - before * marker.length, text.length) + 1
}
