import { awaitEvent } from './await-event.ts'
import { nextId, nodeAt, type EngineRun } from './engine-run.ts'

/** Lets the boundary events of an activity that has begun to wait do so, too. */
export async function startBoundaryEvents(run: EngineRun, id: string): Promise<void> {
  const host = run.tokens.get(id)
  // Boundary events belong to the whole activity, not to one iteration.
  if (host === undefined || host.loop !== undefined) return
  for (const event of nodeAt(run, host.at).boundary)
    await awaitEvent(run, event, host, () => ({
      is: 'watch',
      id: nextId(run, event),
      at: event.id,
      in: host.in,
      host: host.id,
    }))
}
