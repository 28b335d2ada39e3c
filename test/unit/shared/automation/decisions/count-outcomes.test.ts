import { expect, it } from 'vitest'
import type { DecisionModel } from '../../../../../shared/automation/decisions/definition/model.ts'
import { openCount } from '../../../../../shared/automation/decisions/replay/count-outcomes.ts'
import { Fault } from '../../../../../shared/kernel/failures/faults.ts'

it('counts records for which a decision has no answer, and hides no error of our own', () => {
  const answer = (error: Error) => () => {
    throw error
  }
  const model = { decisions: [] } as unknown as DecisionModel
  const failing = openCount(model, answer(new Fault('built_in', 'Two rules match.')))
  expect(failing.add(7, {})).toEqual({ error: 'Two rules match.' })
  expect(failing.counted().failed).toEqual({ count: 1, records: [{ id: 7, message: 'Two rules match.' }] })
  expect(() => openCount(model, answer(new TypeError('x is undefined'))).add(7, {})).toThrow('x is undefined')
})
