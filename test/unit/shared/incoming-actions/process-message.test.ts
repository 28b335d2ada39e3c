import { afterAll, beforeAll, expect, it } from 'vitest'
import type { IncomingAction } from '../../../../shared/incoming-actions/incoming-action.ts'
import type { ProcessingDependencies } from '../../../../shared/incoming-actions/run/dependencies.ts'
import { processMessage } from '../../../../shared/incoming-actions/run/process-message.ts'
import { findMessage, storeMessage } from '../../../../shared/incoming-messages/service.ts'
import { clock } from '../../../../shared/kernel/clock.ts'
import { Invalid } from '../../../../shared/kernel/faults.ts'
import { openSingleTable, type SingleTable } from '../../../make/services/single-table.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme', configVersion: 1 }
let table: SingleTable
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

const rule = {
  id: 3,
  name: 'Broken',
  targetModel: 'requests',
  channel: 'all',
  isAutomatic: true,
  isActive: true,
  condition: null,
  savedBy: 1,
}

/** The tables of the tenant cannot be read: every rule meets a defect of the service. */
function dependencies() {
  const continued: number[] = []
  const deps = {
    store: table.store,
    clock,
    config: { list: async () => [rule as unknown as IncomingAction] },
    tables: { require: () => Promise.reject(new Error('the store is gone')) },
    timeZone: async () => 'UTC',
    fetchObject: () => Promise.reject(new Error('no object')),
    prepare: async (_tenant: unknown, message: unknown) => ({ kind: 'ready', message }),
    continueLater: async (_tenant: unknown, { id }: { id: number }) => void continued.push(id),
  }
  return { deps: deps as unknown as ProcessingDependencies, continued }
}

async function arrive(conversation: string, receivedAtMs = clock.now()): Promise<number> {
  const stored = await storeMessage({ store: table.store, clock, putObject: async () => {} }, tenant, {
    channel: 'api',
    channelId: null,
    fromName: null,
    fromEmail: null,
    fromId: null,
    subject: null,
    body: '',
    payload: {},
    attachments: [],
    receivedAtMs,
    conversation,
  })
  return (stored as { id: number }).id
}
const read = async (id: number) => findMessage({ store: table.store, fetchObject: async () => Buffer.of() }, tenant, id)
const run = (deps: ProcessingDependencies, id: number, isRepeat = false, leftMs = 60_000) =>
  processMessage(deps, tenant, id, { remainingMs: () => leftMs, isRepeat })

it('a message whose rules do not fit into the time that is left waits for a further invocation', async () => {
  const { deps, continued } = dependencies()
  const id = await arrive('slow')
  await run(deps, id, false, 20_000)
  expect(continued).toEqual([id])
  expect(await read(id)).toMatchObject({ isWaiting: true, outcomes: [] })
})

it('a rule that meets a defect is tried again, then noted, so that it does not hold up the conversation', async () => {
  const { deps } = dependencies()
  const id = await arrive('defect')
  await expect(run(deps, id)).rejects.toThrow('the store is gone')
  expect(await read(id)).toMatchObject({ isWaiting: true, outcomes: [] })
  await run(deps, id, true)
  expect(await read(id)).toMatchObject({
    isWaiting: false,
    outcomes: [{ actionId: 3, kind: 'failed', message: expect.stringContaining('Reprocess') }],
  })
})

it('an earlier message whose attempts are over is left to the operator', async () => {
  const { deps } = dependencies()
  const old = await arrive('old', clock.now() - 2 * 60 * 60_000)
  const id = await arrive('old')
  await run(deps, id, true)
  expect([await read(old), await read(id)]).toMatchObject([{ isWaiting: true }, { isWaiting: false }])
})

it('an earlier message that fails again does not use up the attempts of those after it', async () => {
  const { deps } = dependencies()
  const first = await arrive('poison')
  const second = await arrive('poison')
  const prepare: ProcessingDependencies['prepare'] = (given, message) =>
    message.id === first ? Promise.reject(new Error('no such file')) : deps.prepare(given, message)
  await expect(run({ ...deps, prepare }, second)).rejects.toThrow('no such file')
  await run({ ...deps, prepare }, second, true)
  expect([await read(first), await read(second)]).toMatchObject([{ isWaiting: true }, { isWaiting: false }])
})

it('a message keeps the failures of 200 rules, whatever they say, and forgets older ones', async () => {
  const { deps } = dependencies()
  const id = await arrive('many')
  const rules = Array.from({ length: 250 }, (_, n) => ({ ...rule, id: n + 1, name: '"'.repeat(100) }))
  const hostile = new Invalid({}, { message: '\u0000\u{1f4a5}"'.repeat(1000) })
  const list = async () => rules as unknown as IncomingAction[]
  const failing = {
    ...deps,
    config: { ...deps.config, list },
    tables: { ...deps.tables, require: () => Promise.reject(hostile) },
  }
  await run(failing as unknown as ProcessingDependencies, id)
  const outcomes = (await read(id))?.outcomes ?? []
  expect(outcomes.map(({ actionId }) => actionId)).toEqual(Array.from({ length: 200 }, (_, n) => n + 51))
  expect(outcomes[0]?.message).toMatch(/^\0\u{1f4a5}"/u)
})
