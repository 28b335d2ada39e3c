import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import {
  bpmn,
  end,
  eventually,
  flow,
  inARow,
  instanceOf,
  makeProcess,
  read,
  setFields,
  start,
  taskOf,
} from '../../make/builders/processes/processes.ts'
import { setHooks } from '../../make/builders/records/hooks.ts'
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

const roots = (name: string): string =>
  `<message id="M" name="${name}"/><message id="K" name="${name} keyed" wf:correlationKey="record.order_no"/><message id="R" name="${name} answer"/><signal id="S" name="${name} closed"/>`
const withRoots = (document: string, name: string): string => document.replace('<process ', `${roots(name)}<process `)
const catching = (id: string, ref: string): string =>
  `<intermediateCatchEvent id="${id}"><messageEventDefinition messageRef="${ref}"/></intermediateCatchEvent>`

/** A table with a process that starts automatically, and names of messages and signals of its own. */
async function tableWith(elements: string, more: object = { is_auto_start: true }) {
  count += 1
  const [model, name] = [`orders_${count}`, `paid ${count}`]
  await makeTable(service, model, [
    { name: 'order_no', type: 'text' },
    { name: 'note', type: 'text' },
    { name: 'amount', type: 'integer' },
  ])
  const template = await makeProcess(service, model, `order_${count}`, withRoots(bpmn(elements), name), more)
  const create = async (data: object = {}): Promise<number> => (await api('POST', `/api/e/${model}`, data)).body.data.id
  const send = (body: object, suffix = '') => api('POST', '/api/sys/process-messages', { name: name + suffix, ...body })
  const note = async (id: number) => (await read(service, `/api/e/${model}/${id}`)).data.note
  const waiting = (id: number, kind: string) =>
    eventually(`a ${kind} that ${model} ${id} waits for`, async () => {
      const [instance] = await read(service, `/api/sys/process-instances?model=${model}&record_id=${id}`)
      if (instance === undefined) return undefined
      const { tokens } = await read(service, `/api/sys/process-instances/${instance.id}`)
      return tokens.some((token: any) => token.kind === kind) ? { id: instance.id as number, tokens } : undefined
    })
  return { model, name, template, create, send, note, waiting }
}

