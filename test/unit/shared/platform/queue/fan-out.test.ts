import { expect, it } from 'vitest'
import { fanOut } from '../../../../../shared/platform/queue/change-feed/fan-out.ts'
import type { ItemChange } from '../../../../../shared/platform/queue/change-feed/on-stream.ts'
import type { Send } from '../../../../../shared/platform/queue/send.ts'

const change = (tenant: number, id: number): ItemChange => ({
  sequenceNumber: `${id}`,
  before: undefined,
  after: { tenant_id: tenant, id },
})
const toMessage = ({ after }: ItemChange) => ({ tenant_id: Number(after?.tenant_id), id: Number(after?.id) })
const changes = [change(7, 1), change(7, 2), change(8, 3)]

/** Records what is sent; refuses the message at an index. */
function recorder(refused?: number) {
  const sent: Parameters<Send>[] = []
  const send: Send = (...call) => {
    sent.push(call)
    return Promise.resolve(refused === undefined ? [] : [{ index: refused, reason: 'too busy' }])
  }
  return { sent, send }
}

it('tenants take turns in a queue without an order', async () => {
  const { sent, send } = recorder()
  await fanOut(send, [{ queueUrl: 'standard', wants: () => true, toMessage }], changes)
  expect(sent).toEqual([['standard', changes.map(toMessage), { fairGroup: ['7', '7', '8'] }]])
})

it('a queue with an order gets only what it wants, in its groups', async () => {
  const { sent, send } = recorder()
  const order = ({ after }: ItemChange) => ({ group: `lane ${String(after?.tenant_id)}`, id: String(after?.id) })
  const wants = ({ after }: ItemChange) => after?.id !== 2
  await fanOut(send, [{ queueUrl: 'in order', wants, toMessage, order }], changes)
  const wanted = [changes[0], changes[2]] as ItemChange[]
  expect(sent).toEqual([['in order', wanted.map(toMessage), { order: wanted.map(order) }]])
})

it('a queue may get changes later', async () => {
  const { sent, send } = recorder()
  await fanOut(send, [{ queueUrl: 'later', wants: () => true, toMessage, delaySeconds: 5 }], changes.slice(0, 1))
  expect(sent).toEqual([['later', [toMessage(changes[0] as ItemChange)], { fairGroup: ['7'], delaySeconds: 5 }]])
})

it('answers the changes that a queue refused', async () => {
  const { send } = recorder(1)
  const wants = ({ after }: ItemChange) => after?.id !== 1
  const [failure, ...others] = await fanOut(send, [{ queueUrl: 'busy', wants, toMessage }], changes)
  expect(others).toEqual([])
  expect(failure).toMatchObject({ change: changes[2], cause: new Error('too busy') })
})
