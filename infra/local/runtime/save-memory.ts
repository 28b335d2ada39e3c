import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

/** From so many megabytes on, collections give back what they free. */
const frugalFromMb = 500
const lookEveryMs = 1_000

/**
 * Lets V8 give memory back to the system while the process is large. The pages that a collection frees are kept for
 * later until one that is to save memory, which without this comes only when the process has been idle for a while: a
 * process that lists after a large import would be 200 MB larger. Saving memory all the time costs half as much CPU time
 * again: young objects get little room.
 */
export function saveMemory(): void {
  if (process.platform !== 'linux') return
  const look = frugality(ownMegabytes, setFlagsFromString)
  setInterval(look, lookEveryMs).unref()
}

/** Turns the flag on and off, each time it is called, as the process has grown or shrunk. */
export function frugality(megabytes: () => number, setFlag: (flag: string) => void): () => void {
  let isFrugal = false
  return () => {
    const isLarge = megabytes() > frugalFromMb
    if (isLarge === isFrugal) return
    isFrugal = isLarge
    setFlag(isFrugal ? '--optimize-for-size' : '--no-optimize-for-size')
  }
}

/** Resident memory without mapped files, which the system takes back (proc(5): statm, in pages of 4 KB). */
export function ownMegabytes(): number {
  const [, resident = 0, mapped = 0] = readFileSync('/proc/self/statm', 'utf8').split(' ').map(Number)
  return ((resident - mapped) * 4096) / 2 ** 20
}
