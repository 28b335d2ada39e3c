import { afterAll, beforeAll, it } from 'vitest'
import { type AwsWorld, awsWorld } from '../../make/services/worlds/aws-world.ts'
import { checkFreshReferences } from '../../make/services/worlds/fresh-references.ts'

let world: AwsWorld
beforeAll(async () => {
  world = await awsWorld(7)
})
afterAll(() => world?.stop())

it(
  'references that were just written follow a merge, restrict a delete, are cleared by it, and are in bulk changes',
  () => checkFreshReferences(world, 1),
  240_000,
)
