import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import {
  bpmn,
  end,
  eventually,
  inARow,
  makeProcess,
  scriptTask,
  start,
  taskOf,
} from '../../make/builders/processes/processes.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

type Person = Awaited<ReturnType<typeof userWith>>

let service: TestService
/** Reads title, extra and stage of deeds, and writes title, extra, stage, and, unseen, code. */
let clerk: Person
/** Reads deeds whole. */
let reader: Person
const word = 'topsecret'
const permissions = ['deeds.read', 'deeds.create', 'deeds.update']
const instances = '/api/sys/process-instances'

const api = (method: string, path: string, body?: unknown, who: { token: string } = service.admin) =>
  service.api(method, path, { token: who.token, body })
async function data(method: string, path: string, body?: unknown, who?: { token: string }): Promise<any> {
  const answer = await api(method, path, body, who)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body?.data
}
const deed = async (more: object = {}): Promise<number> =>
  (await data('POST', '/api/e/deeds', { title: 'A deed', secret: word, ...more })).id
/** Whether a person finds the word at some address; a reader of everything does. */
const tells = async (path: string, who: { token: string }): Promise<boolean> =>
  JSON.stringify(await data('GET', path, undefined, who)).includes(word)
const seen = async (path: string) => [await tells(path, reader), await tells(path, clerk)]

beforeAll(async () => {
  service = await sharedService()
  await makeTable(service, 'deeds', [
    { name: 'title', type: 'text' },
    { name: 'secret', type: 'text', default: 'unsaid' },
    { name: 'code', type: 'text' },
    { name: 'extra', type: 'text', visible_if: { secret: word }, required_if: { secret: 'fired' } },
    { name: 'told', type: 'computed', result: 'text', formula: `if secret = "${word}" then "yes" else "no"` },
    { name: 'note', type: 'text' },
    {
      name: 'stage',
      type: 'state_model',
      states: [{ slug: 'open', is_initial: true }, { slug: 'signed' }, { slug: 'shut' }],
      transitions: [
        { from: 'open', to: 'signed', condition: { secret: word } },
        { from: 'open', to: 'shut', required_fields: ['note', 'code'] },
      ],
    },
  ])
  clerk = await userWith(service, permissions, [], {
    deeds: { read: ['title', 'extra', 'stage', 'told'], write: ['title', 'extra', 'stage', 'code'] },
  })
  reader = await userWith(service, permissions)
})
afterAll(() => service?.stop())

