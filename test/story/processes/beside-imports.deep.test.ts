import { afterAll, beforeAll, expect, it } from 'vitest'
import { otherTenant } from '../../make/builders/people.ts'
import { bpmn, end, eventually, inARow, start } from '../../make/builders/processes/processes.ts'
import { runs } from '../../make/depth.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service?.stop())

/** Takes 100 ms, and starts nothing. */
const slowly = '${(() => { const end = Date.now() + 100; while (Date.now() &lt; end); return false })()}'
const imported = runs(300, 100)

async function tableWith(token: string, attributes: string): Promise<void> {
  const made = [
    await service.api('POST', '/api/sys/entities', {
      token,
      body: { name: 'cases', table_fields: [{ name: 'title', type: 'text' }] },
    }),
    await service.api('POST', '/api/sys/process-templates', {
      token,
      body: {
        code: 'case',
        name: 'Case',
        table: 'cases',
        bpmn_xml: bpmn(inARow(start, end), attributes),
        is_auto_start: true,
      },
    }),
  ]
  expect(made.map(({ status }) => status)).toEqual([201, 201])
}

it('a process starts at once beside the records that another tenant imports, whose start conditions are slow', async () => {
  const { token } = await otherTenant(service)
  await tableWith(service.admin.token, `wf:startCondition="${slowly}"`)
  await tableWith(token, '')
  const rows = Array.from({ length: imported }, (_, n) => ({ title: `${n}` }))
  const { status } = await service.api('POST', '/api/e/cases/import', { token: service.admin.token, body: { rows } })
  expect(status).toBe(200)

  await service.api('POST', '/api/e/cases', { token, body: { title: 'mine' } })
  const began = Date.now()
  await eventually(
    'the process of the other tenant',
    async () => {
      const { body } = await service.api('GET', '/api/sys/process-instances?model=cases', { token })
      return body.data.length === 1 || undefined
    },
    240_000,
  )
  const waited = Date.now() - began
  await service.cloud.idle()
  const whole = Date.now() - began
  expect(waited).toBeLessThan(whole / 3)
})
