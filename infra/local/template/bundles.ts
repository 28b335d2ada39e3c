import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeDraft, moveUnlessExists } from './build-folder.ts'

/** How many functions are bundled at once: what they share is parsed once, but nobody gets one before all are done. */
const batchSize = { urgent: 12, later: 6 }

/** `later`: nobody waits for it, so it leaves the machine to others. */
export type Urgency = keyof typeof batchSize

export interface BundlesOptions {
  /** Where drafts are made. */
  readonly store: string
  /** Of finished bundles: a folder each. */
  readonly directory: string
  /** Resolves once `directory` exists. */
  readonly ready: Promise<unknown>
  readonly bundle: (outDirectory: string, names: readonly string[], urgency: Urgency) => Promise<void>
  /** Whether the sources are still those of `directory`. */
  readonly isCurrent: () => boolean
  readonly report: (line: string) => void
}

/** The bundles of functions, made when they are first needed and kept for later starts. */
export interface Bundles {
  /** The folder of the function's bundle. Rejects with what the bundler says. */
  folderOf(name: string): Promise<string>
  /** Those that are not bundled yet. */
  missing(names: readonly string[]): readonly string[]
  /** Bundles functions after those that somebody waits for. */
  prepare(names: readonly string[]): Promise<void>
}

interface Wanted {
  readonly name: string
  readonly resolve: (folder: string) => void
  readonly reject: (error: unknown) => void
}

export function openBundles({ store, directory, ready, bundle, isCurrent, report }: BundlesOptions): Bundles {
  const folders = new Map<string, Promise<string>>()
  const urgent: Wanted[] = []
  const later: Wanted[] = []
  let isRunning = false
  let isToldOfChange = false

  function folderOf(name: string): Promise<string> {
    const kept = join(directory, name)
    if (existsSync(kept)) return Promise.resolve(kept)
    const at = later.findIndex((wanted) => wanted.name === name)
    if (at !== -1) urgent.push(...later.splice(at, 1))
    return folders.get(name) ?? request(name, urgent)
  }

  function request(name: string, queue: Wanted[]): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    folders.set(name, promise)
    // A bundle that nobody waits for may fail: whoever asks for it next gets the failure of another attempt.
    promise.catch(() => folders.delete(name))
    queue.push({ name, resolve, reject })
    if (!isRunning) void runQueue()
    return promise
  }

  async function runQueue(): Promise<void> {
    isRunning = true
    // Requests of the same moment share a batch.
    await Promise.resolve()
    while (urgent.length + later.length > 0) {
      const urgency = urgent.length > 0 ? 'urgent' : 'later'
      const batch = (urgency === 'urgent' ? urgent : later).splice(0, batchSize[urgency])
      await makeBatch(batch, urgency).catch((error: unknown) => batch.forEach(({ reject }) => reject(error)))
    }
    isRunning = false
  }

  async function makeBatch(batch: readonly Wanted[], urgency: Urgency): Promise<void> {
    const draft = makeDraft(store)
    let isKept = false
    try {
      await bundle(
        draft,
        batch.map(({ name }) => name),
        urgency,
      )
      await ready
      // A running service does not mix bundles of two versions into the folder that later starts trust.
      isKept = !isCurrent()
      if (isKept && !isToldOfChange) {
        isToldOfChange = true
        report('The sources changed since this start: start again to run one version of all functions.')
      }
      for (const { name, resolve } of batch) {
        if (!isKept) moveUnlessExists(join(draft, name), join(directory, name))
        resolve(join(isKept ? draft : directory, name))
      }
    } finally {
      if (!isKept) rmSync(draft, { recursive: true, force: true })
    }
  }

  return {
    folderOf,
    missing: (names) => names.filter((name) => !existsSync(join(directory, name))),
    async prepare(names) {
      await Promise.all(names.map((name) => folders.get(name) ?? request(name, later)))
    },
  }
}
