import { maxMailedFilesBytes } from '../../kernel/limits/files.ts'

/** The files of so many bytes are in memory at a time, in all mails that an instance is sending. */
const maxBytes = 2 * maxMailedFilesBytes
/** Whoever waits longer tries again later: the lease of an attempt must not end while it sends. */
const waitMs = 20_000

let taken = 0
let waiting: { readonly bytes: number; readonly enter: () => void }[] = []

/** Does something with so many bytes in memory, once there is room; undefined when there is none for long. */
export async function withRoom<T>(bytes: number, use: () => Promise<T>): Promise<T | undefined> {
  if (!(await enter(bytes))) return undefined
  try {
    return await use()
  } finally {
    taken -= bytes
    admit()
  }
}

/** A mail alone is always let in. */
const fits = (bytes: number): boolean => taken === 0 || taken + bytes <= maxBytes

function enter(bytes: number): Promise<boolean> {
  if (waiting.length === 0 && fits(bytes)) {
    taken += bytes
    return Promise.resolve(true)
  }
  return new Promise((resolve) => {
    const entry = {
      bytes,
      enter: () => {
        clearTimeout(timer)
        resolve(true)
      },
    }
    const timer = setTimeout(() => {
      waiting = waiting.filter((one) => one !== entry)
      resolve(false)
      admit()
    }, waitMs)
    waiting.push(entry)
  })
}

/** Lets in those that wait, in their order. */
function admit(): void {
  for (let first = waiting[0]; first && fits(first.bytes); first = waiting[0]) {
    waiting.shift()
    taken += first.bytes
    first.enter()
  }
}
