/** What would stop a start after seconds of work is found before it: each problem is one line for the operator. */
import { mkdtempSync, mkdirSync, rmdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { portProblem } from '../gateway/port-problem.ts'
import { findRunningService } from './local-endpoint.ts'

/** Rejects with a one-line message: port taken, data directory or build folder not usable. */
export async function checkMachine(given: {
  readonly port: number
  /** An absolute path, or `:memory:`. */
  readonly dataDirectory: string
  readonly buildFolder: string
}): Promise<void> {
  if (given.dataDirectory !== ':memory:') await checkDataDirectory(given.dataDirectory)
  await checkPort(given.port)
  checkBuildFolder(given.buildFolder)
}

async function checkPort(port: number): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(new Error(portProblem(port, cause), { cause })))
    server.listen(port, '127.0.0.1', resolve)
  })
  await new Promise((resolve) => server.close(resolve))
}

async function checkDataDirectory(directory: string): Promise<void> {
  const found = statOf(directory)
  if (found && !found.isDirectory())
    throw new Error(`The data directory ${directory} is not a directory: set DATA_DIR to another path.`)
  try {
    makeDirectory(directory, 0o700)
    tryToWrite(directory)
  } catch (cause) {
    throw new Error(
      `The data directory ${directory} cannot be ${found ? 'written' : 'made'} (${reasonOf(cause)}): set DATA_DIR to one that ${userInfo().username} may write.`,
      { cause },
    )
  }
  if (await findRunningService(directory))
    throw new Error(`The data directory ${directory} is in use by another process.`)
}

/** Another user, root for example, may have built here. */
function checkBuildFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    tryToWrite(folder)
  } catch (cause) {
    throw new Error(buildFolderProblem(folder, cause), { cause })
  }
}

/** Why the functions cannot be built into `folder`, and what helps. */
export function buildFolderProblem(folder: string, cause: unknown, { uid, username } = userInfo()): string {
  const owner = statOf(folder)?.uid
  return owner === undefined || owner === uid
    ? `The build folder ${folder} cannot be written (${reasonOf(cause)}): ${username} needs the right to write there.`
    : `The build folder ${folder} belongs to another user (id ${owner}), and ${username} may not write there: delete it as its owner (sudo rm -r ${folder}), it is made anew.`
}

/** With its parents. Not `recursive`, which never returns below /proc. */
function makeDirectory(directory: string, mode?: number): void {
  if (statOf(directory)) return
  makeDirectory(dirname(directory))
  mkdirSync(directory, { mode })
}

function tryToWrite(directory: string): void {
  rmdirSync(mkdtempSync(join(directory, '.check-')))
}

const statOf = (path: string) => {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // A file within the path, or a folder that may not be entered: making it tells which.
    return undefined
  }
}

const reasonOf = (cause: unknown): string => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return reasons[code] ?? (cause instanceof Error ? cause.message : String(cause))
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOENT: 'the file system does not allow it',
  ENOTDIR: 'a part of the path is a file',
  ENOSPC: 'the disk is full',
}
