import { afterAll, beforeAll, expect, it } from 'vitest'
import { botStates, dryRunBotStates } from '../../../../../shared/scripts/api/bot-states.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

let table: SingleTable
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

const hourMs = 3_600_000
function world(tenantId: number) {
  const clock = frozenClock()
  return { clock, states: botStates({ store: table.store, clock }, { id: tenantId }) }
}

it('a state is kept for one hour, exactly', async () => {
  const { clock, states } = world(1)
  await states.set('42', 'asked')
  clock.advance(hourMs - 1)
  expect(await states.get('42')).toBe('asked')
  clock.advance(1)
  expect(await states.get('42')).toBeNull()
})

it('a state that is set again is kept for an hour from then', async () => {
  const { clock, states } = world(2)
  await states.set('42', 'asked')
  clock.advance(hourMs - 1)
  await states.set('42', 'answered')
  clock.advance(hourMs - 1)
  expect(await states.get('42')).toBe('answered')
})

it('a state belongs to one chat of one tenant', async () => {
  const [{ states }, other] = [world(3), world(4)]
  await states.set('42', 'asked')
  await states.set('43', '')
  expect([await states.get('42'), await states.get('43'), await other.states.get('42')]).toEqual(['asked', '', null])
  await states.clear('42')
  await states.clear('42')
  expect([await states.get('42'), await states.get('43')]).toEqual([null, ''])
})

it('a dry run reads what is stored and stores nothing', async () => {
  const { states } = world(5)
  await states.set('42', 'asked')
  const dry = dryRunBotStates(states)
  expect(await dry.get('42')).toBe('asked')
  await dry.set('42', 'tried')
  await dry.clear('43')
  expect([await dry.get('42'), await dry.get('43'), await states.get('42')]).toEqual(['tried', null, 'asked'])
})
