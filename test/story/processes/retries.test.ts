import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  bpmn,
  end,
  flow,
  inARow,
  instanceOf,
  makeProcess,
  read,
  scriptTask,
  setFields,
  start,
  taskOf,
} from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let count = 0
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })

beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service?.stop())

/** A table with a process that starts automatically, and a table for the records it makes. */
async function tableWith(elements: (made: string) => string) {
  count += 1
  const [model, made] = [`cases_${count}`, `made_${count}`]
  await makeTable(service, model, [
    { name: 'test', type: 'text' },
    { name: 'copy', type: 'text' },
    { name: 'amount', type: 'integer' },
  ])
  await makeTable(service, made, [
    { name: 'what', type: 'text' },
    { name: 'note', type: 'text' },
  ])
  await makeProcess(service, model, `case_${count}`, bpmn(elements(made)), { is_auto_start: true })
  const create = async (): Promise<number> =>
    (await api('POST', `/api/e/${model}`, { test: 'old', amount: 50 })).body.data.id
  const change = (id: number, data: object) => api('PATCH', `/api/e/${model}/${id}`, data)
  const retry = (instance: { readonly id: number }) => api('POST', `/api/sys/process-instances/${instance.id}/retry`)
  const allMade = async () => (await read(service, `/api/e/${made}?sort=id`)) as { id: number; data: any }[]
  return { model, made, create, change, retry, allMade }
}

const createRecord = (id: string, table: string, what: string): string =>
  `<serviceTask id="${id}" wf:action="createRecord"><extensionElements><wf:createRecord table="${table}"><wf:set field="what" value="${what}"/></wf:createRecord></extensionElements></serviceTask>`

/** Work, then a gateway that no flow leaves while the amount is over 10. */
const beforeGateway = (work: string): string => {
  const id = /id="(\w+)"/.exec(work)?.[1] as string
  return [
    start,
    work,
    '<exclusiveGateway id="which"/>',
    end,
    flow('start', id),
    flow(id, 'which'),
    flow('which', 'end', 'record.amount < 10'),
  ].join('')
}

it('sets fields again with the values of the mended record when a step that failed as a whole is retried', async () => {
  const { model, create, change, retry } = await tableWith(() =>
    beforeGateway(setFields('copy', { copy: '${record.test}' })),
  )
  const id = await create()
  const broken = await instanceOf(service, model, id, 'incident')
  expect((await read(service, `/api/e/${model}/${id}`)).data.copy).toBe('old')
  await change(id, { test: 'new', amount: 5 })
  await retry(broken)
  await instanceOf(service, model, id, 'completed')
  expect((await read(service, `/api/e/${model}/${id}`)).data.copy).toBe('new')
})

it('brings the record of the failed try up to date instead of creating another', async () => {
  const { model, create, change, retry, allMade } = await tableWith((made) =>
    beforeGateway(createRecord('make', made, '${record.test}')),
  )
  const id = await create()
  const broken = await instanceOf(service, model, id, 'incident')
  const [first] = await allMade()
  expect(first?.data.what).toBe('old')
  await change(id, { amount: 5, test: 'new' })
  await retry(broken)
  await instanceOf(service, model, id, 'completed')
  expect(await allMade()).toMatchObject([{ id: first?.id, data: { what: 'new' } }])
})

it('leaves a created record alone when the retry would create the same again', async () => {
  const { model, made, create, change, retry, allMade } = await tableWith((table) =>
    beforeGateway(createRecord('make', table, 'a case')),
  )
  const id = await create()
  const broken = await instanceOf(service, model, id, 'incident')
  const [first] = await allMade()
  await api('PATCH', `/api/e/${made}/${first?.id}`, { what: 'renamed by a person' })
  await change(id, { amount: 5 })
  await retry(broken)
  await instanceOf(service, model, id, 'completed')
  expect(await allMade()).toMatchObject([{ id: first?.id, data: { what: 'renamed by a person' } }])
})

it('creates the record again when somebody deleted that of the failed try', async () => {
  const { model, made, create, change, retry, allMade } = await tableWith((table) =>
    beforeGateway(createRecord('make', table, '${record.test}')),
  )
  const id = await create()
  const broken = await instanceOf(service, model, id, 'incident')
  const [first] = await allMade()
  await api('DELETE', `/api/e/${made}/${first?.id}`)
  await change(id, { amount: 5 })
  await retry(broken)
  await instanceOf(service, model, id, 'completed')
  const again = await allMade()
  expect(again).toHaveLength(1)
  expect(again[0]?.id).toBeGreaterThan(first?.id as number)
})

