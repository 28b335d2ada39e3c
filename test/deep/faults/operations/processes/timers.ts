import { end as over, flow, inARow, start, timer } from '../../../../make/builders/processes/processes.ts'
import { makes, processOperation } from './process-operation.ts'

export const intermediateTimer = processOperation({
  name: 'a timer between two steps',
  elements: (made) =>
    inARow(
      start,
      `<intermediateCatchEvent id="wait">${timer('timeDuration', 'PT1H')}</intermediateCatchEvent>`,
      makes('late', made),
      over,
    ),
  act: ({ world }) => world.sweep(),
  end: { status: 'completed', made: ['late'] },
})

/** A task, and a timer that cancels it and takes another flow. */
export const taskWithTimer = (made: string, attributes = ''): string =>
  [
    inARow(start, `<userTask id="work" ${attributes}/>`, makes('worked', made), over),
    `<boundaryEvent id="late" attachedToRef="work">${timer('timeDuration', 'PT1H')}</boundaryEvent>`,
    inARow(makes('escalated', made), '<endEvent id="given_up"/>'),
    flow('late', 'make_escalated'),
  ].join('')

export const boundaryTimer = processOperation({
  name: 'a timer that ends a task',
  elements: (made) => taskWithTimer(made, 'wf:complete_on_field_title="done"'),
  act: ({ world }) => world.sweep(),
  end: { status: 'completed', made: ['escalated'] },
})

/** The timer fires twice while its task stays open; then the task is completed. */
export const repeatingTimer = processOperation({
  name: 'a timer that fires twice beside its task',
  elements: (made) =>
    [
      inARow(start, '<userTask id="work"/>', makes('worked', made), over),
      `<boundaryEvent id="remind" attachedToRef="work" cancelActivity="false">${timer('timeCycle', 'R2/PT1H')}</boundaryEvent>`,
      inARow(makes('reminded', made), '<endEvent id="reminded"/>'),
      flow('remind', 'make_reminded'),
    ].join(''),
  async act({ world, tasks, send }) {
    await world.sweep()
    for (const { id } of await tasks()) await send('POST', `/api/sys/process-tasks/${id}/complete`, {})
  },
  end: { status: 'completed', made: ['reminded', 'reminded', 'worked'] },
})
