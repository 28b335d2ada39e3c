/** Deliveries, incoming messages and processes in AWS's time: nothing is lost, nothing is done twice. */
import { afterEach, describe, it } from 'vitest'
import { runs } from '../../make/depth.ts'
import {
  type AwsWorld,
  awsWorld,
  checkDeliveries,
  checkIncoming,
  checkNothingToRepair,
  checkProcesses,
  seedOfRun,
} from '../../make/services/worlds/aws-world.ts'

const seeds = Array.from({ length: runs(3, 1) }, (_, n) => seedOfRun() + n)

describe.each(seeds)("work in AWS's time, seed %i", { timeout: 600_000 }, (seed) => {
  let world: AwsWorld
  afterEach(() => world?.stop())

  it('is done once each', async () => {
    world = await awsWorld(seed)
    await checkDeliveries(world, 20)
    await checkIncoming(world, 20)
    await checkProcesses(world, 8)
    await checkNothingToRepair(world)
  })
})
