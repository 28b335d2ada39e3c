import { mayFail } from '../../../shared/kernel/runtime/log.ts'
import { lazyObjects } from '../../wiring/platform/lazy-objects.ts'
import { appEtag, appFiles, fileOf, type AppFile, type Encoding } from './app-files.ts'

/*
 * A tab that was open during a deployment asks for files of its page that only the former build has. So each build copies
 * its files into the bucket before it shows its first page, and serves what it does not have from there.
 */

const keyOf = (file: string): string => `app/${file}`
/** Written last: whoever reads it knows that all files of the build are there. */
const markOf = (build: string): string => keyOf(`builds/${build.replaceAll('"', '')}`)
const putsAtOnce = 16

let keeping: Promise<void> | undefined

/** Copies the files of this build, once for each build. A failure is logged, and the next page tries again. */
export const keepFiles = (): Promise<void> =>
  (keeping ??= (async () => {
    const isKept = await mayFail('keep the files of this build of the web app', copyFiles)
    if (!isKept) keeping = undefined
  })())

async function copyFiles(): Promise<true> {
  const mark = markOf(appEtag())
  if (await exists(mark)) return true
  const files = [...appFiles()]
  const copy = async (): Promise<void> => {
    for (let next = files.pop(); next; next = files.pop()) await lazyObjects.putObject(keyOf(next.name), next.read())
  }
  await Promise.all(Array.from({ length: putsAtOnce }, copy))
  await lazyObjects.putObject(mark, Buffer.from(new Date().toISOString()))
  return true
}

const exists = async (key: string): Promise<boolean> => (await fetchIfThere(key)) !== undefined

/** A file of a build before this one; undefined when no build had it. */
export async function readFormerFile(name: string, encoding: Encoding): Promise<AppFile | undefined> {
  const compressed = await fetchIfThere(keyOf(`${name}.${encoding === 'br' ? 'br' : 'gz'}`))
  return compressed && fileOf(name, encoding, compressed)
}

async function fetchIfThere(key: string): Promise<Uint8Array | undefined> {
  try {
    return await lazyObjects.fetchObject(key)
  } catch (error) {
    const { name, $metadata } = error as { name: string; $metadata?: { httpStatusCode?: number } }
    // Without the right to list the bucket, S3 answers 403 for a key that does not exist.
    if (name === 'NoSuchKey' || $metadata?.httpStatusCode === 404 || $metadata?.httpStatusCode === 403) return undefined
    throw error
  }
}
