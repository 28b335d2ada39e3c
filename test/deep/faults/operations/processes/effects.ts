import { end as over, inARow, scriptTask, setFields, start } from '../../../../make/builders/processes/processes.ts'
import { makes, processOperation } from './process-operation.ts'

/** The process starts automatically, does work in its first step, and then waits. */
export const autoStart = processOperation({
  name: 'automatic start by a new record',
  elements: (made) =>
    inARow(
      start,
      makes('first', made),
      scriptTask(
        'script',
        `$api.create('${made}', { what: 'script' }); $api.sendPushNotification('Begun', '', [user.id])`,
      ),
      '<userTask id="work" wf:complete_on_field_title="done"/>',
      over,
    ),
  before: 'nothing',
  act: ({ create }) => create(),
  end: { status: 'running', made: ['first', 'script'], notifications: 1 },
})

/**
 * A script and service tasks create, change and delete records and notify, in one step that a field change triggers.
 */
export const effects = processOperation({
  name: 'record writes of a step',
  elements: (made) =>
    inARow(
      start,
      '<userTask id="begin" wf:complete_on_field_title="begin"/>',
      scriptTask(
        'script',
        `const one = $api.create('${made}', { what: 'script' })
         $api.update('${made}', one.id, { what: one.what + ' changed' })
         const other = $api.create('${made}', { what: 'other' })
         $api.remove('${made}', other.id)
         $api.sendPushNotification('Script', 'has run', [user.id])`,
      ),
      setFields('count', { amount: '${(record.amount || 0) + 1}' }),
      makes('service', made),
      '<sendTask id="tell" wf:action="notify"><extensionElements><wf:notify channel="push" to="user:1" text="sent"/></extensionElements></sendTask>',
      over,
    ),
  act: ({ model, recordId, send }) => send('PATCH', `/api/e/${model}/${recordId}`, { title: 'begin' }),
  end: { status: 'completed', made: ['script changed', 'service'], notifications: 2 },
})
