import { afterAll, beforeAll, expect, it } from 'vitest'
import { bpmn, end, eventually, inARow, makeProcess, read, start } from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })

const calls = 40

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'loans', [{ name: 'title', type: 'text' }])
  await api('POST', '/api/e/loans', { title: 'A' })
  const signalled = '<intermediateCatchEvent id="wait" name="go"><signalEventDefinition/></intermediateCatchEvent>'
  await makeProcess(service, 'loans', 'quick', bpmn(inARow(start, end)))
  await makeProcess(service, 'loans', 'waiting', bpmn(inARow(start, signalled, end)))
  const caller = (called: string, isSequential: boolean): string => {
    const loop = `<multiInstanceLoopCharacteristics isSequential="${isSequential}"><loopCardinality>${calls}</loopCardinality></multiInstanceLoopCharacteristics>`
    return bpmn(inARow(start, `<callActivity id="call" calledElement="${called}">${loop}</callActivity>`, end))
  }
  await makeProcess(service, 'loans', 'in_turn', caller('quick', true))
  await makeProcess(service, 'loans', 'at_once', caller('quick', false))
  await makeProcess(service, 'loans', 'ending_at_once', caller('waiting', false))
})
afterAll(() => service?.stop())

/** The calls of AWS from the start of a process to its end, and how many of them put one row. */
async function costOf(code: string, meanwhile: () => Promise<unknown> = async () => {}) {
  await service.cloud.idle()
  service.cloud.recordCalls()
  const { body } = await api('POST', '/api/sys/process-instances', { template_code: code, record_id: 1 })
  await service.cloud.idle()
  await meanwhile()
  await service.cloud.idle()
  const { calls: all } = service.cloud.callsOf()
  service.cloud.recordCalls(false)
  const one = await eventually(`the end of ${code}`, async () => {
    const found = await read(service, `/api/sys/process-instances/${body.data.id}`)
    return found.status === 'completed' ? found : undefined
  })
  expect(one.called.every(({ status }: { status: string }) => status === 'completed')).toBe(true)
  return { calls: all.length, puts: all.filter(({ operation }) => operation === 'PutItem').length }
}

it('forty called processes that end at once cost about as many calls as one after another', async () => {
  // Instances of functions have read templates and tables then.
  await costOf('in_turn')
  const inTurn = await costOf('in_turn')
  const atOnce = await costOf('at_once')
  const ending = await costOf('ending_at_once', () => api('POST', '/api/sys/process-signals', { name: 'go' }))
  expect(atOnce.calls).toBeLessThanOrEqual(1.5 * inTurn.calls)
  // One worker alone writes the rows that did not fit into the transaction of the step: two for each called process.
  expect(atOnce.puts).toBeLessThanOrEqual(2 * calls)
  // Those take two steps more each: they begin to wait, and the signal reaches them.
  expect(ending.calls).toBeLessThanOrEqual(1.8 * inTurn.calls)
}, 180_000)
