import { expect, it } from 'vitest'
import { Conflict, Invalid } from '../../../../../../shared/kernel/failures/faults.ts'
import { commit, StaleRead, type Step } from '../../../../../../shared/platform/store/writes/commit.ts'
import {
  ConditionFailed,
  wasApplied,
  TransactionRefused,
} from '../../../../../../shared/platform/store/writes/refusals.ts'

const tenant = { id: 1 }
const write = { remove: { pk: 'T#1#TEST', sk: 'a' } }
const refusing = (...failed: readonly boolean[]) => ({
  transact: () => Promise.reject(new TransactionRefused(failed.map((one) => ({ failed: one, existing: undefined })))),
})
const invalid = (field: string): Step => ({ write, refused: () => new Invalid({ [field]: ['Taken.'] }) })
const conflict: Step = { write, refused: () => new Conflict('name_taken', 'In use.') }
const stale: Step = { write, refused: () => new StaleRead('changed') }
const commitTo = (
  store: ReturnType<typeof refusing>,
  steps: readonly (Step | typeof write)[],
  otherwise?: () => Error,
) => commit(store, tenant, steps, 'token', otherwise)

it('throws the error of the refused step', async () => {
  await expect(commitTo(refusing(false, true), [invalid('a'), conflict])).rejects.toThrow('In use.')
})

it('names every invalid field in one failure', async () => {
  await expect(commitTo(refusing(true, true), [invalid('a'), invalid('b')])).rejects.toMatchObject({
    errors: { a: ['Taken.'], b: ['Taken.'] },
  })
})

it('throws a stale read before any other refusal', async () => {
  await expect(commitTo(refusing(true, true), [conflict, stale])).rejects.toThrow(StaleRead)
})

it('throws the refusal itself when no step maps it', async () => {
  await expect(commitTo(refusing(false, true), [conflict, write])).rejects.toThrow(TransactionRefused)
})

it('throws the error of `otherwise` when no step maps the refusal', async () => {
  const otherwise = () => new Conflict('write_conflict', 'Changed meanwhile.')
  await expect(commitTo(refusing(false, true), [conflict, write], otherwise)).rejects.toThrow('Changed meanwhile.')
  await expect(commitTo(refusing(true, true), [conflict, write], otherwise)).rejects.toThrow('In use.')
})

it('distinguishes a refusal from any other error', async () => {
  expect(await wasApplied(Promise.resolve())).toBe(true)
  expect(await wasApplied(Promise.reject(new ConditionFailed(undefined)))).toBe(false)
  await expect(wasApplied(Promise.reject(new Error('down')))).rejects.toThrow('down')
})
