import { nodeAt, type Run, type TokenAt } from './run.ts'
import type { Command } from './schema.ts'
import { fireAlarm, fireWatch } from './timers.ts'
import { perform } from './work.ts'

/** Lets a command happen; false: what it means waits no more, or never for such a thing. */
export async function obey(run: Run, command: Command): Promise<boolean> {
  const standing = run.standing.get(command.executionId)
  if (standing === undefined) return false
  const isFailed = standing.is === 'work' && standing.failed !== undefined
  switch (command.kind) {
    case 'complete':
      if (standing.is !== 'task') return false
      run.variables = { ...run.variables, ...command.variables }
      run.moves.push({ do: 'finish', id: standing.id })
      return true
    case 'timer':
      return await fire(run, standing)
    case 'error':
      if (standing.is !== 'task' && !isFailed) return false
      run.moves.push({
        do: 'raise',
        error: { code: command.code, message: command.message, elementId: nodeAt(run, standing.at).id },
        in: standing.in,
        id: standing.id,
      })
      return true
    case 'retry':
      if (!isFailed) return false
      await perform(run, standing.id)
      return true
  }
}

async function fire(run: Run, standing: TokenAt): Promise<boolean> {
  if (standing.is === 'timer') run.moves.push({ do: 'finish', id: standing.id })
  else if (standing.is === 'watch') await fireWatch(run, standing)
  else if (standing.is === 'alarm') await fireAlarm(run, standing)
  else return false
  return true
}
