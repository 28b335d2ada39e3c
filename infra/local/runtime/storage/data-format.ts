/** The note in a data directory that says in which format its data is, so that no version serves what it reads wrongly. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export const formatFile = 'format.json'

/** Raised by a version that writes what versions before it would read wrongly. What they pass over needs no new number. */
export const dataFormat = 1

interface FormatNote {
  readonly format: number
  /** Of the service that wrote the data last. */
  readonly version: string
}

/** Throws a one-line message when the data is of a later format than this version reads. */
export function checkDataFormat(directory: string, own: FormatNote): void {
  const note = readNote(directory)
  if (note && note.format > own.format)
    throw new Error(
      `Version ${note.version} wrote the data in ${directory} (format ${note.format}); this version, ${own.version}, reads formats up to ${own.format}: start version ${note.version} or a later one, or restore a backup that is older.`,
    )
}

/** Notes the version that writes the data from now on. */
export const noteDataFormat = (directory: string, own: FormatNote): Promise<void> =>
  writeFile(join(directory, formatFile), `${JSON.stringify(own)}\n`, { mode: 0o600 })

/** Undefined in a new directory, and in one that a version without such notes wrote. */
function readNote(directory: string): FormatNote | undefined {
  let text: string
  try {
    text = readFileSync(join(directory, formatFile), 'utf8')
  } catch {
    return undefined
  }
  try {
    return JSON.parse(text) as FormatNote
  } catch (cause) {
    throw new Error(`${join(directory, formatFile)} is damaged: restore a backup.`, { cause })
  }
}
