import { afterAll, beforeAll, expect, it } from 'vitest'
import { bpmn, end, eventually, inARow, makeProcess, read, start } from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })

const calls = 40
const wait = '<intermediateCatchEvent id="wait"><signalEventDefinition signalRef="go"/></intermediateCatchEvent>'

beforeAll(async () => {
  service = await startService()
  await makeTable(service, 'loans', [{ name: 'title', type: 'text' }])
  await api('POST', '/api/e/loans', { title: 'A' })
  await makeProcess(service, 'loans', 'quick', bpmn(inARow(start, end)))
  const waiting = bpmn(inARow(start, wait, end)).replace('<process ', '<signal id="go" name="go"/><process ')
  await makeProcess(service, 'loans', 'waiting', waiting)
  const caller = (called: string, isSequential: boolean): string => {
    const loop = `<multiInstanceLoopCharacteristics isSequential="${isSequential}"><loopCardinality>${calls}</loopCardinality></multiInstanceLoopCharacteristics>`
    return bpmn(inARow(start, `<callActivity id="call" calledElement="${called}">${loop}</callActivity>`, end))
  }
  await makeProcess(service, 'loans', 'in_turn', caller('quick', true))
  await makeProcess(service, 'loans', 'at_once', caller('quick', false))
  await makeProcess(service, 'loans', 'ending_at_once', caller('waiting', false))
}, 60_000)
afterAll(() => service?.stop())

/** The calls of AWS from the start of a process to its end. */
async function costOf(code: string, meanwhile: () => Promise<unknown> = async () => {}) {
  await service.cloud.idle()
  service.cloud.recordCalls()
  const { body } = await api('POST', '/api/sys/process-instances', { template_code: code, record_id: 1 })
  await service.cloud.idle(60_000)
  await meanwhile()
  await service.cloud.idle(60_000)
  const cost = service.cloud.callsOf()
  service.cloud.recordCalls(false)
  await eventually(`the end of ${code}`, async () => {
    const { status } = await read(service, `/api/sys/process-instances/${body.data.id}`)
    return status === 'completed' ? true : undefined
  })
  return { calls: cost.calls.length, readUnits: cost.readUnits, writeUnits: cost.writeUnits, all: cost.calls }
}
const tally = (all: any) => { const by: any = {}; for (const { functionName, operation } of all) { const k = `${functionName.slice(0, 12)} ${operation}`; by[k] = (by[k] ?? 0) + 1 } return by }

it('calls of forty processes at once cost little more than one after another', async () => {
  // Instances have read templates and tables then.
  await costOf('in_turn')
  const inTurn = await costOf('in_turn')
  const atOnce = await costOf('at_once')
  console.log({ ...inTurn, all: tally(inTurn.all) }, { ...atOnce, all: tally(atOnce.all) })
  const signal = await costOf('ending_at_once', () => api('POST', '/api/sys/process-signals', { name: 'go' }))
  console.log({ ...signal, all: tally(signal.all) })
  expect(atOnce.calls).toBeLessThanOrEqual(1.5 * inTurn.calls)
}, 120_000)
