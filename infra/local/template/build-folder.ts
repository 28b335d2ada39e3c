/** The folders of `.build/`: one per fingerprint of the sources, and drafts that processes still write. */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const keptFolders = 3

/** A new folder of this process. It is pruned once the process has ended. */
export const makeDraft = (store: string): string => mkdtempSync(join(store, `draft-${process.pid}-`))

/** Marks a folder as used by this process, which protects it from pruning. False when there is none. */
export function useFolder(directory: string): boolean {
  try {
    writeFileSync(join(directory, 'in-use', String(process.pid)), '')
    utimesSync(directory, new Date(), new Date())
    return true
  } catch (cause) {
    if (isCode(cause, 'ENOENT')) return false
    throw cause
  }
}

/** Processes may build the same at the same time: the first one wins. */
export function moveUnlessExists(draft: string, directory: string): void {
  try {
    renameSync(draft, directory)
  } catch (cause) {
    // Another process was faster; its folder has the same content.
    if (!isCode(cause, 'ENOTEMPTY') && !isCode(cause, 'EEXIST')) throw cause
  }
}

/** Deletes drafts of processes that ended, and all but the newest folders that nobody uses. */
export function prune(store: string): void {
  const names = readdirSync(store)
  const abandoned = names.filter((name) => !isAlive(Number(/^draft-(\d+)-/.exec(name)?.[1] ?? process.pid)))
  const aged = names
    .filter((name) => /^[0-9a-f]{20}$/.test(name))
    .map((name) => ({ name, usedAtMs: statSync(join(store, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.usedAtMs - a.usedAtMs)
    .slice(keptFolders)
    .map(({ name }) => name)
    .filter((name) => !isInUse(join(store, name)))
  for (const name of [...abandoned, ...aged]) rmSync(join(store, name), { recursive: true, force: true })
}

function isInUse(directory: string): boolean {
  const users = join(directory, 'in-use')
  return existsSync(users) && readdirSync(users).some((pid) => isAlive(Number(pid)))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return isCode(cause, 'EPERM')
  }
}

const isCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === code
