import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { maxMessageReceivers } from '../../../../../../shared/kernel/limits/processes.ts'
import { inARow, start } from '../../../../../make/builders/processes/processes.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { openPlan, type Plan } from '../../../../../make/services/worlds/plan-world.ts'

let single: SingleTable
let plan: Plan
let record = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  record += 1
  plan = await openPlan(single, record)
})

const end = '<endEvent id="end"/>'
const paid = '<messageEventDefinition/>'
const waits = inARow(start, `<intermediateCatchEvent id="wait" name="paid">${paid}</intermediateCatchEvent>`, end)
const incidents = async (id: number) =>
  (await single.itemsOf(`T#${plan.tenant.id}#PN`))
    .filter(({ kind, instance_id }) => kind === 'process_incident' && instance_id === id)
    .map(({ status, element_id, message }) => [status, element_id, message])

/** More instances than a message reaches wait for it under the key of the record. */
const crowd = async (): Promise<number[]> => {
  const ids: number[] = []
  for (let count = 0; count <= maxMessageReceivers; count++) ids.push(await plan.run(waits))
  return ids
}
const statuses = (ids: readonly number[]) => Promise.all(ids.map(async (id) => (await plan.instance(id)).status))

describe('a message of a process for which more instances wait than it reaches', () => {
  const text =
    'More than 20 process instances wait for the message paid with this correlation_key. A message is for few; send a signal to reach all of them.'

  it('is an incident of its sender, and a retry sends it once when fewer wait', async () => {
    const ids = await crowd()
    const sender = await plan.run(
      inARow(
        start,
        `<intermediateThrowEvent id="tell" name="paid">${paid}</intermediateThrowEvent>`,
        '<userTask id="on"/>',
        end,
      ),
    )
    expect(await incidents(sender)).toEqual([['open', 'tell', text]])
    expect([(await plan.instance(sender)).status, await plan.open(sender)]).toEqual(['incident', ['(send)']])
    // Its other work continues.
    expect(await plan.statuses(sender)).toEqual({ on: 'pending' })
    expect(new Set(await statuses(ids))).toEqual(new Set(['running']))
    await plan.command(ids[0]!, { kind: 'cancel' })
    await plan.advance(ids[0]!)
    await plan.retry(sender)
    await plan.settle()
    expect(await statuses(ids)).toEqual(['cancelled', ...ids.slice(1).map(() => 'completed')])
    expect((await incidents(sender)).map(([status]) => status)).toEqual(['resolved'])
    expect([(await plan.instance(sender)).status, await plan.open(sender)]).toEqual(['running', []])
  })

  it('is a closed incident when its sender has ended', async () => {
    const ids = await crowd()
    const sender = await plan.run(inARow(start, `<endEvent id="tell" name="paid">${paid}</endEvent>`))
    expect(await incidents(sender)).toEqual([
      ['resolved', 'tell', `${text} The process had ended, so the message is not sent again.`],
    ])
    expect([(await plan.instance(sender)).status, await plan.open(sender)]).toEqual(['completed', []])
    expect(new Set(await statuses(ids))).toEqual(new Set(['running']))
  })
})
