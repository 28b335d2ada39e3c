import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The file that makes a folder a backup. */
export const noteFile = 'backup.json'
export const backupFormat = 1

export interface BackupNote {
  readonly format: number
  /** The moment (ISO) whose data it has. */
  readonly at: string
  /** Entries of the store, and uploaded files. */
  readonly entries: number
  readonly files: number
}

/** Reads the note of a backup. Rejects with a one-line message for the operator when the folder is no backup. */
export async function readNote(folder: string): Promise<BackupNote> {
  const text = await readFile(join(folder, noteFile), 'utf8').catch(() => undefined)
  if (text === undefined) throw new Error(`${folder} is no backup: it has no ${noteFile}. npm run backup makes one.`)
  const note = parse(text)
  if (note === undefined) throw new Error(`${folder} is damaged: its ${noteFile} cannot be read.`)
  if (note.format !== backupFormat)
    throw new Error(`${folder} is a backup of format ${note.format}, this version reads ${backupFormat} only.`)
  return note
}

function parse(text: string): BackupNote | undefined {
  try {
    const note = JSON.parse(text) as Partial<BackupNote> | null
    return typeof note?.format === 'number' ? (note as BackupNote) : undefined
  } catch {
    return undefined
  }
}
