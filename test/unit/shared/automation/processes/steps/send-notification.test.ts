import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Fault } from '../../../../../../shared/kernel/failures/faults.ts'
import { log } from '../../../../../../shared/kernel/runtime/log.ts'
import { end, inARow, start } from '../../../../../make/builders/processes/processes.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'
import { openPlan, type Plan } from '../../../../../make/services/worlds/plan-world.ts'

let single: SingleTable
let plan: Plan
let record = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
beforeEach(async () => {
  record += 1
  plan = await openPlan(single, record)
})
afterEach(() => vi.restoreAllMocks())

/** Opens a task that sends one notification. */
const notify = (attributes: string): Promise<number> =>
  plan.run(
    inARow(
      start,
      `<userTask id="look"><extensionElements><wf:notify on="create" ${attributes}/></extensionElements></userTask>`,
      end,
    ),
  )
const message = () => ({ title: 'Look', text: 'at it', model: 'plans', record_id: record })

describe('a notification of a process', () => {
  it.each([
    ['push', 'user:3, 4', ['sendPushNotification', 'Look', 'at it', null, [3, 4], 'system']],
    ['messenger', 'user:3,user:3', ['sendMessenger', 'at it', [3], null]],
    ['sms', '+4915112345678, +4915112345679', ['sendSms', ['+4915112345678', '+4915112345679'], 'at it', null]],
  ])('through %s goes to whom it names', async (channel, to, expected) => {
    await notify(`channel="${channel}" to="${to}" title="Look" text="at it"`)
    expect(plan.sent).toEqual([expected])
  })

  it.each(['push', 'messenger'])('through %s goes to nobody when nobody is meant', async (channel) => {
    await notify(`channel="${channel}" to="nobody@example.com" title="Look" text="at it"`)
    expect(plan.sent).toEqual([])
  })

  it('through a webhook and a channel of the tenant says what it is about', async () => {
    await notify('channel="webhook" to="user:3" title="Look" text="at it"')
    await notify('channel="12" to="user:3" title="Look" text="at it"')
    expect(plan.sent).toEqual([
      ['sendWebhook', { ...message(), to: ['user:3'] }, null],
      ['publish', { ...message(), to: ['user:3'] }, 12, null],
    ])
  })

  it('has the title as its text where it has no text, and the process as its title', async () => {
    await notify('channel="messenger" to="user:3" title="Look"')
    await notify('channel="push" to="user:3" text="at it"')
    expect(plan.sent).toEqual([
      ['sendMessenger', 'Look', [3], null],
      ['sendPushNotification', 'check', 'at it', null, [3], 'system'],
    ])
  })

  it.each([
    ['email', null],
    ['12', 12],
  ])('from a template goes to each address through %s', async (channel, through) => {
    await notify(`channel="${channel}" to="a@example.com,b@example.com,a@example.com" template="news"`)
    const data = expect.any(Object)
    const params = { record: expect.objectContaining({ id: record, data }), user: null, variables: {}, task: null }
    expect(plan.sent).toEqual([
      ['sendEmail', 'news', 'a@example.com', params, through],
      ['sendEmail', 'news', 'b@example.com', params, through],
    ])
  })

  it('that cannot be sent is logged, and the process goes on', async () => {
    const warned = vi.spyOn(log, 'warn').mockReturnValue()
    plan.refuseNotifications(new Fault('validation_failed', 'There is no channel.'))
    const id = await notify('channel="sms" to="+4915112345678" text="at it"')
    expect(warned.mock.calls).toEqual([
      ['a notification of a process was not sent', { instance_id: id, code: 'check', problem: 'There is no channel.' }],
    ])
    expect(await plan.statuses(id)).toEqual({ look: 'pending' })
  })
})
