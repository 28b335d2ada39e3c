import { useEffect, useRef, useState } from 'react'
import { useUser } from '../../api/permissions.ts'
import { keeperOf } from '../../parts/last-choice.ts'

/*
 * The files of what somebody wrote and did not send yet: kept in this browser's database beside the draft, whose texts alone fit
 * into its storage.
 */

const storeName = 'files'
const keptMs = 30 * 24 * 60 * 60_000
/** Of more, none are kept: they stay on the screen. */
const maxKeptBytes = 200 * 1024 * 1024

interface Kept {
  readonly files: readonly File[]
  readonly at: number
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('The database of the browser failed.')))
  })

/** Does something with the kept files; undefined in a browser that keeps nothing. */
async function withStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => Promise<T>,
): Promise<T | undefined> {
  if (typeof indexedDB === 'undefined') return undefined
  try {
    const opening = indexedDB.open('drafts', 1)
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(storeName))
    const database = await done(opening)
    try {
      return await work(database.transaction(storeName, mode).objectStore(storeName))
    } finally {
      database.close()
    }
  } catch {
    // A browser without room keeps what is on the screen.
    return undefined
  }
}

const readFiles = async (name: string, nowMs = Date.now()): Promise<readonly File[]> => {
  const kept = await withStore('readonly', (store) => done<Kept | undefined>(store.get(name)))
  return kept && nowMs - kept.at <= keptMs ? kept.files : []
}

const keepFiles = (name: string, files: readonly File[], nowMs = Date.now()): Promise<unknown> =>
  withStore('readwrite', async (store) => {
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    await (files.length === 0 || bytes > maxKeptBytes
      ? done(store.delete(name))
      : done(store.put({ files, at: nowMs } satisfies Kept, name)))
  })

/** The files of the draft of the person who is signed in about a subject: they begin as they were left. */
export function useDraftFiles(subject: string) {
  const { tenant, userId } = keeperOf(useUser())
  const name = `${tenant} ${userId} ${subject}`
  const [files, setFiles] = useState<readonly File[]>([])
  const latest = useRef(files)
  function show(next: readonly File[]): void {
    latest.current = next
    setFiles(next)
  }
  useEffect(() => {
    let isLeft = false
    void readFiles(name).then((kept) => {
      // Whoever chose some meanwhile keeps them, too.
      if (!isLeft && kept.length > 0) show([...kept, ...latest.current])
    })
    return () => {
      isLeft = true
    }
  }, [name])
  function put(next: readonly File[]): void {
    show(next)
    void keepFiles(name, next)
  }
  return {
    files,
    put,
    /** Shows files and leaves what is kept as it is. */
    show,
    /** Adds to those of now, which may have changed since this was drawn. */
    add: (more: Iterable<File>): void => put([...latest.current, ...more]),
    /** Keeps what is shown, and forgets what was sent. */
    settle: (): void => void keepFiles(name, latest.current),
  }
}
