import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Instance } from '../../../../../../shared/automation/processes/rows/instance-row.ts'
import { flow, inARow, start } from '../../../../../make/builders/processes/processes.ts'
import { Crash, crashesUpTo, crashing } from '../../../../../make/services/stores/crashing-store.ts'
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
const after = '<userTask id="after"/>'
const call = (more = ''): string => `<callActivity id="call" calledElement="child">${more}</callActivity>`
const mapped =
  '<extensionElements><wf:in target="given" value="7"/><wf:out target="got" source="given"/></extensionElements>'
const loop = '<multiInstanceLoopCharacteristics><loopCardinality>3</loopCardinality></multiInstanceLoopCharacteristics>'
const onError =
  '<boundaryEvent id="caught" attachedToRef="call"><errorEventDefinition errorRef="NoBudget"/></boundaryEvent><userTask id="handled"/>'
const fails = inARow(start, '<endEvent id="bad"><errorEventDefinition errorRef="NoBudget"/></endEvent>')

/** What the instances that this record's process called look like. */
const called = async (parent: number): Promise<readonly Instance[]> => {
  const ids = (await single.itemsOf(`T#${plan.tenant.id}#PX#${parent}`))
    .filter(({ kind }) => kind === 'process_called')
    .map(({ called_id }) => Number(called_id))
  return Promise.all(ids.map((id) => plan.instance(id)))
}
const pending = async (id: number): Promise<string[]> =>
  (await plan.tasks(id)).filter(({ status }) => status === 'pending').map(({ elementId }) => elementId)

/** Lets a worker crash, and others finish the work when its lease has expired. */
async function survive(at: number, when: 'before' | 'after', act: (worker: Plan['settle']) => Promise<void>) {
  const worker = crashing(single.store, at, when)
  await act(() =>
    plan.settle(worker.store).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error
    }),
  )
  plan.clock.advance(30_000)
  await plan.settle()
}

describe.each(crashesUpTo(10))('a worker crashes $when write $at', ({ at, when }) => {
  it('and the process is called once, and its end counts once', async () => {
    await plan.define('child', 'plans', inARow(start, end))
    const id = await plan.make(inARow(start, call(mapped), after, end))
    await survive(at, when, (worker) => worker())
    expect((await called(id)).map(({ status, variables }) => [status, variables])).toEqual([
      ['completed', { given: '7' }],
    ])
    expect(await pending(id)).toEqual(['after'])
    expect((await plan.instance(id)).variables).toEqual({ got: '7' })
  })

  it('and three passes call three processes, each once', async () => {
    await plan.define('child', 'plans', inARow(start, end))
    const id = await plan.make(inARow(start, call(loop), after, end))
    await survive(at, when, (worker) => worker())
    expect((await called(id)).map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])
    expect(await pending(id)).toEqual(['after'])
  })

  it('and an error of the called process leaves the call once', async () => {
    await plan.define('child', 'plans', fails)
    const id = await plan.make([inARow(start, call(), after), onError, flow('caught', 'handled')].join(''))
    await survive(at, when, (worker) => worker())
    expect((await called(id)).map(({ status }) => status)).toEqual(['cancelled'])
    expect(await pending(id)).toEqual(['handled'])
  })

  it.each([
    ['an escalation', '<escalationEventDefinition/>'],
    ['a message', '<messageEventDefinition/>'],
    ['a signal', '<signalEventDefinition/>'],
  ])('and %s of the called process arrives once, before its end', async (_what, event) => {
    const name = `news ${record}`
    const says = `<intermediateThrowEvent id="say" name="${name}">${event}</intermediateThrowEvent>`
    await plan.define('child', 'plans', inARow(start, says, end))
    const border = `<boundaryEvent id="caught" name="${name}" attachedToRef="call" cancelActivity="false">${event}</boundaryEvent><userTask id="handled"/>`
    const id = await plan.make([inARow(start, call(), after), border, flow('caught', 'handled')].join(''))
    await survive(at, when, (worker) => worker())
    expect((await called(id)).map(({ status }) => status)).toEqual(['completed'])
    expect((await pending(id)).toSorted()).toEqual(['after', 'handled'])
  })

  it('and a cancel reaches what was called', async () => {
    await plan.define('child', 'plans', inARow(start, '<userTask id="work"/>', end))
    const id = await plan.make(inARow(start, call(), after, end))
    await plan.settle()
    await plan.command(id, { kind: 'cancel' })
    await survive(at, when, (worker) => worker())
    expect((await plan.instance(id)).status).toBe('cancelled')
    const [child] = await called(id)
    expect([child?.status, await pending(child?.id ?? 0)]).toEqual(['cancelled', []])
  })

  it('and an incident comes up, and its retry goes down', async () => {
    await plan.define('child', 'plans', fails)
    const id = await plan.make(inARow(start, call(), after, end))
    await survive(at, when, (worker) => worker())
    const [child] = await called(id)
    expect([child?.status, (await plan.instance(id)).status]).toEqual(['incident', 'incident'])
    await plan.command(child?.id ?? 0, { kind: 'cancel' })
    await plan.settle()
    // What it called is gone, so the call has failed: a retry calls again.
    expect((await plan.instance(id)).status).toBe('incident')
    await plan.command(id, { kind: 'retry' })
    await survive(at, when, (worker) => worker())
    expect((await called(id)).map(({ status }) => status)).toEqual(['cancelled', 'incident'])
    expect((await plan.instance(id)).status).toBe('incident')
  })
})

describe.each(crashesUpTo(8))('a worker crashes $when write $at', ({ at, when }) => {
  it('and a cancelled transaction is undone once, in the reverse order', async () => {
    const undoable = (name: string): string =>
      `<task id="${name}"/><boundaryEvent id="on_${name}" attachedToRef="${name}"><compensateEventDefinition/></boundaryEvent><userTask id="undo_${name}" isForCompensation="true"/><association id="as_${name}" sourceRef="on_${name}" targetRef="undo_${name}"/>`
    const inside = [
      '<startEvent id="begin"/>',
      undoable('a'),
      undoable('b'),
      '<endEvent id="stop"><cancelEventDefinition/></endEvent>',
      flow('begin', 'a'),
      flow('a', 'b'),
      flow('b', 'stop'),
    ].join('')
    const id = await plan.make(
      [
        inARow(start, `<transaction id="tx">${inside}</transaction>`, '<userTask id="wrong"/>'),
        '<boundaryEvent id="cancelled" attachedToRef="tx"><cancelEventDefinition/></boundaryEvent>',
        after,
        flow('cancelled', 'after'),
      ].join(''),
    )
    await survive(at, when, (worker) => worker())
    for (const undone of ['undo_b', 'undo_a']) {
      expect(await pending(id)).toEqual([undone])
      const task = await plan.pendingTask(id)
      const worker = crashing(single.store, at, when)
      await plan.complete(task, null, worker.store).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error
      })
      plan.clock.advance(30_000)
      await plan.settle()
    }
    expect(await pending(id)).toEqual(['after'])
  })
})