describe('a process', () => {
  const steps = (shown = '') =>
    bpmn(
      inARow(
        start,
        scriptTask('tell', 'variables.answer = "is " + record.secret'),
        scriptTask('title', 'variables.plain = record.title'),
        `<userTask id="ask" name="Check \${record.secret}"><extensionElements><wf:form>
          <wf:formField name="sec" type="text" default="\${record.secret}"/></wf:form></extensionElements></userTask>`,
        scriptTask('fails', 'throw new Error("bad value " + record.secret)'),
        end,
      ),
      shown,
    )
  const begin = async (code: string, who?: Person) => {
    const record = await deed()
    const instance = await data('POST', instances, { template_code: code, record_id: record }, who)
    return { record, instance, task: await taskOf(service, 'deeds', record) }
  }

  it('shows no variable, task, incident or step of the timeline that a hidden field went into', async () => {
    await makeProcess(service, 'deeds', 'tells', steps())
    const { record, instance, task } = await begin('tells', clerk)
    const [one, tasks] = [`${instances}/${instance.id}`, `/api/sys/process-tasks`]
    const shown = await data('GET', one, undefined, clerk)
    expect([shown.variables, shown.is_hidden]).toEqual([{ plain: 'A deed' }, true])
    const at = [one, `${tasks}/${task.id}`, `${tasks}?model=deeds&record_id=${record}`]
    for (const path of at) expect([path, ...(await seen(path))]).toEqual([path, true, false])
    expect(await data('GET', `${tasks}/${task.id}`, undefined, clerk)).toMatchObject({ name: null, is_hidden: true })
    const found = await api('GET', `${tasks}?model=deeds&record_id=${record}&search=${word}`, undefined, clerk)
    expect([found.status, found.body.data]).toEqual([200, []])
    await data('POST', `${tasks}/${task.id}/complete`, { data: { sec: word } })
    await eventually('an incident', async () => (await data('GET', one)).incidents[0])
    expect((await data('GET', one, undefined, clerk)).incidents).toMatchObject([
      { element_id: 'fails', message: expect.stringContaining('you may not read'), is_hidden: true },
    ])
    await service.cloud.idle()
    for (const path of [one, `/api/e/deeds/${record}/timeline`])
      expect([path, ...(await seen(path))]).toEqual([path, true, false])
  })

  it('names nothing of the field to whom a task is passed on that nobody was asked to do', async () => {
    await makeProcess(service, 'deeds', 'passed', steps())
    const { task } = await begin('passed')
    await data('POST', `/api/sys/process-tasks/${task.id}/claim`, undefined, reader)
    await data('POST', `/api/sys/process-tasks/${task.id}/reassign`, { assignee: clerk.id }, reader)
    await service.cloud.idle()
    const bell = await data('GET', '/api/notifications', undefined, clerk)
    expect([bell[0].title, JSON.stringify(bell).includes(word)]).toEqual([expect.stringMatching(/: ask$/), false])
  })

  it('shows what its template marks, and its form to whoever was given the task', async () => {
    const shown = await makeProcess(service, 'deeds', 'shown', steps('wf:shown="answer"'))
    const { instance } = await begin(shown.code)
    expect((await data('GET', `${instances}/${instance.id}`, undefined, clerk)).variables.answer).toBe(`is ${word}`)
    const given = steps().replace('<userTask', `<userTask wf:assignee="${clerk.id}"`)
    await makeProcess(service, 'deeds', 'given', given)
    const { task } = await begin('given')
    expect(await data('GET', `/api/sys/process-tasks/${task.id}`, undefined, clerk)).toMatchObject({
      name: `Check ${word}`,
      form: [{ name: 'sec', default: '${record.secret}' }],
    })
  })
})

describe('a form', () => {
  const formOf = (id?: number): Promise<any> =>
    data('GET', `/api/e/deeds/form${id === undefined ? '' : `?id=${id}`}`, undefined, clerk)

  it('is the same for records that differ in a hidden field alone', async () => {
    const [one, two] = [await deed(), await deed({ secret: 'fired', extra: 'x' })]
    const [first, second] = [await formOf(one), await formOf(two)]
    const extra = first.fields.find(({ name }: { name: string }) => name === 'extra')
    expect(extra).toMatchObject({ visible: true, required: false, settings: {} })
    expect([second.fields, second.transitions]).toEqual([first.fields, first.transitions])
    // The move needs a field that the clerk neither sees nor sets, beside one that they set.
    expect(first.transitions).toMatchObject([
      { to: 'signed', required_fields: [] },
      { to: 'shut', required_fields: ['code'] },
    ])
    expect((await formOf()).fields.map(({ name }: { name: string }) => name)).not.toContain('secret')
  })

  it('is checked against every condition when it is sent', async () => {
    const id = await deed({ secret: 'fired', extra: 'x' })
    const { status, body } = await api('PATCH', `/api/e/deeds/${id}`, { stage: 'signed' }, clerk)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['stage']])
  })

  it('names no field that is hidden from whoever moves a state without it', async () => {
    const id = await deed({ code: 'c' })
    const { body } = await api('PATCH', `/api/e/deeds/${id}`, { stage: 'shut' }, clerk)
    expect(body.errors).toEqual({
      stage: ['The stage may not move to shut: the record lacks a value that you may not see. Ask an administrator.'],
    })
    const both = await api('PATCH', `/api/e/deeds/${await deed()}`, { stage: 'shut' }, clerk)
    expect(Object.keys(both.body.errors).toSorted()).toEqual(['code', 'stage'])
  })
})