describe('a message', () => {
  it('continues the instance of the record that its key names, with its variables', async () => {
    const { model, name, create, send, waiting, note } = await tableWith(
      inARow(start, catching('pay', 'M'), setFields('set', { note: 'paid ${variables.amount}' }), end),
    )
    const [one, other] = [await create(), await create()]
    const { id, tokens } = await waiting(one, 'message')
    await waiting(other, 'message')
    expect(tokens).toMatchObject([{ element_id: 'pay', kind: 'message', event: name, correlation_key: String(one) }])
    const answer = await send({ correlation_key: one, variables: { amount: 7 } })
    expect([answer.status, answer.body.data]).toEqual([200, { delivered: [id], kept: false }])
    await instanceOf(service, model, one, 'completed')
    expect(await note(one)).toBe('paid 7')
    const without = await send({})
    expect(without.body.data).toEqual({
      delivered: [(await instanceOf(service, model, other, 'completed')).id],
      kept: false,
    })
  })

  it('needs a key when several instances wait', async () => {
    const { create, send, waiting } = await tableWith(inARow(start, catching('pay', 'M'), end))
    for (const id of [await create(), await create()]) await waiting(id, 'message')
    const { status, body } = await send({})
    expect([status, body.code]).toEqual([409, 'several_instances_wait'])
    expect(body.message).toMatch(/correlation_key/)
  })

  it('is kept for whoever begins to wait, and taken once', async () => {
    const { model, create, send, waiting } = await tableWith(inARow(start, catching('pay', 'K'), end))
    const before = await send({ correlation_key: 'A-1', message_id: `m-${count}` }, ' keyed')
    expect(before.body.data).toEqual({ delivered: [], kept: true })
    const again = await send({ correlation_key: 'A-1', message_id: `m-${count}` }, ' keyed')
    expect(again.body.data).toEqual({ delivered: [], kept: true })
    const [one, other] = [await create({ order_no: 'A-1' }), await create({ order_no: 'A-2' })]
    await instanceOf(service, model, one, 'completed')
    await waiting(other, 'message')
    const second = await create({ order_no: 'A-1' })
    await waiting(second, 'message')
  })

  it('is not kept with a ttl of 0, and not taken after its time', async () => {
    const { create, send, waiting } = await tableWith(inARow(start, catching('pay', 'K'), end))
    expect((await send({ correlation_key: 'B', ttl: 0 }, ' keyed')).body.data).toEqual({ delivered: [], kept: false })
    await waiting(await create({ order_no: 'B' }), 'message')
  })

  it('is never lost or taken twice between "nobody waits" and "waits"', async () => {
    const { model, create, send } = await tableWith(inARow(start, catching('pay', 'K'), end))
    const keys = Array.from({ length: 20 }, (_, index) => `race-${index}`)
    await Promise.all(
      keys.map(async (key) => {
        const [id] = await Promise.all([create({ order_no: key }), send({ correlation_key: key }, ' keyed')])
        await instanceOf(service, model, id, 'completed', 30_000)
      }),
    )
  })

  it('interrupts an activity, runs beside it, and starts an event sub-process', async () => {
    const border = (more: string): string =>
      `<boundaryEvent id="b" attachedToRef="work"${more}><messageEventDefinition messageRef="M"/></boundaryEvent>`
    const process = (more: string): string =>
      [inARow(start, '<userTask id="work"/>', end), border(more), '<userTask id="other"/>', flow('b', 'other')].join('')
    const interrupting = await tableWith(process(''))
    const one = await interrupting.create()
    await taskOf(service, interrupting.model, one, 'work')
    await interrupting.send({ correlation_key: one })
    await taskOf(service, interrupting.model, one, 'other')
    const tasks = await read(
      service,
      `/api/sys/process-tasks?model=${interrupting.model}&record_id=${one}&status=pending`,
    )
    expect(tasks.map((task: any) => task.element_id)).toEqual(['other'])

    const beside = await tableWith(process(' cancelActivity="false"'))
    const two = await beside.create()
    await taskOf(service, beside.model, two, 'work')
    for (let times = 0; times < 3; times++) await beside.send({ correlation_key: two })
    await eventually('three tasks beside', async () => {
      const all = await read(service, `/api/sys/process-tasks?model=${beside.model}&record_id=${two}&status=pending`)
      return all.length === 4 ? true : undefined
    })

    const handled = await tableWith(
      [
        inARow(start, '<userTask id="work"/>', end),
        `<subProcess id="h" triggeredByEvent="true"><startEvent id="hs"><messageEventDefinition messageRef="M"/></startEvent>${setFields('set', { note: '${why}' })}<endEvent id="he"/>${flow('hs', 'set')}${flow('set', 'he')}</subProcess>`,
      ].join(''),
    )
    const three = await handled.create()
    await taskOf(service, handled.model, three, 'work')
    await handled.send({ correlation_key: three, variables: { why: 'stopped' } })
    await instanceOf(service, handled.model, three, 'completed')
    expect(await handled.note(three)).toBe('stopped')
  })

  it('is received by a receive task and sent by a process, a send task and a script', async () => {
    const receiver = await tableWith(
      inARow(start, '<receiveTask id="pay" messageRef="K"/>', setFields('set', { note: '${variables.how}' }), end),
    )
    const [byTask, byScript] = [await receiver.create({ order_no: 'T' }), await receiver.create({ order_no: 'S' })]
    for (const id of [byTask, byScript]) await receiver.waiting(id, 'message')
    count += 1
    const model = `senders_${count}`
    await makeTable(service, model, [{ name: 'order_no', type: 'text' }])
    await makeProcess(
      service,
      model,
      `sender_${count}`,
      withRoots(
        bpmn(
          inARow(
            start,
            `<sendTask id="tell" messageRef="K"><extensionElements><wf:in target="how" value="by task"/></extensionElements></sendTask>`,
            end,
          ),
        ),
        receiver.name,
      ),
      { is_auto_start: true },
    )
    await api('POST', `/api/e/${model}`, { order_no: 'T' })
    await instanceOf(service, receiver.model, byTask, 'completed')
    expect(await receiver.note(byTask)).toBe('by task')
    await makeTable(service, `hooked_${count}`, [{ name: 'order_no', type: 'text' }])
    await setHooks(service, `hooked_${count}`, [
      ['after_create', `$api.sendProcessMessage('${receiver.name} keyed', $data.order_no, { how: 'by script' })`],
    ])
    await api('POST', `/api/e/hooked_${count}`, { order_no: 'S' })
    await instanceOf(service, receiver.model, byScript, 'completed')
    expect(await receiver.note(byScript)).toBe('by script')
  })

  it('starts a process for the record that its key names', async () => {
    const { model, template, create, send, note } = await tableWith(
      inARow(
        '<startEvent id="paid"><messageEventDefinition messageRef="M"/></startEvent>',
        setFields('set', { note: 'from ${variables.who}' }),
        end,
      ),
      {},
    )
    const id = await create()
    const byHand = await api('POST', '/api/sys/process-instances', { template_id: template.id, record_id: id })
    expect([byHand.status, byHand.body.errors.template_id[0]]).toEqual([
      422,
      expect.stringMatching(/starts with a message/),
    ])
    const { body } = await send({ correlation_key: id, variables: { who: 'bank' } })
    expect(body.data.delivered.length).toBe(1)
    expect(await instanceOf(service, model, id, 'completed')).toMatchObject({ source: 'message' })
    expect(await note(id)).toBe('from bank')
    // Without a key it is about no record; with the key of none it waits.
    const started = (await send({ message_id: `start-${count}` })).body.data
    expect(started).toEqual({ delivered: [expect.any(Number)], kept: false })
    expect((await send({ message_id: `start-${count}` })).body.data).toEqual(started)
    expect(await read(service, `/api/sys/process-instances/${started.delivered[0]}`)).toMatchObject({
      source: 'message',
      record_id: null,
    })
    expect((await send({ correlation_key: 'none', ttl: 5 })).body.data).toEqual({ delivered: [], kept: true })
  })

  it('may be sent by administrators and holders of processes.message', async () => {
    const { send } = await tableWith(inARow(start, catching('pay', 'M'), end))
    const body = { name: 'nothing', correlation_key: 'x', ttl: 0 }
    const other = await userWith(service, ['clients.read'])
    const sender = await userWith(service, ['processes.message'])
    const answers = await Promise.all(
      [other, sender].map(({ token }) => api('POST', '/api/sys/process-messages', body, token)),
    )
    expect(answers.map(({ status }) => status)).toEqual([403, 200])
    expect((await send({ correlation_key: 'x', ttl: -1 })).status).toBe(422)
    expect((await send({ correlation_key: 'x', until: 5 })).body.errors).toHaveProperty('until')
  })
})