it('repeats the writes of a script that failed, in whatever order it makes them now, and creates nothing twice', async () => {
  const { model, create, change, retry, allMade } = await tableWith((made) =>
    inARow(
      start,
      scriptTask(
        'work',
        `if (record.test === 'new') $api.update('cases_${count}', record.id, { copy: 'first' });
         $api.create('${made}', { what: record.test });
         $api.update('cases_${count}', record.id, { copy: record.test });
         if (record.amount > 10) throw new Error('too much')`,
      ),
      end,
    ),
  )
  const id = await create()
  const broken = await instanceOf(service, model, id, 'incident')
  expect((await read(service, `/api/e/${model}/${id}`)).data.copy).toBe('old')
  await change(id, { test: 'new', amount: 5 })
  await retry(broken)
  await instanceOf(service, model, id, 'completed')
  expect((await read(service, `/api/e/${model}/${id}`)).data.copy).toBe('new')
  expect((await allMade()).map(({ data }) => data.what)).toEqual(['new'])
})

it('applies what a script adds up once, however often the gateway after it is retried', async () => {
  const { model, create, retry } = await tableWith(() =>
    beforeGateway(scriptTask('add', `$api.update('cases_${count}', record.id, { amount: record.amount + 1 })`)),
  )
  const id = await create()
  const broken = await instanceOf(service, model, id, 'incident')
  for (let tries = 0; tries < 2; tries++) {
    expect((await retry(broken)).status).toBe(200)
    await instanceOf(service, model, id, 'incident')
  }
  expect((await read(service, `/api/e/${model}/${id}`)).data.amount).toBe(51)
})

it('lists as tokens what waits after a completion condition failed, not what is completed', async () => {
  const { model, create } = await tableWith(() =>
    inARow(
      start,
      '<userTask id="vote"><multiInstanceLoopCharacteristics><loopCardinality>3</loopCardinality><completionCondition>variables.nothing.here</completionCondition></multiInstanceLoopCharacteristics></userTask>',
      end,
    ),
  )
  const id = await create()
  const { id: task } = await taskOf(service, model, id, 'vote')
  await api('POST', `/api/sys/process-tasks/${task}/complete`, {})
  const { tokens } = await instanceOf(service, model, id, 'incident')
  expect(tokens.map(({ kind, element_id }: any) => `${kind} ${element_id}`).toSorted()).toEqual([
    'failed vote',
    'task vote',
    'task vote',
  ])
  expect(tokens.map(({ task_id }: any) => task_id)).not.toContain(task)
})

it('shows what ran in a step that failed as a whole, and where it stands', async () => {
  const { model, create, change, retry } = await tableWith(() =>
    beforeGateway(setFields('copy', { copy: '${record.test}' })),
  )
  const id = await create()
  const broken = await instanceOf(service, model, id, 'incident')
  const ran = broken.history.map(({ element_id, status }: any) => [element_id, status])
  expect(ran).toEqual([
    ['start', 'completed'],
    ['copy', 'completed'],
    ['which', 'failed'],
  ])
  expect(broken.tokens).toMatchObject([
    { element_id: 'which', type: 'exclusiveGateway', kind: 'failed', incident_id: broken.incidents[0].id },
  ])
  await change(id, { amount: 5 })
  await retry(broken)
  const done = await instanceOf(service, model, id, 'completed')
  expect(done.tokens).toEqual([])
  expect(done.history.map(({ element_id, status }: any) => [element_id, status])).toEqual([
    ['start', 'completed'],
    ['copy', 'completed'],
    ['which', 'completed'],
    ['end', 'completed'],
  ])
})

it('shows a task as completed whose completion led into a step that failed', async () => {
  const { model, create } = await tableWith(() => beforeGateway('<userTask id="decide"/>'))
  const id = await create()
  const task = await taskOf(service, model, id)
  await api('POST', `/api/sys/process-tasks/${task.id}/complete`, {})
  const broken = await instanceOf(service, model, id, 'incident')
  expect(broken.history.map(({ element_id, status }: any) => [element_id, status])).toEqual([
    ['start', 'completed'],
    ['decide', 'completed'],
    ['which', 'failed'],
  ])
  expect(broken.tokens.map(({ element_id, kind }: any) => [element_id, kind])).toContainEqual(['which', 'failed'])
})

it.each(['-1', '0', 'abc', ''])('refuses a loopMaximum of %j', async (maximum) => {
  count += 1
  const model = `loops_${count}`
  await makeTable(service, model, [{ name: 'test', type: 'text' }])
  const loop = `<standardLoopCharacteristics loopMaximum="${maximum}"/>`
  const xml = bpmn(inARow(start, `<userTask id="again">${loop}</userTask>`, end))
  const refused = await api('POST', '/api/sys/process-templates', {
    code: model,
    name: model,
    table: model,
    bpmn_xml: xml,
  })
  expect(refused.status).toBe(422)
  expect(JSON.stringify(refused.body)).toMatch(/again.*loopMaximum/)
})
