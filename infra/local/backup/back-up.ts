import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { findRunningService } from '../runtime/local-endpoint.ts'
import { openStorage } from '../runtime/storage/storage.ts'
import type { BackupNote } from './backup-note.ts'
import { copyData } from './copy-data.ts'

/** A line of the answer of a running service while it copies its data. */
type Progress = { readonly entries: number } | { readonly done: BackupNote } | { readonly error: string }

/**
 * Copies the data of a local service into a new or empty folder: through the running service, which owns the data, or by
 * opening the data directory. Rejects with a one-line message for the operator.
 */
export async function backUp(
  directory: string,
  to: string,
  onProgress: (entries: number) => void = () => {},
): Promise<BackupNote> {
  if (directory === ':memory:') throw new Error('A service with DATA_DIR=:memory: keeps nothing to back up.')
  const [from, target] = [resolve(directory), resolve(to)]
  if (isWithin(target, from) || isWithin(from, target))
    throw new Error(`The backup ${target} and the data directory ${from} may not be inside each other.`)
  if (existsSync(target) && (await readdir(target)).length > 0)
    throw new Error(`${target} is not empty: name a new folder.`)
  const running = await findRunningService(from)
  if (running) return backUpRunning(running.dynamodb, target, onProgress)
  if (!existsSync(join(from, 'store')))
    throw new Error(`There is no service in ${from} yet: run npm start first, or set DATA_DIR.`)
  const storage = await openStorage(join(from, 'store'))
  try {
    return await copyData({ storage, directory: from, to: target, now: Date.now, onProgress })
  } finally {
    await storage.close()
  }
}

const isWithin = (path: string, folder: string): boolean => `${path}${sep}`.startsWith(`${folder}${sep}`)

async function backUpRunning(endpoint: string, to: string, onProgress: (entries: number) => void): Promise<BackupNote> {
  const answer = await fetch(`${endpoint.replace(/\/$/, '')}/backup`, { method: 'POST', body: JSON.stringify({ to }) })
  if (!answer.ok || !answer.body)
    throw new Error(`The service answered ${answer.status}: start it again, it is of another version.`)
  let rest = ''
  for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const progress = JSON.parse(line) as Progress
      if ('done' in progress) return progress.done
      if ('error' in progress) throw new Error(progress.error)
      onProgress(progress.entries)
    }
  }
  throw new Error('The service ended before the backup was complete: nothing was kept of it.')
}
