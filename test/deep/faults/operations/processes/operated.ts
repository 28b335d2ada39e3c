import { end as over, flow, inARow, start } from '../../../../make/builders/processes/processes.ts'
import { makes, processOperation, type Subject } from './process-operation.ts'

/** A task, and another one to which no flow leads before somebody moves the process there. */
const twoTasks = (made: string): string =>
  [
    inARow(start, '<userTask id="ask"/>', makes('asked', made), over),
    '<userTask id="decide"/>',
    makes('decided', made),
    flow('ask', 'decide', 'false'),
    flow('decide', 'make_decided'),
    flow('make_decided', 'end'),
  ].join('')

async function complete({ tasks, send }: Subject, elementId: string): Promise<void> {
  for (const { id } of await tasks(elementId)) await send('POST', `/api/sys/process-tasks/${id}/complete`, {})
}

/** An operator stops an instance, lets it go on, moves it, and its task is completed. */
export const moved = processOperation({
  name: 'pause and move of an instance',
  elements: twoTasks,
  async act(subject) {
    const { id } = await subject.instance()
    const operate = (what: string, body?: object) =>
      subject.send('POST', `/api/sys/process-instances/${id}/${what}`, body)
    await operate('suspend')
    await operate('resume')
    await operate('modify', { move: [{ from: 'ask', to: 'decide' }] })
    await complete(subject, 'decide')
  },
  end: { status: 'completed', made: ['decided'] },
})

/** The instance goes on with another version of its template. */
export const migrated = processOperation({
  name: 'migration of an instance',
  elements: twoTasks,
  async act(subject) {
    const { id, template } = await subject.instance()
    const path = `/api/sys/process-templates/${template.id}`
    const { bpmn_xml } = (await subject.world.ask('GET', path)).body.data
    if (!bpmn_xml.includes('Second version'))
      await subject.send('PUT', path, {
        bpmn_xml: bpmn_xml.replace('</process>', '<!-- Second version. --></process>'),
      })
    await subject.send('POST', `/api/sys/process-instances/${id}/migrate`, { version: template.version + 1 })
    await complete(subject, 'ask')
  },
  end: { status: 'completed', made: ['asked'] },
})

/** A job cancels the instances of a template: each once, however often a part of it is repeated. */
export const cancelledInBulk = processOperation({
  name: 'cancel of instances in bulk',
  elements: twoTasks,
  among: /process|sweeper|job/i,
  async act(subject) {
    const { template } = await subject.instance()
    const filter = { template_id: { _eq: template.id } }
    await subject.send('POST', '/api/sys/process-instances/bulk', { filter, action: 'cancel' })
  },
  end: { status: 'cancelled', made: [] },
})
