import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { log } from '../../../../../../shared/kernel/runtime/log.ts'
import { isNew } from '../../../../../../shared/platform/store/writes/conditions.ts'
import { ConditionFailed, TransactionRefused } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

// The logger reads its level when it is made; tests are silent otherwise.
vi.hoisted(() => vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'ERROR'))

const tenant = { id: 1 }
const item = { pk: 'T#1#R#letters#0', sk: '000000000001', text: 'canary of a letter' }
let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
  await single.store.putMany(tenant, [item])
})
afterAll(() => single?.close())

/** What a log prints of an error. */
function printed(error: unknown): string {
  let text = ''
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      text += String(chunk)
      return true
    }),
  )
  log.error('could not write', error)
  for (const spy of spies) spy.mockRestore()
  return text
}

describe('a refused write', () => {
  it.each([
    ['write', ConditionFailed, () => single.store.write(tenant, { put: item, if: isNew })],
    ['transaction', TransactionRefused, () => single.store.transact(tenant, [{ put: item, if: isNew }], 'token')],
  ] as const)('tells its caller the item, but no log: a %s', async (_what, kind, write) => {
    const error = await write().catch((cause: unknown) => cause)
    if (!(error instanceof kind)) throw error
    const existing =
      error instanceof ConditionFailed ? error.existing : (error as TransactionRefused).reasons[0]?.existing
    expect(existing).toMatchObject({ text: item.text })
    expect(printed(error)).toContain('the condition of a write')
    expect(printed(error)).not.toContain('canary')
  })
})
