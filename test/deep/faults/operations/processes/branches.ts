import { end as over, flow, inARow, start, timer } from '../../../../make/builders/processes/processes.ts'
import { makes, processOperation, type Subject } from './process-operation.ts'

async function completeAll({ tasks, send }: Subject): Promise<void> {
  await Promise.all((await tasks()).map(({ id }) => send('POST', `/api/sys/process-tasks/${id}/complete`, {})))
}

/** Both tasks are completed at the same time. */
export const parallelBranches = processOperation({
  name: 'parallel branches and their join',
  elements: (made) =>
    [
      inARow(
        start,
        '<parallelGateway id="fork"/>',
        '<userTask id="left"/>',
        makes('left', made),
        '<parallelGateway id="join"/>',
        makes('joined', made),
        over,
      ),
      '<userTask id="right"/>',
      makes('right', made),
      flow('fork', 'right'),
      flow('right', 'make_right'),
      flow('make_right', 'join'),
    ].join(''),
  act: completeAll,
  end: { status: 'completed', made: ['left', 'right', 'joined'] },
})

const loop = (attributes: string): string => `<multiInstanceLoopCharacteristics ${attributes}/>`

/** Three parallel tasks, completed at the same time, and then work for each of three, in sequence. */
export const multiInstance = processOperation({
  name: 'multi-instance tasks',
  elements: (made) =>
    inARow(
      start,
      `<userTask id="each">${loop('wf:collection="${[1, 2, 3]}"')}</userTask>`,
      makes('turn', made).replace(
        '</serviceTask>',
        `${loop('isSequential="true" wf:collection="${[1, 2, 3]}"')}</serviceTask>`,
      ),
      over,
    ),
  act: completeAll,
  end: { status: 'completed', made: ['turn', 'turn', 'turn'] },
})

/** So many that their rows exceed a transaction, when they are created and when a timer cancels them. */
export const manyTasks = processOperation({
  name: 'more tasks than a transaction holds',
  elements: (made) =>
    [
      inARow(
        start,
        '<userTask id="begin" wf:complete_on_field_title="begin"/>',
        `<userTask id="each" wf:candidateUsers="user:1" wf:complete_on_field_amount="1">${loop('wf:collection="${Array(32).fill(1)}"')}</userTask>`,
        over,
      ),
      `<boundaryEvent id="late" attachedToRef="each">${timer('timeDuration', 'PT1H')}</boundaryEvent>`,
      inARow(makes('escalated', made), '<endEvent id="given_up"/>'),
      flow('late', 'make_escalated'),
    ].join(''),
  async act({ world, model, recordId, send }) {
    await send('PATCH', `/api/e/${model}/${recordId}`, { title: 'begin' })
    await world.drain()
    await world.sweep()
  },
  end: { status: 'completed', made: ['escalated'], notifications: 32 },
})
