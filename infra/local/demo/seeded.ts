/** The note in a data directory that says who its first tenant and administrator are. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const file = 'seeded.json'

export interface Seeded {
  readonly tenant: string
  readonly administrator: string
}

/** Undefined for a new directory, and for `:memory:`. */
export function readSeeded(directory: string): Seeded | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, file), 'utf8')) as Seeded
  } catch {
    return undefined
  }
}

export const writeSeeded = (directory: string, seeded: Seeded): Promise<void> =>
  writeFile(join(directory, file), `${JSON.stringify({ ...seeded, at: new Date().toISOString() })}\n`)
