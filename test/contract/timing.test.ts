/**
 * Times and orders that the service relies on: retries of queues, the order of streams, copies that lag. The same cases run
 * on the embedded cloud in AWS's time, whose clock is moved, and on AWS itself if an account is configured.
 */
import { afterAll, beforeAll, describe } from 'vitest'
import { onAws } from './dynamodb/aws.ts'
import { openAws } from './timing/aws.ts'
import { queueCases, tableCases } from './timing/cases.ts'
import { openEmbedded } from './timing/embedded.ts'
import type { World } from './timing/world.ts'

describe.each([1, 2, 3])("the embedded cloud in AWS's time, seed %i", (seed) => {
  let opened: World
  beforeAll(async () => {
    opened = await openEmbedded(seed)
  })
  afterAll(() => opened.close())

  describe('queues', () => {
    queueCases(() => opened)
  })
  describe('tables', () => {
    tableCases(() => opened)
  })
})

describe.skipIf(!onAws)('AWS (AWS_CONTRACT=1 with credentials and a region; it costs cents)', () => {
  let opened: World | undefined
  beforeAll(async () => {
    opened = await openAws()
  }, 600_000)
  afterAll(() => opened?.close(), 600_000)

  describe('queues', { timeout: 180_000 }, () => {
    queueCases(() => opened as World)
  })
  describe('tables', { timeout: 180_000 }, () => {
    tableCases(() => opened as World)
  })
})
