import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import {
  bpmn,
  end,
  eventually,
  flow,
  inARow,
  makeProcess,
  read,
  start,
  timer,
} from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let count = 0
const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })

beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service?.stop())

const timed = (value: string, kind: 'timeDuration' | 'timeDate' | 'timeCycle' = 'timeCycle'): string =>
  `<startEvent id="s">${timer(kind, value)}</startEvent>`
const createsRow = (value: string): string =>
  `<serviceTask id="make"><extensionElements><wf:createRecord table="rows_${count}"><wf:set field="note" value="${value}"/></wf:createRecord></extensionElements></serviceTask>`

/** A table with a process. */
async function processThat(elements: (table: string) => string, more: object = {}) {
  count += 1
  const model = `rows_${count}`
  await makeTable(service, model, [{ name: 'note', type: 'text' }])
  const document = bpmn(elements(model)).replace('<process ', `<signal id="S" name="go ${count}"/><process `)
  const template = await makeProcess(service, model, `starts_${count}`, document, more)
  const instances = () => read(service, `/api/sys/process-instances?template_id=${template.id}`)
  const completed = (wanted: number) =>
    eventually(
      `${wanted} instances that have ended`,
      async () => {
        const ended = (await instances()).filter((one: any) => one.status === 'completed')
        return ended.length >= wanted ? ended : undefined
      },
      240_000,
    )
  return { model, template, signal: `go ${count}`, instances, completed }
}

describe('a process that starts by a timer', () => {
  it('starts again and again by a cron schedule, about no record, until it is switched off', async () => {
    const { model, template, instances, completed } = await processThat(() =>
      inARow(timed('* * * * * *'), createsRow('missed ${timer.missed}'), end),
    )
    const [first] = (await completed(2)).toReversed()
    expect(first).toMatchObject({ model, record_id: null, source: 'timer', started_by: null })
    const { variables, history } = await read(service, `/api/sys/process-instances/${first.id}`)
    expect(variables.timer).toMatchObject({ missed: expect.any(Number) })
    expect(history.map((one: any) => one.element_id)).toEqual(['s', 'make', 'end'])
    await api('PUT', `/api/sys/process-templates/${template.id}`, { is_active: false })
    await service.cloud.idle()
    const rows = await read(service, `/api/e/${model}?per_page=100`)
    expect(rows.length).toBe((await instances()).length)
    const stopped = (await instances()).length
    await service.cloud.invoke('due-sweeper')
    await service.cloud.idle()
    expect((await instances()).length).toBe(stopped)
  })

  it('starts once by a duration or a date, and not when the template is saved again', async () => {
    for (const [kind, value] of [
      ['timeDuration', 'PT1S'],
      ['timeDate', new Date(Date.now() + 1000).toISOString()],
    ] as const) {
      const { template, completed, instances } = await processThat(() => inARow(timed(value, kind), end))
      await completed(1)
      await api('PUT', `/api/sys/process-templates/${template.id}`, { name: `Renamed ${count}` })
      await service.cloud.invoke('due-sweeper')
      await service.cloud.idle()
      expect(await instances()).toHaveLength(1)
    }
  })

  it('opens tasks and incidents that are about no record', async () => {
    const { model, instances } = await processThat((table) =>
      [
        inARow(
          timed('PT1S', 'timeDuration'),
          '<parallelGateway id="g"/>',
          '<userTask id="look" wf:candidateRoles="admin"/>',
          end,
        ),
        `<serviceTask id="set"><extensionElements><wf:setFields><wf:set field="note" value="x"/></wf:setFields></extensionElements></serviceTask>`,
        flow('g', 'set'),
        `<!-- ${table} -->`,
      ].join(''),
    )
    const task = await eventually('a task', async () =>
      (await read(service, `/api/sys/process-tasks?model=${model}&status=pending`)).find(
        (one: any) => one.element_id === 'look',
      ),
    )
    expect(task.record_id).toBeNull()
    const [{ id }] = await instances()
    const incident = await eventually('an incident', async () => {
      const { incidents } = await read(service, `/api/sys/process-instances/${id}`)
      return incidents[0]
    })
    expect(incident).toMatchObject({ record_id: null, message: expect.stringContaining('is about none') })
    const other = await userWith(service, [`${model}.read`])
    const stranger = await userWith(service, ['clients.read'])
    const seen = await Promise.all(
      [other, stranger].map(({ token }) => api('GET', `/api/sys/process-instances/${id}`, undefined, token)),
    )
    expect(seen.map(({ status }) => status)).toEqual([200, 404])
    expect((await api('POST', `/api/sys/process-tasks/${task.id}/complete`, {})).status).toBe(200)
    const cancelled = await api('POST', `/api/sys/process-instances/${id}/cancel`)
    expect(cancelled.body.data.status).toBe('cancelled')
  })

  it('is refused by hand and with records, and warned of when its time has passed', async () => {
    const { template } = await processThat(() => inARow(timed('R/P1D'), end))
    const { next_start_at: next } = await read(service, `/api/sys/process-templates/${template.id}`)
    expect(Date.parse(next) - Date.now()).toBeGreaterThan(23 * 3_600_000)
    const byHand = await api('POST', '/api/sys/process-instances', { template_id: template.id, record_id: 1 })
    expect(byHand.body.errors.template_id).toEqual(['The process starts with a timer only.'])
    const auto = await api('PUT', `/api/sys/process-templates/${template.id}`, { is_auto_start: true })
    expect(auto.body.errors.is_auto_start[0]).toMatch(/starts with a timer only: add a start event without a kind/)
    const body = { bpmn_xml: bpmn(inARow(timed('2020-01-01', 'timeDate'), end)) }
    const { status, body: saved } = await api('PUT', `/api/sys/process-templates/${template.id}`, body)
    expect([status, saved.warnings]).toEqual([
      200,
      [{ element_id: 's', code: 'ignored', message: 'The time 2020-01-01 has passed, so this timer starts nothing.' }],
    ])
  })
})

describe('a process that starts by a signal', () => {
  it('starts with what goes with it, beside everything that waits for it', async () => {
    const { model, signal, completed } = await processThat(() =>
      inARow(
        '<startEvent id="s"><signalEventDefinition signalRef="S"/></startEvent>',
        createsRow('${variables.why}'),
        end,
      ),
    )
    const waiting = await processThat(() =>
      inARow(
        start,
        `<intermediateCatchEvent id="c" name="${signal}"><signalEventDefinition/></intermediateCatchEvent>`,
        end,
      ),
    )
    const { body: made } = await api('POST', `/api/e/${waiting.model}`, {})
    await api('POST', '/api/sys/process-instances', { template_id: waiting.template.id, record_id: made.data.id })
    const { status, body } = await api('POST', '/api/sys/process-signals', { name: signal, variables: { why: 'now' } })
    expect([status, body.data]).toEqual([202, { matched: 2 }])
    expect(await completed(1)).toMatchObject([{ source: 'signal', record_id: null }])
    await waiting.completed(1)
    expect((await read(service, `/api/e/${model}`)).map((one: any) => one.data.note)).toEqual(['now'])
  })
})
