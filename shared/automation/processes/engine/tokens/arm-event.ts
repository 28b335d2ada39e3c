import { awaitEvent, type Bare } from '../events/await-event.ts'
import { type EngineRun, type Move, nextId, nodeAt } from './engine-run.ts'

/** Lets an event begin to wait whose activity or scope runs already. */
export async function armEvent(run: EngineRun, { event, for: id }: Move & { do: 'arm' }): Promise<void> {
  const host = run.tokens.get(id)
  if (host === undefined && id !== '') return
  const node = nodeAt(run, event)
  await awaitEvent(run, node, host, (): Bare => {
    const position = { id: nextId(run, node), at: node.id }
    return host === undefined || node.attachedTo === undefined
      ? { is: 'alarm', ...position, in: id }
      : { is: 'watch', ...position, in: host.in, host: id }
  })
}
