import type { Random } from '../runtime/timing/randomness.ts'

/** What a standard queue does to the messages of AWS: late, in any order, and now and then twice. */
export interface Disorder {
  readonly random: Random
  /** How long a message that was sent is on its way. */
  arrivalMs(): number
  /** After how many ms another consumer receives a message that this one has just received. Mostly undefined. */
  repeatMs(): number | undefined
  /** After how many ms a deleted message comes back once more. Mostly undefined. */
  returnMs(): number | undefined
}

const arrivesWithinMs = 1_000
const repeats = { share: 0.02, withinMs: 500 }
const returns = { share: 0.02, withinMs: 2_000 }

export function disorderOf(random: Random): Disorder {
  const sometimes = ({ share, withinMs }: typeof repeats): number | undefined =>
    random() < share ? random() * withinMs : undefined
  return {
    random,
    arrivalMs: () => random() * arrivesWithinMs,
    repeatMs: () => sometimes(repeats),
    returnMs: () => sometimes(returns),
  }
}
