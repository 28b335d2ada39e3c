import { constants, existsSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { findRunningService } from '../runtime/local-endpoint.ts'
import { openStorage } from '../runtime/storage/storage.ts'
import { type BackupNote, noteFile, readNote } from './backup-note.ts'

export interface Restored extends BackupNote {
  /** Where the data went that was there before. */
  readonly before: string | undefined
}

/**
 * Puts the data of a backup into a data directory, which must be new or empty; with `force`, what it has is moved aside.
 * Never while a service uses it. Rejects with a one-line message for the operator, and has then changed nothing.
 */
export async function restore(
  from: string,
  directory: string,
  { force = false, now = Date.now }: { readonly force?: boolean; readonly now?: () => number } = {},
): Promise<Restored> {
  if (directory === ':memory:') throw new Error('A service with DATA_DIR=:memory: cannot be restored: set DATA_DIR.')
  const [folder, target] = [resolve(from), resolve(directory)]
  const note = await readNote(folder)
  await refuseUsed(target)
  const isEmpty = !existsSync(target) || (await readdir(target)).length === 0
  const before = isEmpty ? undefined : `${target}.before-${new Date(now()).toISOString().replaceAll(/[:.]/g, '-')}`
  if (before !== undefined && !force)
    throw new Error(
      `The data directory ${target} is not empty: set DATA_DIR to another one, or pass --force, which moves what it has aside.`,
    )
  const draft = `${target}.restoring`
  await rm(draft, { recursive: true, force: true })
  try {
    await mkdir(dirname(target), { recursive: true })
    await cp(folder, draft, { recursive: true, mode: constants.COPYFILE_FICLONE })
    await rm(join(draft, noteFile))
    await checkStore(join(draft, 'store'))
    await chmod(draft, 0o700)
    if (before !== undefined) await rename(target, before)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
  return { ...note, before }
}

async function refuseUsed(directory: string): Promise<void> {
  if (await findRunningService(directory)) throw new Error(`A service runs on ${directory}: stop it first.`)
  // Somebody who starts, or stops, holds the store without answering.
  if (existsSync(join(directory, 'store', 'CURRENT'))) await checkStore(join(directory, 'store'))
}

/** Rejects when the store is in use or damaged. */
async function checkStore(directory: string): Promise<void> {
  await (await openStorage(directory)).close()
}
