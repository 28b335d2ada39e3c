/** Lists in AWS's time: what a queue, a shard or an index holds back is missed by none for long. */
import { afterEach, describe, it } from 'vitest'
import { runs } from '../../make/depth.ts'
import {
  type AwsWorld,
  awsWorld,
  checkLists,
  checkListsBesideWrites,
  checkNothingToRepair,
  seedOfRun,
} from '../../make/services/worlds/aws-world.ts'

const seeds = Array.from({ length: runs(3, 1) }, (_, n) => seedOfRun() + n)

describe.each(seeds)("lists in AWS's time, seed %i", { timeout: 300_000 }, (seed) => {
  let world: AwsWorld
  afterEach(() => world?.stop())

  it('show what was written, beside an append that fails and others', async () => {
    world = await awsWorld(seed)
    await checkLists(world)
    await checkListsBesideWrites(world, 120)
    await checkNothingToRepair(world)
  })
})
