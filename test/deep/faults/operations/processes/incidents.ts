import { end as over, flow, scriptTask, start, timer } from '../../../../make/builders/processes/processes.ts'
import { makes, processOperation, type Subject } from './process-operation.ts'

/**
 * Two branches with an incident: a script that fails, and a step that fails as a whole because its condition throws.
 */
const troubled = (made: string): string =>
  [
    start,
    '<parallelGateway id="fork"/>',
    scriptTask(
      'check',
      `$api.create('${made}', { what: 'checked' }); if (record.title !== 'fixed') $api.fail('It is not fixed.')`,
    ),
    '<userTask id="decide"/>',
    '<userTask id="watch"/>',
    `<boundaryEvent id="remind" attachedToRef="watch" cancelActivity="false">${timer('timeDuration', 'P1000D')}</boundaryEvent>`,
    '<endEvent id="reminded"/>',
    '<exclusiveGateway id="way"/>',
    makes('decided', made),
    '<parallelGateway id="join"/>',
    makes('joined', made),
    over,
    flow('start', 'fork'),
    flow('fork', 'check'),
    flow('fork', 'decide'),
    flow('fork', 'watch'),
    flow('remind', 'reminded'),
    flow('check', 'join'),
    flow('watch', 'join'),
    flow('decide', 'way'),
    flow('way', 'make_decided', "record.amount.toFixed() === '5'"),
    flow('make_decided', 'join'),
    flow('join', 'make_joined'),
    flow('make_joined', 'end'),
  ].join('')

async function decide({ tasks, send }: Subject): Promise<void> {
  const [task] = await tasks('decide')
  await send('POST', `/api/sys/process-tasks/${task.id}/complete`, {})
}

export const retryIncident = processOperation({
  name: 'retry of two incidents',
  elements: troubled,
  async before(subject) {
    const [task] = await subject.tasks('watch')
    await subject.send('POST', `/api/sys/process-tasks/${task.id}/complete`, {})
    await decide(subject)
  },
  async act({ model, recordId, send, instance }) {
    await send('PATCH', `/api/e/${model}/${recordId}`, { title: 'fixed', amount: 5 })
    const { id } = await instance()
    await send('POST', `/api/sys/process-instances/${id}/retry`)
  },
  end: { status: 'completed', made: ['checked', 'decided', 'joined'] },
})

export const cancel = processOperation({
  name: 'cancel of an instance',
  elements: troubled,
  before: decide,
  async act({ send, instance }) {
    const { id } = await instance()
    await send('POST', `/api/sys/process-instances/${id}/cancel`)
  },
  end: { status: 'cancelled', made: ['checked'] },
})

export const recordDeleted = processOperation({
  name: 'delete of a record with a running instance',
  elements: troubled,
  before: decide,
  act: ({ model, recordId, send }) => send('DELETE', `/api/e/${model}/${recordId}`),
  end: { status: 'cancelled', made: ['checked'] },
})