describe('a signal', () => {
  it('of a process reaches the border around its thrower once, and what waits elsewhere', async () => {
    const signal = '<signalEventDefinition signalRef="S"/>'
    const process = [
      inARow(
        start,
        `<subProcess id="work">${inARow('<startEvent id="in"/>', `<intermediateThrowEvent id="say">${signal}</intermediateThrowEvent>`, '<userTask id="go"/>')}</subProcess>`,
        end,
      ),
      `<boundaryEvent id="b" attachedToRef="work" cancelActivity="false">${signal}</boundaryEvent>`,
      '<userTask id="told"/>',
      flow('b', 'told'),
    ].join('')
    const { model, create } = await tableWith(process)
    const told = async (id: number) => {
      const tasks = await read(service, `/api/sys/process-tasks?model=${model}&record_id=${id}&status=pending`)
      return tasks.filter((task: any) => task.element_id === 'told').length
    }
    const first = await create()
    await taskOf(service, model, first, 'told')
    await service.cloud.idle()
    expect(await told(first)).toBe(1)
    const second = await create()
    await taskOf(service, model, second, 'told')
    await eventually('the signal of the second in the first', async () =>
      (await told(first)) === 2 ? true : undefined,
    )
    await service.cloud.idle()
    expect([await told(first), await told(second)]).toEqual([2, 1])
  })

  it('reaches everything that waits for it, and nothing twice', async () => {
    const process = [
      inARow(start, '<userTask id="work"/>', end),
      '<boundaryEvent id="b" attachedToRef="work" cancelActivity="false"><signalEventDefinition signalRef="S"/></boundaryEvent>',
      '<userTask id="told"/>',
      flow('b', 'told'),
    ].join('')
    const { model, name, create } = await tableWith(process)
    const ids = await Promise.all(Array.from({ length: 5 }, () => create()))
    for (const id of ids) await taskOf(service, model, id, 'work')
    const { status, body } = await api('POST', '/api/sys/process-signals', { name: `${name} closed` })
    expect([status, body.data]).toEqual([202, { matched: 5 }])
    for (const id of ids) await taskOf(service, model, id, 'told')
    await service.cloud.idle()
    const told = await read(service, `/api/sys/process-tasks?model=${model}&status=pending&per_page=100`)
    expect(told.filter((task: any) => task.element_id === 'told').length).toBe(5)
  })

  it('is sent by a process', async () => {
    const waiting = await tableWith(
      inARow(
        start,
        '<intermediateCatchEvent id="c"><signalEventDefinition signalRef="S"/></intermediateCatchEvent>',
        end,
      ),
    )
    const id = await waiting.create()
    await waiting.waiting(id, 'signal')
    count += 1
    await makeTable(service, `throwers_${count}`, [])
    await makeProcess(
      service,
      `throwers_${count}`,
      `thrower_${count}`,
      withRoots(
        bpmn(inARow(start, '<endEvent id="end"><signalEventDefinition signalRef="S"/></endEvent>')),
        waiting.name,
      ),
      { is_auto_start: true },
    )
    await api('POST', `/api/e/throwers_${count}`, {})
    await instanceOf(service, waiting.model, id, 'completed')
  })
})

describe('a condition', () => {
  it('is met by a change of the record', async () => {
    const { model, create, waiting } = await tableWith(
      inARow(
        start,
        '<intermediateCatchEvent id="c"><conditionalEventDefinition><condition xsi:type="tFormalExpression">record.amount &gt; 5</condition></conditionalEventDefinition></intermediateCatchEvent>',
        end,
      ),
    )
    const id = await create({ amount: 1 })
    await waiting(id, 'condition')
    await api('PATCH', `/api/e/${model}/${id}`, { amount: 3 })
    await service.cloud.idle()
    await waiting(id, 'condition')
    await api('PATCH', `/api/e/${model}/${id}`, { amount: 9 })
    await instanceOf(service, model, id, 'completed')
  })
})
