/** Decisions that rest on the index of references, in AWS's time: what was answered just before counts. */
import { afterEach, describe, it } from 'vitest'
import { runs } from '../../make/depth.ts'
import { type AwsWorld, awsWorld, seedOfRun } from '../../make/services/worlds/aws-world.ts'
import { checkFreshReferences } from '../../make/services/worlds/fresh-references.ts'

const seeds = Array.from({ length: runs(3, 1) }, (_, n) => seedOfRun() + n)

describe.each(seeds)("references in AWS's time, seed %i", { timeout: 300_000 }, (seed) => {
  let world: AwsWorld
  afterEach(() => world?.stop())

  it('that were just written follow merges, restrict deletes, are cleared by them, and are in bulk changes', async () => {
    world = await awsWorld(seed)
    await checkFreshReferences(world, 6)
  })
})
