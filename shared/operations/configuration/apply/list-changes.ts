import * as z from 'zod'
import { type Warning, warningCodes } from '../../../kernel/failures/warning.ts'
import type { ConfigurationChanges } from '../schema.ts'

/** The changes found so far, within a limit of bytes. A job keeps it between its steps. */
export const ChangeList = z.object({
  created: z.array(z.string()),
  changed: z.array(z.string()),
  unchanged: z.int(),
  differences: z.record(z.string(), z.array(z.string())),
  /** The JSON of all that is listed takes about so many bytes. */
  bytes: z.int(),
  /** How many names, and lines of differences, were left out. */
  unlisted: z.object({ created: z.int(), changed: z.int(), lines: z.int() }),
  warnings: z
    .array(
      z.object({
        path: z.string().optional(),
        element_id: z.string().nullable().optional(),
        line: z.int().optional(),
        column: z.int().optional(),
        code: z.enum(warningCodes),
        message: z.string(),
      }),
    )
    .optional(),
})
export type ChangeList = z.output<typeof ChangeList>

export const noChanges: ChangeList = {
  created: [],
  changed: [],
  unchanged: 0,
  differences: {},
  bytes: 0,
  unlisted: { created: 0, changed: 0, lines: 0 },
}

/** So many warnings have room in the row of a job. */
const maxJobWarnings = 50

/** Adds warnings to those of earlier steps. */
export const listWarnings = (
  earlier: ChangeList['warnings'],
  warnings: readonly Warning[],
): NonNullable<ChangeList['warnings']> =>
  [...(earlier ?? []), ...warnings]
    .slice(0, maxJobWarnings)
    .map(({ message, ...one }) => ({ ...one, message: message.slice(0, 500).toWellFormed() }))

/** The change of one object. `lines`: its differences to the existing one. */
export interface Change {
  readonly path: string
  readonly isNew: boolean
  readonly lines: readonly string[]
}

/** Adds changes to a list until it has `maxBytes`. Names have room for longer than lines: there are far fewer. */
export function listChanges(list: ChangeList, changes: readonly Change[], maxBytes: number): ChangeList {
  const created = [...list.created]
  const changed = [...list.changed]
  const differences = { ...list.differences }
  const unlisted = { ...list.unlisted }
  let { unchanged, bytes } = list

  const fits = (text: string, most: number): boolean => {
    const more = Buffer.byteLength(JSON.stringify(text)) + 1
    if (bytes + more > most) return false
    bytes += more
    return true
  }
  for (const { path, isNew, lines } of changes) {
    if (!isNew && lines.length === 0) {
      unchanged += 1
      continue
    }
    const [names, kind] = isNew ? ([created, 'created'] as const) : ([changed, 'changed'] as const)
    if (!fits(path, maxBytes)) {
      unlisted[kind] += 1
      unlisted.lines += lines.length
      continue
    }
    names.push(path)
    const shown = lines.filter((line) => fits(line, maxBytes / 2))
    if (shown.length > 0) differences[path] = shown
    unlisted.lines += lines.length - shown.length
  }
  return {
    created,
    changed,
    unchanged,
    differences,
    bytes,
    unlisted,
    ...(list.warnings && { warnings: list.warnings }),
  }
}

/** The list as it is answered, with a note of what it leaves out. */
export function answerChanges({
  created,
  changed,
  unchanged,
  differences,
  unlisted,
}: ChangeList): ConfigurationChanges {
  const leftOut = [
    [unlisted.created, 'created'],
    [unlisted.changed, 'changed'],
    [unlisted.lines, 'lines of differences'],
  ] as const
  const said = leftOut.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []))
  return {
    created,
    changed,
    unchanged,
    differences,
    ...(said.length > 0 && { note: `Too many to list, so left out: ${said.join(', ')}.` }),
  }
}
