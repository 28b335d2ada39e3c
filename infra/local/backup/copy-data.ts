import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { formatFile } from '../runtime/storage/data-format.ts'
import type { Storage } from '../runtime/storage/storage.ts'
import { backupFormat, type BackupNote, noteFile } from './backup-note.ts'

/** Small files beside the store: the secret that opens sealed settings, and who the first administrator is. */
const smallFiles = ['kms.key', 'seeded.json', formatFile]
/** What is being written, and counts only when it is whole. */
const unfinished = /^_staging(?:\/|$)/

/**
 * Copies the data of a service into a new folder, as it is at one moment, while the service continues to write. The folder
 * appears when it is whole: a backup that was interrupted leaves `<to>.partial`, which the next one removes.
 */
export async function copyData(given: {
  readonly storage: Pick<Storage, 'copyTo'>
  /** The data directory, an absolute path. */
  readonly directory: string
  readonly to: string
  readonly now: () => number
  readonly onProgress?: (entries: number) => void
}): Promise<BackupNote> {
  const { storage, directory, to, now, onProgress } = given
  const draft = `${to}.partial`
  await rm(draft, { recursive: true, force: true })
  await mkdir(join(draft, 'store'), { recursive: true, mode: 0o700 })
  try {
    // The moment of the backup. A file is uploaded before a record names it, and outlives the record for a while, so that
    // files that are copied from now on are at least those of this moment.
    const at = new Date(now()).toISOString()
    const copying = storage.copyTo(join(draft, 'store'), onProgress)
    copying.catch(() => {})
    const files = await copyFiles(join(directory, 'files'), join(draft, 'files'))
    for (const file of smallFiles) await copyIfThere(join(directory, file), join(draft, file))
    const note: BackupNote = { format: backupFormat, at, entries: await copying, files }
    await writeFile(join(draft, noteFile), `${JSON.stringify(note)}\n`, { mode: 0o600 })
    await chmod(draft, 0o700)
    await rename(draft, to)
    return note
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Copies contents before their descriptions: without its content, a description is left out. */
async function copyFiles(from: string, to: string): Promise<number> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(from.length + 1))
    .filter((file) => !unfinished.test(file))
    .toSorted((a, b) => Number(a.endsWith('.json')) - Number(b.endsWith('.json')))
  const copied = new Set<string>()
  let contents = 0
  for (const file of files) {
    const content = /^(.*)\.meta\.json$/.exec(file)?.[1]
    if (content !== undefined && !copied.has(`${content}.data`)) continue
    await mkdir(dirname(join(to, file)), { recursive: true })
    if (!(await copyIfThere(join(from, file), join(to, file)))) continue
    copied.add(file)
    if (file.endsWith('.data')) contents += 1
  }
  return contents
}

/** False when there is no such file, or not any more. */
async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
