import type { CheckedSource } from '../../source/check-source.ts'

/** The name of the script in the engine's stacks. */
export const sourceName = 'script'

/**
 * A script becomes the body of a function, from the second line on. The call behind it is reached when no `return` ended it.
 * QuickJS notes places for expressions only and blames the statement before for a `return` or an `if`: so an expression
 * that does nothing stands in front of those.
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
 * The innermost place of an engine's stack that lies in the author's text, lines and columns from 1. A script can forge a
 * stack, but points at itself only.
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

/** The engine counts bytes, our markers included; editors count UTF-16 units. */
function columnOf(text: string, bytes: number, markers: readonly number[]): number {
  const marked = Buffer.from(mark(text, markers)).subarray(0, bytes).toString().length
  const before = markers.filter((at, index) => at + (index + 1) * marker.length <= marked).length
  return Math.min(marked - before * marker.length, text.length) + 1
}
