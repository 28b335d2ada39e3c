import { end as over, inARow, setFields, start } from '../../../../make/builders/processes/processes.ts'
import { makes, processOperation, type Subject } from './process-operation.ts'
import { taskWithTimer } from './timers.ts'

const long = (made: string): string =>
  inARow(
    start,
    '<userTask id="begin" wf:complete_on_field_title="begin"/>',
    makes('first', made),
    setFields('count', { amount: '1' }),
    makes('second', made),
    '<userTask id="wait"/>',
    over,
  )
const begin = ({ model, recordId, send }: Subject) => send('PATCH', `/api/e/${model}/${recordId}`, { title: 'begin' })
/** Records created before the cancel are kept. */
const cancelled = [[], ['first'], ['first', 'second']].map((made) => ({ status: 'cancelled', made }))

export const cancelDuringStep = processOperation({
  name: 'cancel of an instance during a step',
  elements: long,
  act: begin,
  end: { status: 'running', made: ['first', 'second'] },
  meanwhile: {
    async act({ world, instance }) {
      const { id } = await instance()
      await world.api('POST', `/api/sys/process-instances/${id}/cancel`)
    },
    ends: cancelled,
  },
})

export const deleteDuringStep = processOperation({
  name: 'delete of the record during a step',
  elements: long,
  act: begin,
  end: { status: 'running', made: ['first', 'second'] },
  meanwhile: {
    act: ({ world, model, recordId }) => world.api('DELETE', `/api/e/${model}/${recordId}`),
    ends: cancelled,
  },
})

/** The first of both decides the flow; the other one has no effect. */
export const completeDuringTimer = processOperation({
  name: 'completion of a task while its timer fires',
  elements: (made) => taskWithTimer(made),
  act: ({ world }) => world.sweep(),
  end: { status: 'completed', made: ['escalated'] },
  meanwhile: {
    async act({ world, tasks }) {
      for (const { id } of await tasks()) await world.api('POST', `/api/sys/process-tasks/${id}/complete`, {})
    },
    ends: [{ status: 'completed', made: ['worked'] }],
  },
})
