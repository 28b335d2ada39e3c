import { end as over, flow, inARow, start } from '../../../../make/builders/processes/processes.ts'
import { makes, processOperation } from './process-operation.ts'

const call = (code: string, inside = ''): string =>
  `<callActivity id="call" calledElement="${code}">${inside}</callActivity>`
const threeTimes =
  '<multiInstanceLoopCharacteristics><loopCardinality>3</loopCardinality></multiInstanceLoopCharacteristics>'

/** From the start of the caller to its end, without waiting for anybody. */
export const callAndReturn = processOperation({
  name: 'call of a process that ends at once',
  called: (made) => inARow(start, makes('inside', made), over),
  elements: (made, called) => inARow(start, makes('before', made), call(called), makes('after', made), over),
  before: 'nothing',
  act: ({ create }) => create(),
  end: { status: 'completed,completed', made: ['after', 'before', 'inside'] },
})

/** The tasks of three called processes are completed at the same time. */
export const severalCalls = processOperation({
  name: 'end of several called processes',
  called: (made) => inARow(start, '<userTask id="work"/>', makes('inside', made), over),
  elements: (made, called) => inARow(start, call(called, threeTimes), makes('after', made), over),
  async act({ tasks, send }) {
    await Promise.all((await tasks()).map(({ id }) => send('POST', `/api/sys/process-tasks/${id}/complete`, {})))
  },
  end: { status: 'completed,completed,completed,completed', made: ['after', 'inside', 'inside', 'inside'] },
})

/** What the called process throws just before its end takes its way, and so does the end. */
export const escalatingCall = processOperation({
  name: 'call of a process that escalates and ends',
  called: () =>
    inARow(start, '<intermediateThrowEvent id="say"><escalationEventDefinition/></intermediateThrowEvent>', over),
  elements: (made, called) =>
    [
      inARow(start, call(called), makes('after', made), over),
      '<boundaryEvent id="caught" attachedToRef="call" cancelActivity="false"><escalationEventDefinition/></boundaryEvent>',
      makes('told', made),
      flow('caught', 'make_told'),
    ].join(''),
  before: 'nothing',
  act: ({ create }) => create(),
  end: { status: 'completed,completed', made: ['after', 'told'] },
})

/** A cancel reaches what was called. */
export const cancelCaller = processOperation({
  name: 'cancel of an instance that has called another one',
  called: () => inARow(start, '<userTask id="work"/>', over),
  elements: (made, called) => inARow(start, call(called), makes('after', made), over),
  async act({ send, instance }) {
    const { id, parent_id } = await instance()
    await send('POST', `/api/sys/process-instances/${parent_id ?? id}/cancel`)
  },
  end: { status: 'cancelled,cancelled', made: [] },
})
