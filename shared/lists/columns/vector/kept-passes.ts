import { runLoop } from './number-kernels.ts'

/** Which of the texts of a piece pass one test, a bit each. */
export type Passes = Uint32Array

/** So many tests of a piece are kept: a list is asked for page after page, and a view by everybody who works with it. */
const maxKeptPasses = 32
/** Longer texts to look for are not worth their memory. */
const maxNameLength = 64
/** What an entry takes beside its bits, names of other tests included. */
const entryBytes = 200

/** What tests of the same texts answered, by a name of each test: those used last. */
export class KeptPasses {
  readonly #kept = new Map<string, Passes>()
  /** Names of tests that were made once. */
  readonly #once = new Set<string>()

  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  get(name: string): Passes | undefined {
    const known = this.#kept.get(name)
    if (!known) return undefined
    this.#kept.delete(name)
    this.#kept.set(name, known)
    return known
  }

  /** Whether a test was made before: what is looked for once only is not worth keeping. */
  isAgain(name: string): boolean {
    if (name.length > maxNameLength) return false
    if (this.#once.delete(name)) return true
    this.#once.add(name)
    for (const oldest of this.#once) {
      if (this.#once.size <= maxKeptPasses) break
      this.#once.delete(oldest)
    }
    return false
  }

  keep(name: string, passes: Passes): void {
    for (const [oldest, { byteLength }] of this.#kept) {
      if (this.#kept.size < maxKeptPasses) break
      this.#kept.delete(oldest)
      this.#bytes -= byteLength + entryBytes
    }
    this.#kept.set(name, passes)
    this.#bytes += passes.byteLength + entryBytes
  }

  clear(): void {
    this.#kept.clear()
    this.#bytes = 0
  }
}

/** The bytes of a mask (0 or 1) as bits. */
export function passesOf(mask: Uint8Array): Passes {
  const passes = new Uint32Array(Math.ceil(mask.length / 32))
  runLoop(setBits, mask, passes)
  return passes
}

function setBits(mask: Uint8Array, passes: Passes): void {
  for (let i = 0; i < mask.length; i += 1) passes[i >>> 5]! |= mask[i]! << (i & 31)
}

/** Clears the bytes of the mask whose bit is 0. The mask is not longer than the bits. */
export const keepPassing = (mask: Uint8Array, passes: Passes): void => runLoop(clearFailing, mask, passes)

function clearFailing(mask: Uint8Array, passes: Passes): void {
  for (let i = 0; i < mask.length; i += 1) mask[i]! &= passes[i >>> 5]! >>> (i & 31)
}
