import type { Command } from '../schema.ts'
import { nodeAt, type EngineRun, type Token } from './engine-run.ts'
import { performWork } from './perform-work.ts'
import { fireEventSubProcessTimer, fireBoundaryTimer } from './timers.ts'

/** Applies a command to the token it names. False: there is no such token, or it does not wait for this command. */
export async function applyCommand(run: EngineRun, command: Command): Promise<boolean> {
  const token = run.tokens.get(command.executionId)
  if (token === undefined) return false
  const isFailed = token.is === 'work' && token.failed !== undefined
  switch (command.kind) {
    case 'complete':
      if (token.is !== 'task') return false
      run.variables = { ...run.variables, ...command.variables }
      run.moves.push({ do: 'finish', id: token.id })
      return true
    case 'timer':
      return await fireTimer(run, token)
    case 'error':
      if (token.is !== 'task' && !isFailed) return false
      run.moves.push({
        do: 'raise',
        error: { code: command.code, message: command.message, elementId: nodeAt(run, token.at).id },
        in: token.in,
        id: token.id,
      })
      return true
    case 'retry':
      if (!isFailed) return false
      await performWork(run, token.id)
      return true
  }
}

async function fireTimer(run: EngineRun, token: Token): Promise<boolean> {
  if (token.is === 'timer') run.moves.push({ do: 'finish', id: token.id })
  else if (token.is === 'watch') await fireBoundaryTimer(run, token)
  else if (token.is === 'alarm') await fireEventSubProcessTimer(run, token)
  else return false
  return true
}
