import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Invalid } from '../../../../../../shared/kernel/failures/faults.ts'
import { processEffectKey } from '../../../../../../shared/platform/store/keys/processes.ts'
import { ConditionFailed } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { guardEffect } from '../../../../../../shared/records/records/effects/guard-effect.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1 }
const clock = frozenClock()
let single: SingleTable
let instance = 0
let made: string[] = []
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(() => {
  instance += 1
  made = []
})

const rowsOf = (tryId: string) => ({
  kind: 'process_effect',
  tryId,
  keyOf: (effect: string) => processEffectKey(tenant, instance, effect),
})
type Act = Parameters<typeof guardEffect<string>>[4]
const guarded = (tryId: string, act: Act, effect = 'send') =>
  guardEffect<string>({ store: single.store, clock }, tenant, rowsOf(tryId), effect, act)
/** An effect that leaves `result`, in one transaction with its guard. */
const make =
  (result: string): Act =>
  async (guard, withdrawn) => {
    await single.store.transact(tenant, [guard(result)], crypto.randomUUID())
    made.push(withdrawn === undefined ? result : `${result} after ${withdrawn}`)
    return result
  }
const never: Act = () => Promise.reject(new Error('it was made again'))

describe('an effect of work that may be repeated', () => {
  it('is made once in a try, and its result is that of the first', async () => {
    expect(await guarded('try 1', make('first'))).toBe('first')
    expect(await guarded('try 1', never)).toBe('first')
  })

  it('is made again by another try, which learns what the last one left', async () => {
    await guarded('try 1', make('first'))
    await guarded('try 2', make('second'))
    expect(await guarded('try 2', never)).toBe('second')
    expect(made).toEqual(['first', 'second after first'])
  })

  it('does not stand for another effect of the same work', async () => {
    await guarded('try 1', make('first'))
    await guarded('try 1', make('other'), 'other')
    expect(made).toEqual(['first', 'other'])
  })

  it('is remembered for longer than an incident waits', async () => {
    await guarded('try 1', make('first'))
    const row = await single.store.get(tenant, processEffectKey(tenant, instance, 'send'))
    expect(row).toMatchObject({ kind: 'process_effect', expires_at: clock.now() / 1000 + 400 * 24 * 60 * 60 })
  })

  it('that fails leaves no mark', async () => {
    const failure = new Invalid({ title: ['The title is required.'] })
    await expect(guarded('try 1', () => Promise.reject(failure))).rejects.toBe(failure)
    expect(await guarded('try 1', make('first'))).toBe('first')
  })
})

describe('an effect that two workers make at the same time', () => {
  it('is made by one of them, and both have its result', async () => {
    const overtaken: Act = async (guard) => {
      await guarded('try 1', make('first'))
      return make('second')(guard, undefined)
    }
    expect(await guarded('try 1', overtaken)).toBe('first')
    expect(made).toEqual(['first'])
  })

  it.each([
    ['a check of its values', new Invalid({ code: ['The code has already been taken.'] })],
    ['the condition of a single write', new ConditionFailed(undefined)],
  ])('succeeds for both, also where %s refuses the second because of the first', async (_title, refusal) => {
    const refused: Act = async () => {
      await guarded('try 1', make('first'))
      throw refusal
    }
    expect(await guarded('try 1', refused)).toBe('first')
  })

  it('is refused to a worker of an earlier try', async () => {
    const overtaken: Act = async (guard) => {
      await guarded('try 2', make('second'))
      return make('first')(guard, undefined)
    }
    await expect(guarded('try 1', overtaken)).rejects.toThrow('the condition of a write in a transaction')
    expect([made, await guarded('try 2', never)]).toEqual([['second'], 'second'])
  })

  it('fails where nobody knows whether it was made', async () => {
    const lost = new Error('the database cannot be reached')
    const act: Act = async (guard) => {
      await make('first')(guard, undefined)
      throw lost
    }
    await expect(guarded('try 1', act)).rejects.toBe(lost)
    expect(await guarded('try 1', never)).toBe('first')
  })
})