it('a table says nothing of what its conditions, formulas and defaults make of hidden fields', async () => {
  const path = '/api/sys/entities/name/deeds'
  const fieldsFor = async (who: Person) =>
    Object.fromEntries((await data('GET', path, undefined, who)).table_fields.map((one: any) => [one.name, one]))
  const { extra, told, secret, stage } = await fieldsFor(clerk)
  expect([extra, secret, told]).toEqual([
    { name: 'extra', type: 'text' },
    { name: 'secret', type: 'text' },
    { name: 'told', type: 'computed', result: 'text' },
  ])
  expect(stage.transitions[0]).toEqual({ from: 'open', to: 'signed' })
  expect((await fieldsFor(reader)).extra.visible_if).toEqual({ secret: word })
  expect((await fieldsFor(reader)).told.formula).toContain(word)
})

describe('a macro', () => {
  it('is shown without what it does to hidden fields, and does it', async () => {
    const macro = await data('POST', '/api/sys/macros', {
      name: 'Code',
      model: 'deeds',
      set: { title: 'Coded', code: word },
    })
    const path = `/api/sys/macros/${macro.id}`
    expect(await data('GET', path, undefined, clerk)).toMatchObject({ set: { title: 'Coded' }, is_hidden: true })
    expect(await seen('/api/sys/macros')).toEqual([true, false])
    expect((await data('GET', path, undefined, reader)).is_hidden).toBeUndefined()
    const id = await deed()
    await data('POST', `/api/e/deeds/${id}/macros/${macro.id}`, undefined, clerk)
    expect((await data('GET', `/api/e/deeds/${id}`)).data).toMatchObject({ title: 'Coded', code: word })
  })

  it('confirms no guess of a hidden field by a dry run, nor does a bulk change', async () => {
    const ids = [await deed({ code: 'right' }), await deed({ code: 'wrong' })]
    const macro = await data('POST', '/api/sys/macros', { name: 'Guess', model: 'deeds', set: { code: 'right' } })
    for (const work of [{ set: { code: 'right' } }, { macro: macro.id }]) {
      const would = async (who: Person) => data('POST', '/api/e/deeds/bulk', { ids, ...work, dry_run: true }, who)
      expect(await would(clerk)).toMatchObject({ changed: 2, unchanged: 0 })
      expect(await would(reader)).toMatchObject({ changed: 1, unchanged: 1 })
    }
  })

  it('is not there for whoever may not write one of its fields', async () => {
    const macro = await data('POST', '/api/sys/macros', { name: 'Note', model: 'deeds', set: { note: 'x' } })
    expect((await api('GET', `/api/sys/macros/${macro.id}`, undefined, clerk)).status).toBe(404)
    const bulk = { ids: [await deed()], macro: macro.id, dry_run: true }
    expect((await api('POST', '/api/e/deeds/bulk', bulk, clerk)).status).toBe(404)
  })
})

it.each([
  ['filter', { filter: { secret: word } }],
  ['sort', { sort: ['-secret'] }],
  ['groups', { group_by: ['secret'] }],
])('a shared view with a hidden field in its %s is not there', async (what, query) => {
  const view = { model: 'deeds', name: `By ${what}`, scope: 'shared', ...query }
  const { id } = await data('POST', '/api/sys/views', view)
  const path = `/api/sys/views/${id}`
  expect([
    (await api('GET', path, undefined, reader)).status,
    (await api('GET', path, undefined, clerk)).status,
  ]).toEqual([200, 404])
  const listed = await data('GET', '/api/sys/views?model=deeds', undefined, clerk)
  expect(listed.map((one: { id: number }) => one.id)).not.toContain(id)
})
