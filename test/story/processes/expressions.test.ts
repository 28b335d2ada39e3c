import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApproval, tableWithProcess } from '../../make/builders/processes/approvals.ts'
import {
  end,
  eventually,
  flow,
  inARow,
  instanceOf,
  read,
  scriptTask,
  setFields,
  start,
  taskOf,
} from '../../make/builders/processes/processes.ts'
import { type ApiCall, sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api: ApiCall = (method, path, body, token = service.admin.token) => service.api(method, path, { token, body })
const tableWith = (elements: string) => tableWithProcess(service, elements)

beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service?.stop())

/** A script of two values, and a field that takes the variable `sum` of its instance. */
const scriptOf = (script: string, attributes: string): string =>
  inARow(
    start,
    scriptTask('add', script).replace('<scriptTask ', `<scriptTask ${attributes} `),
    setFields('note', { note: '${variables.sum} ${variables.left}' }),
    end,
  )

describe('an expression of a process', () => {
  it.each([
    ['that fails', '${record.note.trim()}', 'The expression record.note.trim() failed: '],
    ['that reads records', "${$api.get('users', 1)}", 'Conditions cannot reach records: use record and variables.'],
  ])('%s stops it with an incident that says so', async (_title, value, message) => {
    const model = await tableWith(inARow(start, setFields('note', { note: value }), end))
    const id = await createApproval(api, model)
    const { incidents } = await instanceOf(service, model, id, 'incident')
    expect(incidents).toMatchObject([{ element_id: 'note', message: expect.stringContaining(message) }])
    expect((await read(service, `/api/e/${model}/${id}`)).data.note).toBeUndefined()
  })

  it('clears a number when its value is null', async () => {
    const model = await tableWith(
      inARow(start, setFields('clear', { amount: '${null}', note: 'had ${record.amount}' }), end),
    )
    const { id } = (await api('POST', `/api/e/${model}`, { title: 'a', amount: 5 })).body.data
    await instanceOf(service, model, id, 'completed')
    expect((await read(service, `/api/e/${model}/${id}`)).data).toMatchObject({ amount: null, note: 'had 5' })
  })

  it('sees the item of its loop, also when a task of the loop is completed', async () => {
    const model = await tableWith(
      inARow(
        start,
        `<userTask id="each" name="each"><extensionElements><wf:setFields on="complete"><wf:set field="note" value="about \${variables.item}"/></wf:setFields></extensionElements><multiInstanceLoopCharacteristics isSequential="true" wf:collection="\${['red', 'blue']}" wf:elementVariable="item"/></userTask>`,
        end,
      ),
    )
    const id = await createApproval(api, model)
    for (const item of ['red', 'blue']) {
      const { id: task } = await taskOf(service, model, id)
      expect((await api('POST', `/api/sys/process-tasks/${task}/complete`, {})).status).toBe(200)
      await eventually(`the note about ${item}`, async () => {
        const { note } = (await read(service, `/api/e/${model}/${id}`)).data
        return note === `about ${item}` ? note : undefined
      })
    }
    await instanceOf(service, model, id, 'completed')
  })
})

describe('a script of a process', () => {
  it('gives its result to a variable, keeps what it sets, and shows its run', async () => {
    const model = await tableWith(scriptOf('variables.left = 2; return 1 + 2', 'wf:resultVariable="sum"'))
    const id = await createApproval(api, model)
    const { id: instance } = await instanceOf(service, model, id, 'completed')
    expect((await read(service, `/api/e/${model}/${id}`)).data.note).toBe('3 2')
    const runs = await read(service, `/api/sys/script-runs?model=${model}`)
    expect(runs).toMatchObject([{ kind: 'process', record_id: id, status: 'ok' }])
    expect(await read(service, `/api/sys/process-instances/${instance}`)).toMatchObject({
      variables: { sum: 3, left: 2 },
    })
  })

  it('that fails with a code nobody catches stops it with its message', async () => {
    const model = await tableWith(scriptOf("$api.fail('too much', 'NO_BUDGET')", ''))
    const id = await createApproval(api, model)
    const { incidents } = await instanceOf(service, model, id, 'incident')
    expect(incidents).toMatchObject([{ element_id: 'add', message: expect.stringContaining('too much') }])
    expect(await read(service, `/api/sys/script-runs?model=${model}`)).toMatchObject([
      { kind: 'process', status: 'error' },
    ])
  })

  it('that fails without a code is caught by no boundary event of a code', async () => {
    const model = await tableWith(
      [
        inARow(start, scriptTask('pay', "throw new Error('NO_BUDGET')"), end),
        '<boundaryEvent id="refused" attachedToRef="pay"><errorEventDefinition errorRef="NoBudget"/></boundaryEvent>',
        setFields('tell', { note: 'no budget' }),
        flow('refused', 'tell'),
      ].join(''),
    )
    const id = await createApproval(api, model)
    const { incidents } = await instanceOf(service, model, id, 'incident')
    expect(incidents).toMatchObject([{ element_id: 'pay', message: 'NO_BUDGET' }])
  })
})
