import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What is used of fauxqs's persistence. */
interface Persistence {
  upsertObject(bucket: string, object: object): void
  insertMultipartUpload(upload: object): void
  upsertMultipartPart(uploadId: string, part: object): void
}

/** What is used of fauxqs's store. */
interface Store {
  readonly multipartUploads: ReadonlyMap<string, { readonly parts: Map<number, object> }>
  completeMultipartUpload(uploadId: string, parts: readonly object[]): object
}

export interface WholeFilesOptions {
  readonly directory: string
  /** The same persistence in another directory. */
  readonly open: (directory: string) => Persistence
  /** What S3 answers when the disk takes no more, for an error code such as ENOSPC. */
  readonly refusal: (code: string) => Error
}

/** The disk is full, the owner has no more room on it, or it cannot be written at all. */
const diskCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EFBIG'])

/**
 * fauxqs writes over its files. On a full disk, or when the process is killed, an object would lose the content that it
 * had, and half of a description keeps the store from opening. So files are written elsewhere, and moved when they are whole.
 */
export function writeWholeFiles(persistence: Persistence, { directory, open, refusal }: WholeFilesOptions): void {
  const staging = join(directory, '_staging')

  function stage(write: (staged: Persistence) => void): void {
    try {
      rmSync(staging, { recursive: true, force: true })
      write(open(staging))
      for (const file of filesIn(staging)) {
        mkdirSync(dirname(join(directory, file)), { recursive: true })
        renameSync(join(staging, file), join(directory, file))
      }
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      throw diskCodes.has(code) ? refusal(code) : error
    } finally {
      rmSync(staging, { recursive: true, force: true })
    }
  }

  persistence.upsertObject = (...object) => stage((staged) => staged.upsertObject(...object))
  persistence.insertMultipartUpload = (upload) => stage((staged) => staged.insertMultipartUpload(upload))
  persistence.upsertMultipartPart = (...part) => stage((staged) => staged.upsertMultipartPart(...part))
}

/** An upload that could not be completed keeps its parts, so that it can be completed later. */
export function keepParts(store: Store): void {
  const complete = store.completeMultipartUpload.bind(store)
  store.completeMultipartUpload = (uploadId, wanted) => {
    const parts = store.multipartUploads.get(uploadId)?.parts
    const before = [...(parts ?? [])]
    try {
      return complete(uploadId, wanted)
    } catch (error) {
      for (const [number, part] of before) parts?.set(number, part)
      throw error
    }
  }
}

/** Content before its description (`.meta.json`), without which it does not count. */
function filesIn(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort((a, b) => Number(a.endsWith('.json')) - Number(b.endsWith('.json')))
}
