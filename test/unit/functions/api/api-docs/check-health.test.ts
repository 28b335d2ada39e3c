import { describe, expect, it } from 'vitest'
import { createHealthCheck } from '../../../../../functions/api/api-docs/check-health.ts'
import { Throttled } from '../../../../../shared/kernel/throttling/throttled.ts'
import { retryTimeMs } from '../../../../../shared/kernel/throttling/time-limit.ts'
import { ConditionFailed } from '../../../../../shared/platform/store/writes/refusals.ts'

const refuses = async (): Promise<never> => {
  throw new ConditionFailed(undefined)
}

function parts(write: () => Promise<never> | Promise<void> = refuses) {
  const state = { now: 0, asked: 0, write }
  const check = createHealthCheck({
    store: {
      write: () => {
        state.asked += 1
        return state.write()
      },
    },
    clock: { now: () => state.now, sleep: () => new Promise(() => {}) },
  })
  return { state, check }
}

describe('a check of health', () => {
  it('passes when the database refuses the condition, as it always does', async () => {
    await expect(parts().check()).resolves.toBeUndefined()
  })

  it.each([
    ['database_refuses_writes', new Throttled()],
    ['database_fails', new Error('the key is disabled')],
  ])('says %s', async (status, error) => {
    const { check } = parts(() => Promise.reject(error))
    await expect(check()).rejects.toMatchObject({ status, cause: error })
  })

  it('asks the database at most once in two seconds, however many ask', async () => {
    const { state, check } = parts()
    await Promise.all([check(), check(), check()])
    state.now = 1_999
    await check()
    expect(state.asked).toBe(1)
    state.now = 2_000
    await check()
    expect(state.asked).toBe(2)
  })

  it('is green again after the next write that the database takes', async () => {
    const { state, check } = parts(() => Promise.reject(new Throttled()))
    await expect(check()).rejects.toThrow('takes no writes')
    await expect(check()).rejects.toThrow('takes no writes')
    state.write = refuses
    state.now = 2_000
    await check()
    expect(state.asked).toBe(2)
  })

  it('does not wait for retries of a throttled call', async () => {
    const { check } = parts(async () => {
      expect(retryTimeMs()).toBe(0)
      return refuses()
    })
    await check()
  })

  it('does not wait for a database that does not answer', async () => {
    const check = createHealthCheck({
      store: { write: () => new Promise(() => {}) },
      clock: { now: () => 0, sleep: async () => {} },
    })
    await expect(check()).rejects.toMatchObject({ status: 'database_fails' })
  })
})
