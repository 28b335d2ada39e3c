/** The service as slow, unordered and repeating as AWS, with three instances of each function. Deeper: test/deep/aws-time. */
import { afterAll, beforeAll, describe, it } from 'vitest'
import {
  type AwsWorld,
  awsWorld,
  checkDeliveries,
  checkIncoming,
  checkLists,
  checkNothingToRepair,
  checkProcesses,
  seedOfRun,
} from '../../make/services/worlds/aws-world.ts'

describe("in AWS's time, with three instances of each function", { timeout: 60_000 }, () => {
  let world: AwsWorld
  beforeAll(async () => {
    world = await awsWorld(seedOfRun())
  })
  afterAll(() => world?.stop())

  it('lists miss no change whose append failed', () => checkLists(world))
  it('webhooks arrive, and each attempt is recorded once', () => checkDeliveries(world, 3))
  it('incoming messages make one record each', () => checkIncoming(world, 3))
  it('processes take each step once, over timers and tasks', () => checkProcesses(world, 2))
  it('the nightly repair finds nothing to repair', () => checkNothingToRepair(world))
})
